import type { Graphs } from "../graph-cache/graphs.ts";
import {
  currentGraphs,
  type ReadableGraph,
  type Reader,
  readableConnections,
} from "../graph-cache/readable.ts";
import type { ResponseCache } from "../http/response-cache.ts";
import type { AllowList } from "../model/allow-list.ts";
import { type Awaitable, whenThere } from "../model/awaitable.ts";
import type { Connection } from "../model/connection.ts";
import type { Database } from "../store/port.ts";
import type { Cursors } from "./cursors.ts";

/** The two ways to one graph: `/api/v1` with a service token, `/api/provider-graph` with a session. */
export type Audience = "v1" | "session";

/** What the operations behind a door read with. */
export interface QueryServices {
  readonly audience: Audience;
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
export interface RequestContext {
  readonly services: QueryServices;
  readonly reader: Reader;
  /** The question with all its parameters, as it was put: what was put in the same words has the same answer. */
  readonly cacheKey: string;
}

/** The connections that the caller may read, as of now. */
export function readableConnectionsOf({
  services,
  reader,
}: RequestContext): Awaitable<readonly Connection[]> {
  const { database, allowed, oldestWithdrawal } = services;
  return readableConnections(database, reader, { allowed, oldestWithdrawal: oldestWithdrawal() });
}

/** The newest graphs that the caller may read, as of now. */
export function currentGraphsFor(ctx: RequestContext): Awaitable<readonly ReadableGraph[]> {
  return whenThere(readableConnectionsOf(ctx), (connections) =>
    currentGraphs(ctx.services.graphs, connections),
  );
}

/**
 * All that an answer follows from which is read from these graphs, for somebody who may read these connections: cursors
 * in it are bound to them. To be called once it is known what the caller may read: that is asked anew for every
 * request (GRAPH-10).
 */
export function cacheKeyOf(
  { reader, cacheKey }: Pick<RequestContext, "cacheKey"> & { readonly reader: Pick<Reader, "userId"> },
  readable: readonly { readonly id: number }[],
  sources: readonly { readonly connection: { readonly id: number }; readonly version: number }[],
): string {
  const connections = readable.map(({ id }) => id);
  const versions = sources.map(({ connection, version }) => [connection.id, version]);
  return JSON.stringify([reader.userId, connections, versions, cacheKey]);
}
