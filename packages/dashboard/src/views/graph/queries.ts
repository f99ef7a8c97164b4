import type { Client } from "@clew/client";
import { queryOptions } from "@tanstack/react-query";
import { importantPages, recentChanges } from "../../api/early-requests.ts";

/** The queries that several parts of the graph make. */

export const pageQuery = (api: Client, id: string) =>
  queryOptions({ queryKey: ["page", id], queryFn: ({ signal }) => api.getPage({ id }, { signal }) });

/** The most important pages of all workspaces. */
export const importantQuery = (api: Client) =>
  queryOptions({
    queryKey: ["important"],
    queryFn: async ({ signal }) =>
      (await api.searchPages(importantPages, { signal })).items.map(({ node }) => node),
  });

export const recentQuery = (api: Client) =>
  queryOptions({
    queryKey: ["recent"],
    queryFn: async ({ signal }) => (await api.listRecentChanges(recentChanges, { signal })).items,
  });

/** A path to show at the start; null if there is none. */
export const proposedPathQuery = (api: Client) =>
  queryOptions({
    queryKey: ["proposed path"],
    queryFn: async ({ signal }) => (await api.proposePath({}, { signal })).path,
  });
