import type { Client, Node } from "@clew/client";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/app-context.ts";
import { titleOf } from "./page-name.tsx";

/** Levels above a page that its place names. */
const maxLevels = 6;
const idsPerCall = 100;

/** Reads the pages above the given ones, a level at a time. */
async function readAbove(
  api: Pick<Client, "getPages">,
  parents: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Node>> {
  const known = new Map<string, Node>();
  let wanted: readonly string[] = parents.slice(0, idsPerCall);
  for (let level = 0; level < maxLevels && wanted.length > 0; level += 1) {
    const { items } = await api.getPages({ ids: wanted.join(",") }, { signal });
    for (const node of items) known.set(node.id, node);
    const above = items.flatMap(({ parent_id: id }) => (id === null || known.has(id) ? [] : [id]));
    wanted = [...new Set(above)].slice(0, idsPerCall);
  }
  return known;
}

/** Where each of some pages is: the titles above it, root first. Empty until they are read. */
export function usePlaces(nodes: readonly Node[]): (node: Node) => readonly string[] {
  const api = useApi();
  const parents = [...new Set(nodes.flatMap(({ parent_id: id }) => (id === null ? [] : [id])))].toSorted();
  const { data } = useQuery({
    ...queryOptions({
      queryKey: ["places", parents],
      queryFn: ({ signal }) => readAbove(api, parents, signal),
      staleTime: 60_000,
      placeholderData: keepPreviousData,
    }),
    enabled: parents.length > 0,
  });
  return ({ parent_id: parent }) => {
    const titles: string[] = [];
    for (let above = data?.get(parent ?? ""); above !== undefined && titles.length < maxLevels; ) {
      titles.unshift(titleOf(above));
      above = data?.get(above.parent_id ?? "");
    }
    return titles;
  };
}
