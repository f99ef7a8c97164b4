import type { Client } from "@clew/client";
import { referenceTypes } from "../../api/link-kinds.ts";

/** A page of the map, by its position. */
export interface MapPage {
  readonly position: number;
  readonly id: string;
  readonly title: string;
}

/** The facts that the map itself does not have: ids, titles and links. Each is asked for once, and titles for all labels at once. */
export interface MapNames {
  known(position: number): MapPage | undefined;
  /** Null if the map has been replaced by a newer one. */
  page(position: number): Promise<MapPage | null>;
  /** At most 100. */
  load(positions: readonly number[]): Promise<void>;
  /** The positions of the pages that a page is linked with. */
  linkedWith(page: MapPage): Promise<readonly number[]>;
}

/** The size of a map up to which one call names its pages. */
const pagesAtOnce = 1000;
const mostLinks = 100;

export function createMapNames(
  api: Client,
  { workspace, graphVersion, count }: { workspace: string; graphVersion: number; count: number },
): MapNames {
  const pages = new Map<number, MapPage>();
  const calls = new Map<number, Promise<unknown>>();
  const links = new Map<string, Promise<readonly number[]>>();
  /** The positions of a small map, which is named as a whole. */
  const all = Array.from({ length: count <= pagesAtOnce ? count : 0 }, (_, position) => position);

  const keep = (found: { graph_version: number; items: readonly MapPage[] }) => {
    if (found.graph_version !== graphVersion) return [];
    for (const page of found.items) pages.set(page.position, page);
    return found.items;
  };

  /** Asks for pages that were not asked for, and waits for all. */
  async function load(positions: readonly number[]): Promise<void> {
    const wanted = all.length > 0 ? all : positions;
    const missing = wanted.filter((position) => !calls.has(position));
    if (missing.length > 0) {
      const query = all.length > 0 ? { count: pagesAtOnce } : { positions: missing.join(",") };
      const call = api.listMapPages({ id: workspace, ...query }).then(keep);
      for (const position of missing) calls.set(position, call);
      call.catch(() => {
        for (const position of missing) calls.delete(position);
      });
    }
    await Promise.allSettled(positions.map((position) => calls.get(position)));
  }

  return {
    known: (position) => pages.get(position),
    async page(position) {
      if (!pages.has(position)) await load([position]);
      return pages.get(position) ?? null;
    },
    load,
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
    const { items } = await api.listNeighbors({ id, edge_type: referenceTypes, limit: mostLinks });
    if (items.length === 0) return [];
    const ids = items.map(({ node }) => node.id).join(",");
    return keep(await api.listMapPages({ id: workspace, ids })).map(({ position }) => position);
  }
}
