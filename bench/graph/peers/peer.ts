import type { Workspace } from "../workspace/workspace.ts";

/** Another graph implementation. Its pages are numbers, so it does not carry the cost of Clew's UUIDs. */
export interface GraphPeer {
  load(workspace: Workspace): unknown;
  /** The number of distinct neighbours of a page in either direction, at most `limit`. */
  neighbors(page: number, limit: number): number | Promise<number>;
  /** The steps of a shortest path along edges in either direction; null if there is none. */
  path(from: number, to: number): number | null | Promise<number | null>;
}

/** Another title search. */
export interface TitlePeer {
  load(workspace: Workspace): unknown;
  /** The number of matches returned, at most `limit`. */
  search(query: string, limit: number): number | Promise<number>;
}
