import type { Cursors } from "../cursor/cursors.ts";
import type { ResponseCache } from "../http/response-cache.ts";
import type { AllowList } from "../model/allow-list.ts";
import { type Awaitable, whenThere } from "../model/awaitable.ts";
import type { Connection } from "../model/connection.ts";
import type { Graphs } from "../publication/graphs.ts";
import {
  currentGraphs,
  type ReadableGraph,
  type Reader,
  readableConnections,
} from "../publication/readable.ts";
import type { Database } from "../store/database.ts";

/** The two ways to one graph: `/api/v1` with a service token, `/api/provider-graph` with a session. */
export type Door = "v1" | "session";

/** What the operations behind a door read with. */
export interface Reading {
  readonly door: Door;
  readonly database: Database;
  readonly graphs: Graphs;
  readonly cursors: Cursors;
  readonly responses: ResponseCache;
  /** Who may use Clew, and which of their workspaces (SIGN-10). */
  readonly allowed: AllowList;
  /** Graphs whose grants were withdrawn before then are refused, in milliseconds since the Unix epoch (SYNC-8). */
  readonly oldestWithdrawal: () => number;
  /** Milliseconds on a clock that nobody sets: what a walk may take is measured on it. */
  readonly monotonic: () => number;
}

/** A question that somebody asks, by whatever transport it came. */
export interface Asking {
  readonly reading: Reading;
  readonly reader: Reader;
  /** The question with all its parameters, as it was put: what was put in the same words has the same answer. */
  readonly words: string;
}

/** The connections that the caller may read, as of now. */
export function connectionsFor({ reading, reader }: Asking): Awaitable<readonly Connection[]> {
  const { database, allowed, oldestWithdrawal } = reading;
  return readableConnections(database, reader, { allowed, oldestWithdrawal: oldestWithdrawal() });
}

/** The newest graphs that the caller may read, as of now. */
export function graphsFor(asking: Asking): Awaitable<readonly ReadableGraph[]> {
  return whenThere(connectionsFor(asking), (connections) =>
    currentGraphs(asking.reading.graphs, connections),
  );
}

/**
 * All that an answer follows from which is read from these graphs, for somebody who may read these connections: cursors
 * in it are bound to them. To be called once it is known what the caller may read: that is asked anew for every
 * request (GRAPH-10).
 */
export function cacheKeyOf(
  { reader, words }: Pick<Asking, "words"> & { readonly reader: Pick<Reader, "userId"> },
  readable: readonly { readonly id: number }[],
  sources: readonly { readonly connection: { readonly id: number }; readonly edition: number }[],
): string {
  const connections = readable.map(({ id }) => id);
  const editions = sources.map(({ connection, edition }) => [connection.id, edition]);
  return JSON.stringify([reader.userId, connections, editions, words]);
}
