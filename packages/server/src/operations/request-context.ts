import type { Build, GraphOperation } from "@clew/contract";
import type { Provider } from "@clew/provider";
import type { Config } from "../config/config.ts";
import type { GivenCursors } from "../graphs/given-cursors.ts";
import type { Graphs } from "../graphs/graphs.ts";
import { currentGraphs, type ReadableGraph, readableConnections } from "../graphs/readable.ts";
import type { KnownCaller } from "../model/caller.ts";
import type { Connection } from "../model/connection.ts";
import type { Clock } from "../model/runtime.ts";
import type { Sources } from "../providers/sources.ts";
import type { QueryThreads } from "../queries/query-threads.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database } from "../store/port.ts";
import type { EditTimes } from "../sync/looks/edit-times.ts";
import { type CursorFactory, type Cursors, createCursorFactory } from "./cursors.ts";
import type { ExportStreams } from "./export-streams.ts";
import type { LinkMaps } from "./link-maps.ts";

/** The two APIs of one graph: `/api/v1` with a service token, `/api/provider-graph` with a session. */
export type Audience = "v1" | "session";

/** The services that the operations of one audience use. */
export interface QueryServices {
  readonly audience: Audience;
  readonly build: Build;
  readonly database: Database;
  readonly graphs: Graphs;
  readonly queryThreads: QueryThreads;
  readonly editTimes: Pick<EditTimes, "editsAsOf">;
  readonly linkMaps: LinkMaps;
  /** Told of each cursor that ends with the next version of a graph. */
  readonly givenCursors: Pick<GivenCursors, "note">;
  readonly cursorsFor: CursorFactory;
  /** Graphs whose grants were withdrawn before then are refused, in milliseconds since the Unix epoch (SYNC-8). */
  readonly oldestWithdrawal: () => number;
  readonly clock: Clock;
  /** The page or database that an address at the provider opens; null for any other address. */
  readonly pageOfUrl: Provider["pageOfUrl"];
  /** The name that agents and people give to the pages of these connections. */
  readonly productOf: (connections: readonly Connection[]) => string;
  /** Whether the source of a connection has tags. */
  readonly hasTags: (connection: Connection) => boolean;
  /** A monotonic clock in milliseconds, which limits the time of walks. */
  readonly monotonic: () => number;
  /** The exports that are running, of both audiences. */
  readonly exports: ExportStreams;
}

/** One call of an operation, over any transport. */
export interface RequestContext {
  readonly services: QueryServices;
  readonly caller: KnownCaller;
  /** Aborted once the answer is no longer needed. */
  readonly signal?: AbortSignal;
}

type SharedServices =
  | "database"
  | "graphs"
  | "queryThreads"
  | "editTimes"
  | "linkMaps"
  | "givenCursors"
  | "exports"
  | "clock"
  | "monotonic"
  | "build";

interface Dependencies extends Pick<QueryServices, SharedServices> {
  readonly secrets: Secrets;
  readonly sources: Sources<Pick<Provider, "slug" | "pageOfUrl" | "product" | "hasTags">>;
  readonly config: Pick<Config, "withdrawnGrace">;
}

/** The services of one audience, for all of its transports. */
export function createQueryServices(
  {
    database,
    secrets,
    graphs,
    queryThreads,
    editTimes,
    linkMaps,
    givenCursors,
    exports,
    clock,
    monotonic,
    build,
    sources,
    config,
  }: Dependencies,
  audience: Audience,
): QueryServices {
  return {
    audience,
    build,
    database,
    graphs,
    queryThreads,
    editTimes,
    linkMaps,
    givenCursors,
    cursorsFor: createCursorFactory(secrets),
    oldestWithdrawal: () => clock() - config.withdrawnGrace,
    clock,
    pageOfUrl: (url) => {
      for (const source of sources.all) {
        const id = source.pageOfUrl(url);
        if (id !== null) return id;
      }
      return null;
    },
    productOf: (connections) => sources.products(connections.map(({ provider }) => provider)),
    hasTags: ({ provider }) => sources.find(provider)?.hasTags === true,
    monotonic,
    exports,
  };
}

/** The connections that the caller may read. */
export function readableConnectionsOf({ services, caller }: RequestContext): readonly Connection[] {
  return readableConnections(caller, services.oldestWithdrawal());
}

/** The newest graphs that the caller may read. */
export function currentGraphsFor(ctx: RequestContext): Promise<readonly ReadableGraph[]> {
  return currentGraphs(ctx.services.graphs, readableConnectionsOf(ctx));
}

/**
 * The cursors of a list. They are bound to the audience, the user, everything that is readable now, and the parameters
 * that shape the list (GRAPH-12). `limit` is not among those, so each page may have its own size.
 */
export function listCursors<Position>(
  { services, caller }: RequestContext,
  readable: readonly { readonly id: number | string }[],
  list: {
    readonly operation: GraphOperation;
    /** Of the format of `Position`. */
    readonly version: number;
    readonly parameters: readonly (string | number | null)[];
  },
): Cursors<Position> {
  const { operation, version, parameters } = list;
  const ids = readable.map(({ id }) => id);
  return services.cursorsFor<Position>({
    list: operation,
    version,
    parameters: [services.audience, caller.userId, ids, parameters],
  });
}
