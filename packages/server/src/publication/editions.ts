import type { Graph } from "../graph/graph.ts";
import type { Clock } from "../model/clock.ts";

/** A graph as it was published, whole. */
export interface Published {
  readonly graph: Graph;
  /** The store's revision that the graph was built from: the same edition is the same graph, on every instance. */
  readonly edition: number;
}

/** Milliseconds for which a graph stays readable after a newer one took its place (GRAPH-12). */
export const editionGrace = 60_000;

/** The editions of one connection's graph that this instance holds. */
export interface Editions {
  /** The newest; null until the first was placed, and after it was let go. */
  latest(): Published | null;
  /** The edition, if it is the newest or was until `editionGrace` ago at most. */
  find(edition: number): Published | null;
  /** Makes this the newest. The one before stays for a while, whole and unchanged. */
  place(published: Published): void;
  /** Lets go of what is too old to be asked for. */
  prune(): void;
  /** Lets go of the newest as well, unless somebody went on reading a list in it within `editionGrace`. */
  letGo(): void;
  /** Bytes that all of them take up. */
  byteLength(): number;
}

export function createEditions(clock: Clock): Editions {
  let latest: Published | null = null;
  let older: { readonly published: Published; readonly replacedAt: number }[] = [];
  let pagedAt = Number.NEGATIVE_INFINITY;

  const prune = () => {
    const oldest = clock() - editionGrace;
    older = older.filter(({ replacedAt }) => replacedAt >= oldest);
  };

  return {
    latest: () => latest,
    find(edition) {
      if (latest?.edition === edition) {
        pagedAt = clock();
        return latest;
      }
      prune();
      return older.find(({ published }) => published.edition === edition)?.published ?? null;
    },
    place(published) {
      if (latest) older.push({ published: latest, replacedAt: clock() });
      latest = published;
    },
    prune,
    letGo() {
      if (pagedAt < clock() - editionGrace) latest = null;
    },
    byteLength: () =>
      [latest, ...older.map(({ published }) => published)].reduce(
        (sum, published) => sum + (published?.graph.byteLength ?? 0),
        0,
      ),
  };
}
