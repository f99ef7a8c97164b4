import type { Timing } from "./measure.ts";
import type { Shape } from "./workspace/shape.ts";

type Timings = Readonly<Record<string, Timing>>;

/** What was measured of Clew at one size. */
export interface ClewResult {
  readonly buildMs: number;
  readonly loadMs: number;
  readonly memoryBytes: number;
  readonly timings: Timings;
  /** Share of each kind of queries that found anything. */
  readonly found: Readonly<Record<string, number>>;
}

/** What was measured of a peer, as far as it came. */
export interface PeerResult {
  readonly loadMs?: number;
  readonly memoryBytes?: number;
  readonly timings: Timings;
  /** Answers that were Clew's: `20 of 20`. */
  readonly sameNeighbors?: string;
  readonly sameSteps?: string;
  /** Share of each kind of queries that found anything. */
  readonly found: Readonly<Record<string, number>>;
  /** Why it did not come to its end. */
  readonly failure?: string;
}

export interface SizeResult {
  readonly shape: Shape;
  readonly storeMs: number;
  readonly clew: ClewResult;
  readonly peers: Readonly<Record<string, PeerResult>>;
}

/** A whole run: what the tables and the picture are made of. */
export interface Results {
  readonly machine: string;
  readonly date: string;
  readonly seed: number;
  readonly secondsAFigure: number;
  /** Seconds that a peer had to load. */
  readonly loadLimit: number;
  /** Processes that wanted to run when it began, by the system's count over a minute. */
  readonly loadAverage: number;
  readonly versions: Readonly<Record<string, string>>;
  /** By the number of pages. */
  readonly sizes: Readonly<Record<string, SizeResult>>;
}

/** What Clew aims at with a million pages: in the units of the tables. */
export const aims: Readonly<Record<string, { readonly p99: number }>> = {
  "neighbours, 1 step": { p99: 20 },
  "shortest path": { p99: 5_000 },
  "shortest path beside hubs": { p99: 5_000 },
  "search: all kinds": { p99: 2_000 },
};
export const aimsOfWhole = { buildMs: 5_000, loadMs: 10_000, memoryBytes: 600e6 };
