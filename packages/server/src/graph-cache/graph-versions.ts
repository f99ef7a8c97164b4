import type { Graph } from "@clew/graph";
import type { Clock } from "../model/runtime.ts";

/** A graph as it was published, whole. */
export interface PublishedGraph {
  readonly graph: Graph;
  /** The store's revision that the graph was built from: the same version is the same graph, on every instance. */
  readonly version: number;
}

/** Milliseconds for which a graph stays readable after a newer one took its place (GRAPH-12). */
export const versionGraceMs = 60_000;

/** The versions of one connection's graph that this instance holds. */
export interface GraphVersions {
  /** The newest; null until the first was placed, and after it was let go. */
  latest(): PublishedGraph | null;
  /** The version, if it is the newest or was until `versionGraceMs` ago at most. */
  find(version: number): PublishedGraph | null;
  /** Makes this the newest. The one before stays for a while, whole and unchanged. */
  place(published: PublishedGraph): void;
  /** Lets go of what is too old to be asked for. */
  prune(): void;
  /** Lets go of the newest as well, unless somebody went on reading a list in it within `versionGraceMs`. */
  release(): void;
  /** Bytes that all of them take up. */
  byteLength(): number;
}

export function createGraphVersions(clock: Clock): GraphVersions {
  let latest: PublishedGraph | null = null;
  let older: { readonly published: PublishedGraph; readonly replacedAt: number }[] = [];
  let pagedAt = Number.NEGATIVE_INFINITY;

  const prune = () => {
    const oldest = clock() - versionGraceMs;
    older = older.filter(({ replacedAt }) => replacedAt >= oldest);
  };

  return {
    latest: () => latest,
    find(version) {
      if (latest?.version === version) {
        pagedAt = clock();
        return latest;
      }
      prune();
      return older.find(({ published }) => published.version === version)?.published ?? null;
    },
    place(published) {
      if (latest) older.push({ published: latest, replacedAt: clock() });
      latest = published;
    },
    prune,
    release() {
      if (pagedAt < clock() - versionGraceMs) latest = null;
    },
    byteLength: () =>
      [latest, ...older.map(({ published }) => published)].reduce(
        (sum, published) => sum + (published?.graph.byteLength ?? 0),
        0,
      ),
  };
}
