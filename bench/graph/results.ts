import type { Timing } from "./measure.ts";
import type { Shape } from "./workspace/shape.ts";

type Timings = Readonly<Record<string, Timing>>;

/** Measurements of Clew at one size. */
export interface ClewResult {
  readonly buildMs: number;
  /** CPU time of laying out the map; absent in older results. */
  readonly mapMs?: number;
  /** CPU time that PageRank adds to building, as a share of the rest; absent in older results. */
  readonly importanceShare?: number;
  readonly loadMs: number;
  readonly memoryBytes: number;
  readonly timings: Timings;
  /** The share of queries of each kind that had a match. */
  readonly found: Readonly<Record<string, number>>;
}

export interface SizeResult {
  readonly shape: Shape;
  readonly storeMs: number;
  readonly clew: ClewResult;
}

/** The results of a run, from which the tables and the picture are made. */
export interface Results {
  readonly machine: string;
  readonly date: string;
  readonly seed: number;
  readonly secondsAFigure: number;
  /** The system's load average over one minute at the start of the run. */
  readonly loadAverage: number;
  /** The version of Node. */
  readonly node: string;
  /** By the number of pages. */
  readonly sizes: Readonly<Record<string, SizeResult>>;
}

/** Clew's aims at a million pages: microseconds for `p99`. */
export const aims: Readonly<Record<string, { readonly p99: number }>> = {
  "neighbours, 1 step": { p99: 20 },
  "shortest path": { p99: 5_000 },
  "shortest path beside hubs": { p99: 5_000 },
  "search: all kinds": { p99: 2_000 },
  related: { p99: 20_000 },
  "related to hubs": { p99: 20_000 },
  filters: { p99: 20_000 },
  tree: { p99: 20_000 },
};
export const aimsOfWhole = {
  buildMs: 5_000,
  importanceShare: 0.25,
  mapMs: 2_000,
  loadMs: 10_000,
  memoryBytes: 600e6,
};
