import type { Graph } from "@clew/graph";
import type { Connection } from "../model/connection.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { findConnection, publishRevision } from "../store/queries/connections.ts";
import { createBuilder } from "./builder.ts";
import { createGraphCache, type PublishedGraph, versionGraceMs } from "./graph-cache.ts";
import { createGraphTexts, noTexts } from "./texts/graph-texts.ts";
import type { TextIndex } from "./texts/texts.ts";

/** The graphs that are served: built from the store, kept in memory within a budget, and replaced as a whole. */
export interface Graphs {
  /**
   * A connection's newest graph; empty before the first sync. Waits for a build if the graph is not in memory. If another
   * instance has published a newer one, the older is served until that is built.
   */
  current(connection: Connection): Promise<PublishedGraph>;
  /** The graph of a version, to continue reading in it; null if it was replaced more than a minute ago. */
  version(connection: Connection, version: number): Promise<PublishedGraph | null>;
  /** What `current` would return without waiting; null if it is not in memory. */
  loaded(connection: Connection): PublishedGraph | null;
  /** Publishes a connection's stored graph: on this instance at once, on others when they are next asked for it. */
  publish(connectionId: number): Promise<void>;
  /** Lets the newest graph of a connection see what was added to its text index since it was published. */
  refreshTexts(connectionId: number): void;
  /** Deletes the text index, which was found to be damaged; it is built again in the background. */
  resetTexts(): Promise<void>;
  /** Whether a connection's graph may still be asked for. */
  holds(connectionId: number, graph: Graph): boolean;
  /** Calls back with the connection whenever a graph was built, until the returned function is called. */
  onBuilt(listener: (connectionId: number) => void): () => void;
  /** Bytes of all graphs in memory, and of their snapshots of the text index. */
  heldBytes(): { readonly graphs: number; readonly texts: number };
  /** Drops the graphs of a removed connection. */
  forget(connectionId: number): void;
  /** Stops building: waiting calls are rejected, and what is published from now on is built by other instances. */
  close(): Promise<void>;
}

interface GraphsOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Without it no texts are searched. */
  readonly texts?: Pick<TextIndex, "update" | "open" | "reset">;
  /** Called when graphs have been replaced or dropped. */
  readonly onDropped?: () => void;
  /** Receives errors of builds in the background. The older graph is served on, and the next use tries again. */
  readonly onError?: (error: unknown) => void;
  /** Bytes for all graphs in memory; a quarter of the available memory if left out. */
  readonly budget?: number;
}

/** Milliseconds that a publication waits for the text index at most: a small part of the time between two. */
const textsWaitMs = 5_000;

const minBudget = 256 * 1024 ** 2;

export function createGraphs({
  database,
  clock,
  texts,
  onDropped = () => {},
  onError = () => {},
  budget,
}: GraphsOptions): Graphs {
  const cache = createGraphCache(clock, budget ?? Math.max(minBudget, process.availableMemory() / 4));
  const builder = createBuilder(database);
  const builds = new Map<number, Promise<PublishedGraph>>();
  // A running build must not bring back a forgotten graph. Connection ids are never reused.
  const forgotten = new Set<number>();
  const listeners = new Set<(connectionId: number) => void>();
  let isClosed = false;

  function prune(connectionId: number): void {
    cache.prune(connectionId);
    onDropped();
  }

  async function build(connectionId: number): Promise<PublishedGraph> {
    const built = await builder.build(connectionId);
    const open = texts && (() => texts.open(connectionId, built.graph.columns.ids));
    const published = { ...built, texts: open === undefined ? noTexts : createGraphTexts(open) };
    if (forgotten.has(connectionId)) return published;
    // From now on the graph sees the texts that it was published with. What fails is repeated with the first use.
    published.texts.snapshot().catch(() => {});
    cache.place(connectionId, published);
    onDropped();
    for (const listener of listeners) listener(connectionId);
    // Frees a replaced graph on time even if no request follows.
    setTimeout(prune, versionGraceMs + 1, connectionId).unref();
    return published;
  }

  /** Starts a build, or joins the running one. */
  function buildOnce(connectionId: number): Promise<PublishedGraph> {
    const running = builds.get(connectionId);
    if (running) return running;
    const started = build(connectionId).finally(() => builds.delete(connectionId));
    builds.set(connectionId, started);
    return started;
  }

  /** A running build may have read the store before `version` was published: then another one follows. */
  async function buildAtLeast(connectionId: number, version: number): Promise<PublishedGraph> {
    const running = await builds.get(connectionId)?.catch(() => null);
    const latest = running ?? cache.peek(connectionId);
    return latest && latest.version >= version ? latest : buildOnce(connectionId);
  }

  /** What is found is what is published, as far as that can be had soon: the titles of a first sync wait for nothing. */
  async function indexTexts(connectionId: number): Promise<void> {
    if (texts === undefined) return;
    const connection = await findConnection(database.read, connectionId);
    if (connection?.publishedRevision === 0) void texts.update(connectionId, 0);
    else await texts.update(connectionId, textsWaitMs);
  }

  // `close` ends builds, which is no error.
  const rethrow = (error: unknown) => {
    if (!isClosed) throw error;
  };
  const report = (error: unknown) => {
    if (!isClosed) onError(error);
  };

  return {
    async current({ id, publishedRevision }) {
      const latest = cache.use(id).latest();
      if (!latest) return buildOnce(id);
      if (latest.version < publishedRevision && !builds.has(id)) buildOnce(id).catch(report);
      return latest;
    },

    async version({ id }, version) {
      const found = cache.use(id).find(version);
      if (found) return found;
      const latest = cache.use(id).latest();
      // Another instance may have published a newer version.
      if (!latest || latest.version < version) await buildAtLeast(id, version);
      return cache.use(id).find(version);
    },

    loaded: ({ id }) => cache.peek(id),

    async publish(connectionId) {
      if (!isClosed) await indexTexts(connectionId);
      const version = await database.transaction((trx) => publishRevision(trx, connectionId));
      if (!isClosed) await buildAtLeast(connectionId, version).catch(rethrow);
    },

    refreshTexts(connectionId) {
      cache.peek(connectionId)?.texts.refresh().catch(report);
    },
    resetTexts: async () => texts?.reset(),
    holds: cache.holds,
    onBuilt(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    heldBytes: cache.bytes,
    forget(connectionId) {
      forgotten.add(connectionId);
      cache.forget(connectionId);
      onDropped();
    },

    async close() {
      isClosed = true;
      await builder.close();
    },
  };
}
