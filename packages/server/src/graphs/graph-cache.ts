import type { Graph } from "@clew/graph";
import type { Clock } from "../model/runtime.ts";
import type { GraphTexts } from "../texts/text-snapshots.ts";

/** A graph that was built. */
export interface BuiltGraph {
  readonly graph: Graph;
  /** The store's revision that the graph was built from: the same version is the same graph on every instance. */
  readonly version: number;
}

/** A graph as it was published, whole. */
export interface PublishedGraph extends BuiltGraph {
  readonly texts: Pick<GraphTexts, "snapshot" | "refresh" | "byteLength">;
}

/** Milliseconds for which a replaced graph stays readable (GRAPH-12). */
export const versionGraceMs = 60_000;

/** The versions of one connection's graph that this instance holds. */
export function createGraphVersions(clock: Clock) {
  let latest: PublishedGraph | null = null;
  let older: { readonly published: PublishedGraph; readonly replacedAt: number }[] = [];
  let pagedAt = Number.NEGATIVE_INFINITY;

  /** Adds up bytes of the versions that are held. */
  function sum(bytes: (published: PublishedGraph) => number): number {
    let total = latest === null ? 0 : bytes(latest);
    for (const { published } of older) total += bytes(published);
    return total;
  }

  /** Drops versions whose time is over. */
  function prune(): void {
    const oldest = clock() - versionGraceMs;
    older = older.filter(({ replacedAt }) => replacedAt >= oldest);
  }

  return {
    /** The newest; null before the first was placed and after it was released. */
    latest: () => latest,
    /** The version, if it is the newest or was replaced at most `versionGraceMs` ago. */
    find(version: number): PublishedGraph | null {
      if (latest?.version === version) {
        pagedAt = clock();
        return latest;
      }
      prune();
      return older.find(({ published }) => published.version === version)?.published ?? null;
    },
    /** Makes this the newest. The one before stays readable for a while, unchanged. */
    place(published: PublishedGraph): void {
      if (latest) older.push({ published: latest, replacedAt: clock() });
      latest = published;
    },
    prune,
    /** Drops the newest as well, unless a list was read in it within `versionGraceMs`. */
    release(): void {
      if (pagedAt < clock() - versionGraceMs) latest = null;
    },
    has: (graph: Graph) =>
      latest?.graph === graph || older.some(({ published }) => published.graph === graph),
    byteLength: () => sum(bytesOf),
    textBytes: () => sum(({ texts }) => texts.byteLength()),
  };
}

const bytesOf = ({ graph, texts }: PublishedGraph) => graph.byteLength + texts.byteLength();

type GraphVersions = ReturnType<typeof createGraphVersions>;

/**
 * The graphs in memory: the versions of each connection, all within a budget of bytes. Not an lru-cache: the graph placed
 * last stays whatever its size, and so does one in which a list is being read (GRAPH-12).
 */
export function createGraphCache(clock: Clock, budget: number) {
  /** In order of their last use. */
  const byConnection = new Map<number, GraphVersions>();

  /** A connection's versions, marked as used. */
  function use(connectionId: number): GraphVersions {
    const versions = byConnection.get(connectionId) ?? createGraphVersions(clock);
    byConnection.delete(connectionId);
    byConnection.set(connectionId, versions);
    return versions;
  }

  /** Adds up bytes of all connections. */
  function sum(bytes: (versions: GraphVersions) => number): number {
    let total = 0;
    for (const versions of byConnection.values()) total += bytes(versions);
    return total;
  }

  const byteLength = () => sum((versions) => versions.byteLength());

  function removeIfEmpty(connectionId: number, versions: GraphVersions): void {
    if (versions.byteLength() === 0) byConnection.delete(connectionId);
  }

  function releaseOldest(placed: GraphVersions): void {
    let held = byteLength();
    for (const [connectionId, versions] of byConnection) {
      if (held <= budget) return;
      if (versions === placed) continue;
      held -= versions.byteLength();
      versions.release();
      held += versions.byteLength();
      removeIfEmpty(connectionId, versions);
    }
  }

  return {
    use,
    /** A connection's newest graph, without marking it as used; null if it is not held. */
    peek: (connectionId: number) => byConnection.get(connectionId)?.latest() ?? null,
    /** Makes this a connection's newest graph. Over the budget, the graphs used longest ago are released. */
    place(connectionId: number, published: PublishedGraph): void {
      const versions = use(connectionId);
      versions.place(published);
      versions.prune();
      releaseOldest(versions);
    },
    /** Bytes of the graphs' columns, and of their snapshots of the text index. Both are in the budget. */
    bytes(): { readonly graphs: number; readonly texts: number } {
      const texts = sum((versions) => versions.textBytes());
      return { graphs: byteLength() - texts, texts };
    },
    /** Drops those versions of a connection whose time is over. */
    prune(connectionId: number): void {
      const versions = byConnection.get(connectionId);
      if (versions === undefined) return;
      versions.prune();
      removeIfEmpty(connectionId, versions);
    },
    connectionIds: () => [...byConnection.keys()],
    holds: (connectionId: number, graph: Graph) => byConnection.get(connectionId)?.has(graph) ?? false,
    forget: (connectionId: number) => void byConnection.delete(connectionId),
  };
}
