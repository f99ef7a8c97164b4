import type { Client } from "@clew/client";

/** A page of the map, by its position. */
export interface MapPage {
  readonly position: number;
  readonly id: string;
  readonly title: string;
}

/** What the map itself does not tell: ids, titles and links. Each is asked for once. */
export interface MapNames {
  known(position: number): MapPage | undefined;
  /** Null if the map has been replaced by a newer one. */
  page(position: number): Promise<MapPage | null>;
  load(positions: readonly number[]): Promise<void>;
  /** The positions of the pages that a page is linked with. */
  linkedWith(page: MapPage): Promise<readonly number[]>;
}

const pagesAtOnce = 1000;
const callsAtOnce = 4;
const mostLinks = 100;

export function createMapNames(
  api: Client,
  { workspace, graphVersion, count }: { workspace: string; graphVersion: number; count: number },
): MapNames {
  const pages = new Map<number, MapPage>();
  const ranges = new Map<number, Promise<void>>();
  const links = new Map<string, Promise<readonly number[]>>();
  // In a small workspace a few calls have all titles; in a large one only those that are shown are asked for.
  const length = count <= 5 * pagesAtOnce ? pagesAtOnce : 1;

  const keep = (found: { graph_version: number; items: readonly MapPage[] }) => {
    if (found.graph_version !== graphVersion) return [];
    for (const page of found.items) pages.set(page.position, page);
    return found.items;
  };

  function range(position: number): Promise<void> {
    const from = position - (position % length);
    const asked =
      ranges.get(from) ??
      api.listMapPages({ id: workspace, from, count: length }).then((found) => void keep(found));
    ranges.set(from, asked);
    asked.catch(() => ranges.delete(from));
    return asked;
  }

  return {
    known: (position) => pages.get(position),
    async page(position) {
      if (!pages.has(position)) await range(position).catch(() => {});
      return pages.get(position) ?? null;
    },
    async load(positions) {
      const missing = positions.filter((position) => !pages.has(position));
      const work = async () => {
        for (let next = missing.shift(); next !== undefined; next = missing.shift())
          await range(next).catch(() => {});
      };
      await Promise.all(Array.from({ length: callsAtOnce }, work));
    },
    linkedWith({ id, position }) {
      const asked = links.get(id) ?? linked(id);
      links.set(id, asked);
      asked.catch(() => links.delete(id));
      return asked.then(
        (found) => found.filter((each) => each !== position),
        () => [],
      );
    },
  };

  async function linked(id: string): Promise<readonly number[]> {
    const { items } = await api.listNeighbors({ id, edge_type: "link,mention,relation", limit: mostLinks });
    if (items.length === 0) return [];
    const ids = items.map(({ node }) => node.id).join(",");
    return keep(await api.listMapPages({ id: workspace, ids })).map(({ position }) => position);
  }
}
