import type { EdgeFilter } from "./edge-filter.ts";

/** Between which nodes a path is sought, and what bars it. The two differ, and neither is closed. */
export interface Route {
  readonly filter: EdgeFilter;
  readonly from: number;
  readonly to: number;
  /** Nodes that the path keeps out of. */
  readonly closed: ReadonlySet<number>;
  /** Nodes that do not come second on it. */
  readonly notSecond: ReadonlySet<number>;
  /** Steps that it may have. */
  readonly limit: number;
}
