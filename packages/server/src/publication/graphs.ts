import { buildGraph } from "../graph/build.ts";
import type { Awaitable } from "../model/awaitable.ts";
import type { Clock } from "../model/clock.ts";
import type { Connection } from "../model/connection.ts";
import { publishRevision } from "../store/connections.ts";
import type { Database } from "../store/database.ts";
import { readGraph } from "../store/graph-reading.ts";
import { createEditions, type Editions, type Published } from "./editions.ts";

/** The graphs that are served: each is built from the store, kept in memory, and replaced as a whole. */
export interface Graphs {
  /**
   * The newest graph of a connection, empty where nothing was synced yet. The first use on this instance waits for
   * it. Where another instance has published a newer one, this one is served until that is built.
   */
  current(connection: Connection): Awaitable<Published>;
  /** The graph of that edition, for whoever began to read it; null once it was replaced a minute or longer ago. */
  edition(connection: Connection, edition: number): Promise<Published | null>;
  /** What `current` would serve without waiting; null where that was not built yet. */
  loaded(connection: Connection): Published | null;
  /** Publishes what the store holds of a connection now, on this instance at once, on others when they are asked. */
  publish(connectionId: number): Promise<void>;
  /** Lets go of the graphs of a connection that is removed. */
  forget(connectionId: number): void;
}

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  /** Told why a newer graph could not be built in the background. The older one serves on, the next use tries again. */
  readonly onError?: (error: unknown) => void;
}

export function createGraphs({ database, clock, onError = () => {} }: Parts): Graphs {
  const shelves = new Map<number, Editions>();
  const builds = new Map<number, Promise<Published>>();
  // A build under way must not bring back what is forgotten. Connection ids are never used again.
  const forgotten = new Set<number>();

  function editionsOf(connectionId: number): Editions {
    const known = shelves.get(connectionId);
    if (known) return known;
    const editions = createEditions(clock);
    shelves.set(connectionId, editions);
    return editions;
  }

  async function build(connectionId: number): Promise<Published> {
    const stored = await readGraph(database.read, connectionId);
    const published = { graph: buildGraph(stored), edition: stored.revision };
    if (!forgotten.has(connectionId)) editionsOf(connectionId).place(published);
    // Graphs are large and are let go of where they are made, not only where they are asked for.
    for (const shelf of shelves.values()) shelf.prune();
    return published;
  }

  /** Starts to build, or joins whoever has. A build that fails is forgotten: the next one starts afresh. */
  function buildOnce(connectionId: number): Promise<Published> {
    const underWay = builds.get(connectionId);
    if (underWay) return underWay;
    const started = build(connectionId).finally(() => builds.delete(connectionId));
    builds.set(connectionId, started);
    return started;
  }

  /** A build under way may have read the store before `edition` was there: then another one follows it. */
  async function buildAtLeast(connectionId: number, edition: number): Promise<Published> {
    const underWay = await builds.get(connectionId)?.catch(() => null);
    const latest = underWay ?? editionsOf(connectionId).latest();
    return latest && latest.edition >= edition ? latest : buildOnce(connectionId);
  }

  return {
    current({ id, publishedRevision }) {
      const latest = editionsOf(id).latest();
      if (!latest) return buildOnce(id);
      if (latest.edition < publishedRevision && !builds.has(id)) buildOnce(id).catch(onError);
      return latest;
    },

    async edition({ id }, edition) {
      const found = editionsOf(id).find(edition);
      if (found) return found;
      const latest = editionsOf(id).latest();
      // Another instance may be ahead of this one, which then has to catch up first.
      if (!latest || latest.edition < edition) await buildAtLeast(id, edition);
      return editionsOf(id).find(edition);
    },

    loaded: ({ id }) => editionsOf(id).latest(),

    async publish(connectionId) {
      const edition = await database.transaction((trx) => publishRevision(trx, connectionId));
      await buildAtLeast(connectionId, edition);
    },

    forget(connectionId) {
      forgotten.add(connectionId);
      shelves.delete(connectionId);
    },
  };
}
