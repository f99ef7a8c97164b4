import type { Workspace } from "../workspace/workspace.ts";

/** Something else that answers questions about a graph. Its pages are numbers, which spares it Clew's UUIDs. */
export interface GraphPeer {
  load(workspace: Workspace): unknown;
  /** The number of different pages joined to a page in either direction, at most `limit`. */
  neighbors(page: number, limit: number): number | Promise<number>;
  /** Steps of a shortest path in either direction; null where there is none. */
  path(from: number, to: number): number | null | Promise<number | null>;
}

/** Something else that searches titles. */
export interface TitlePeer {
  load(workspace: Workspace): unknown;
  /** The number of the best matches, at most `limit`. */
  search(query: string, limit: number): number | Promise<number>;
}
