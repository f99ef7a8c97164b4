import type { Awaitable } from "../../../packages/server/src/model/awaitable.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Something else that answers questions about a graph. Its pages are numbers, which spares it Clew's UUIDs. */
export interface GraphPeer {
  load(workspace: Workspace): Awaitable<void>;
  /** The number of different pages joined to a page in either direction, at most `limit`. */
  neighbors(page: number, limit: number): Awaitable<number>;
  /** Steps of a shortest path in either direction; null where there is none. */
  path(from: number, to: number): Awaitable<number | null>;
}

/** Something else that searches titles. */
export interface TitlePeer {
  load(workspace: Workspace): Awaitable<void>;
  /** The number of the best matches, at most `limit`. */
  search(query: string, limit: number): Awaitable<number>;
}
