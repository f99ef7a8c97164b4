import type { Client } from "@clew/client";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { referenceTypes } from "../../../api/link-kinds.ts";

/** The first pages that a page links to, without the sentences. */
export const linksQuery = (api: Client, id: string) =>
  queryOptions({
    queryKey: ["links", id],
    queryFn: ({ signal }) =>
      api.listNeighbors({ id, direction: "out", edge_type: referenceTypes, limit: 200 }, { signal }),
  });

/** Links of a page in one direction, with the sentences around them. */
export const excerptsQuery = (
  api: Client,
  { id, direction, kinds }: { id: string; direction: "in" | "out"; kinds: string },
) =>
  infiniteQueryOptions({
    queryKey: ["excerpts", id, direction, kinds],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.listNeighbors(
        { id, direction, edge_type: kinds, excerpts: true, limit: 20, cursor: cursor ?? undefined },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
