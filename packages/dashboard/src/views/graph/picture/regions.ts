import type { Client, Node } from "@clew/client";

/** The pages of a picture by the folder, database or page that contains them. */
export interface Regions {
  /** The region of each page, by id. */
  readonly regionOf: ReadonlyMap<string, Region>;
  /** The largest first. */
  readonly all: readonly Region[];
}

export interface Region {
  /** The id of what contains its pages; `top` for pages at the top level. */
  readonly key: string;
  /** Null where what contains its pages is not shared. */
  readonly title: string | null;
  readonly count: number;
  /** The number of its colour in the theme, from 1; 0 for small regions, which have none. */
  readonly colour: number;
}

export const topLevel = "top";
/** The number of colours in the theme. */
const regionColours = 7;
/** The most ids that one call takes. */
const idsPerCall = 100;
/** Levels that regions are moved up if there are too many. */
const mostLevels = 4;

type Placed = Pick<Node, "id" | "title" | "parent_id">;

/**
 * Reads the regions of pages. While there are more than `most`, those at the next higher level are taken instead. `known` are
 * pages whose titles need not be read.
 */
export async function readRegions(
  api: Pick<Client, "getPages">,
  pages: readonly Placed[],
  { known, most, signal }: { known: readonly Placed[]; most: number; signal: AbortSignal },
): Promise<Regions> {
  const found = new Map<string, Placed>([...known, ...pages].map((page) => [page.id, page]));
  let keys = new Map(pages.map(({ id, parent_id: parent }) => [id, parent ?? topLevel]));
  for (let level = 0; ; level += 1) {
    const distinct = [...new Set(keys.values())];
    const missing = distinct.filter((key) => key !== topLevel && !found.has(key));
    for (let at = 0; at < missing.length; at += idsPerCall) {
      const { items } = await api.getPages({ ids: missing.slice(at, at + idsPerCall) }, { signal });
      for (const page of items) found.set(page.id, page);
    }
    if (distinct.length <= most || level === mostLevels) return regionsOf(keys, found);
    const above = (key: string) => {
      const page = found.get(key);
      return page === undefined ? key : (page.parent_id ?? topLevel);
    };
    // Regions at the top level stay apart.
    keys = new Map([...keys].map(([id, key]) => [id, above(key) === topLevel ? key : above(key)]));
  }
}

/** Counts the pages of each region and colours the largest. */
export function regionsOf(
  keys: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, Pick<Placed, "title">>,
): Regions {
  const counts = new Map<string, number>();
  for (const key of keys.values()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const sorted = [...counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const all = sorted.map(([key, count], index) => ({
    key,
    title: found.get(key)?.title ?? null,
    count,
    colour: index < regionColours && count > 1 ? index + 1 : 0,
  }));
  const byKey = new Map(all.map((region) => [region.key, region]));
  const regionOf = new Map(
    [...keys].flatMap(([id, key]) => {
      const region = byKey.get(key);
      return region === undefined ? [] : [[id, region] as const];
    }),
  );
  return { regionOf, all };
}
