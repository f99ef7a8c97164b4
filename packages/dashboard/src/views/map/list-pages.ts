import type { Client } from "@clew/client";
import { queryOptions } from "@tanstack/react-query";
import type { MapNames } from "./map-names.ts";
import type { MapList } from "./map-params.ts";

/** The pages of a list that are coloured, and those that one call lists. */
const mostListed = 1000;
const perCall = 100;

/** The time without an edit after which a page is stale. */
const staleSpan = "180d";

/** The pages of a list as positions on the map. */
export const listQuery = (api: Client, workspace: string, names: MapNames, list: MapList | null) =>
  queryOptions({
    queryKey: ["map list", workspace, list],
    queryFn: async ({ signal }) => {
      const filter = list === "stale" ? { updated_before: staleSpan } : { is: list ?? "" };
      const query = { ...filter, workspace_id: workspace, limit: perCall, sort: "importance" as const };
      const ids: string[] = [];
      let cursor: string | null = null;
      do {
        const part: Awaited<ReturnType<Client["searchPages"]>> = await api.searchPages(
          { ...query, cursor: cursor ?? undefined },
          { signal },
        );
        ids.push(...part.items.map(({ node }) => node.id));
        cursor = part.next_cursor;
      } while (cursor !== null && ids.length < mostListed);
      const pages = await names.withIds(ids);
      return { positions: pages.map(({ position }) => position), isCut: cursor !== null };
    },
    enabled: list !== null,
  });
