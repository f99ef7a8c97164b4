export { type Clock, type RandomBytes, type Sleep, timeRange } from "@clew/provider";

/** A cache in memory, measured in the unit that limits it. */
export interface CacheSource {
  readonly name: string;
  readonly bytes?: () => number;
  readonly entries?: () => number;
}

/** Receives each cache that is created, for the metrics. */
export type ObserveCache = (cache: CacheSource) => void;
