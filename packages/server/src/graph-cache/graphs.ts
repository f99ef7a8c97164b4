import type { Connection } from "../model/connection.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { publishRevision } from "../store/queries/connections.ts";
import { createBuilder } from "./builder.ts";
import { createGraphCache } from "./graph-cache.ts";
import { type PublishedGraph, versionGraceMs } from "./graph-versions.ts";

/**
 * The graphs that are served: each is built from the store, kept in memory as long as there is room, and replaced as
 * a whole.
 */
export interface Graphs {
  /**
   * The newest graph of a connection, empty where nothing was synced yet. A use waits for it where it is the first
   * on this instance, or where others needed the room since. Where another instance has published a newer one, this one is served until that is built.
   */
  current(connection: Connection): Promise<PublishedGraph>;
  /** The graph of that version, for whoever began to read it; null once it was replaced a minute or longer ago. */
  version(connection: Connection, version: number): Promise<PublishedGraph | null>;
  /** What `current` would serve without waiting; null where that is not held. */
  loaded(connection: Connection): PublishedGraph | null;
  /** Publishes what the store holds of a connection now, on this instance at once, on others when they are asked. */
  publish(connectionId: number): Promise<void>;
  /** Bytes that the graphs in memory take up together. */
  heldBytes(): number;
  /** Lets go of the graphs of a connection that is removed. */
  forget(connectionId: number): void;
  /** Builds no more: who waits for a build is refused, and what is published from now on others build. */
  close(): Promise<void>;
}

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  /** Told why a newer graph could not be built in the background. The older one serves on, the next use tries again. */
  readonly onError?: (error: unknown) => void;
  /** Bytes that graphs may take up together; those used longest ago are let go. A share of the memory where absent. */
  readonly budget?: number;
}

const leastBudget = 256 * 1024 ** 2;

export function createGraphs({ database, clock, onError = () => {}, budget }: Parts): Graphs {
  const shelves = createGraphCache(clock, budget ?? Math.max(leastBudget, process.availableMemory() / 4));
  const builder = createBuilder(database);
  const builds = new Map<number, Promise<PublishedGraph>>();
  // A build under way must not bring back what is forgotten. Connection ids are never used again.
  const forgotten = new Set<number>();
  let isClosed = false;

  async function build(connectionId: number): Promise<PublishedGraph> {
    const published = await builder.build(connectionId);
    if (forgotten.has(connectionId)) return published;
    shelves.place(connectionId, published);
    // Graphs are large: one that was replaced goes on time, even where nobody asks for anything any more.
    setTimeout(shelves.prune, versionGraceMs + 1).unref();
    return published;
  }

  /** Starts to build, or joins whoever has. A build that fails is forgotten: the next one starts afresh. */
  function buildOnce(connectionId: number): Promise<PublishedGraph> {
    const underWay = builds.get(connectionId);
    if (underWay) return underWay;
    const started = build(connectionId).finally(() => builds.delete(connectionId));
    builds.set(connectionId, started);
    return started;
  }

  /** A build under way may have read the store before `version` was there: then another one follows it. */
  async function buildAtLeast(connectionId: number, version: number): Promise<PublishedGraph> {
    const underWay = await builds.get(connectionId)?.catch(() => null);
    const latest = underWay ?? shelves.peek(connectionId);
    return latest && latest.version >= version ? latest : buildOnce(connectionId);
  }

  /** That a build is broken off at the end is no error. */
  const refuse = (error: unknown) => {
    if (!isClosed) throw error;
  };
  const tell = (error: unknown) => {
    if (!isClosed) onError(error);
  };

  return {
    async current({ id, publishedRevision }) {
      const latest = shelves.use(id).latest();
      if (!latest) return buildOnce(id);
      if (latest.version < publishedRevision && !builds.has(id)) buildOnce(id).catch(tell);
      return latest;
    },

    async version({ id }, version) {
      const found = shelves.use(id).find(version);
      if (found) return found;
      const latest = shelves.use(id).latest();
      // Another instance may be ahead of this one, which then has to catch up first.
      if (!latest || latest.version < version) await buildAtLeast(id, version);
      return shelves.use(id).find(version);
    },

    loaded: ({ id }) => shelves.peek(id),

    async publish(connectionId) {
      const version = await database.transaction((trx) => publishRevision(trx, connectionId));
      if (!isClosed) await buildAtLeast(connectionId, version).catch(refuse);
    },

    heldBytes: shelves.byteLength,
    forget(connectionId) {
      forgotten.add(connectionId);
      shelves.forget(connectionId);
    },

    async close() {
      isClosed = true;
      await builder.close();
    },
  };
}
