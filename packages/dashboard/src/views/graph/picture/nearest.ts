import type { Client, Neighbors, Node } from "@clew/client";
import { type LinkKind, linkKinds } from "../../../api/link-kinds.ts";
import { mostGroups, mostNeighbours } from "./groups.ts";
import { type Regions, readRegions } from "./regions.ts";
import { foldHubs, mostNodes } from "./scene.ts";

const perCall = 200;
/** Neighbours of a hub that are read to be counted. */
const mostCounted = 5000;

type Items = readonly Neighbors["items"][number][];

/** The pages around a page, with their regions. */
export interface Nearest {
  readonly items: Items;
  /** The pages around a hub are one step away, and are shown in groups. */
  readonly isHub: boolean;
  /** Whether there are more pages than were read. */
  readonly isCut: boolean;
  readonly regions: Regions;
}

interface Wanted {
  readonly depth: 1 | 2;
  readonly kinds: readonly LinkKind[];
}

/** Reads the pages around a page: as many as a picture holds, or all neighbours of a hub. */
export async function readNearest(
  api: Client,
  page: Node & { readonly breadcrumb: readonly { readonly id: string; readonly title: string }[] },
  { depth, kinds }: Wanted,
  signal: AbortSignal,
): Promise<Nearest> {
  const edgeType = kinds.length === linkKinds.length ? undefined : kinds.join(",");
  const around = (steps: number, most: number) =>
    readItems(api, { id: page.id, depth: steps, edge_type: edgeType }, most, signal);
  const first = kinds.length === 0 ? { items: [], isCut: false } : await around(1, mostCounted);
  const isHub = first.items.length > mostNeighbours;
  const found = depth === 1 || isHub || kinds.length === 0 ? first : await around(depth, 2 * mostNodes);
  const items = isHub ? found.items : foldHubs(found.items);
  const above = page.breadcrumb.map((each, index, all) => ({
    ...each,
    parent_id: all[index - 1]?.id ?? null,
  }));
  const regions = await readRegions(
    api,
    items.map(({ node }) => node),
    { known: [...above, page], most: isHub ? mostGroups : Number.POSITIVE_INFINITY, signal },
  );
  return { items, isHub, isCut: found.isCut, regions };
}

async function readItems(
  api: Client,
  wanted: { readonly id: string; readonly depth: number; readonly edge_type: string | undefined },
  most: number,
  signal: AbortSignal,
) {
  const items: Neighbors["items"] = [];
  let cursor: string | null = null;
  let isCut = false;
  do {
    const part: Neighbors = await api.listNeighbors(
      { ...wanted, limit: perCall, cursor: cursor ?? undefined },
      { signal },
    );
    items.push(...part.items);
    cursor = part.next_cursor;
    isCut ||= part.truncated;
  } while (cursor !== null && items.length < most);
  return { items, isCut: isCut || cursor !== null };
}
