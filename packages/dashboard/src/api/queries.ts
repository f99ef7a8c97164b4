import type { Client } from "@clew/client";
import { queryOptions } from "@tanstack/react-query";

/** The queries that more than one view makes. */

export const meQuery = (api: Client) =>
  queryOptions({ queryKey: ["me"], queryFn: ({ signal }) => api.getMe({}, { signal }) });

export const workspacesQuery = (api: Client) =>
  queryOptions({
    queryKey: ["workspaces"],
    queryFn: async ({ signal }) => (await api.listWorkspaces({}, { signal })).items,
  });
