import type { Client, Workspace } from "@clew/client";
import { queryOptions } from "@tanstack/react-query";
import { keepLearned } from "./sync-progress.ts";

/** The queries that more than one view makes. */

export const meQuery = (api: Client) =>
  queryOptions({ queryKey: ["me"], queryFn: ({ signal }) => api.getMe({}, { signal }) });

/** The sources that people can connect. They change only when Clew is started again. */
export const sourcesQuery = (api: Client) =>
  queryOptions({
    queryKey: ["sources"],
    queryFn: async ({ signal }) => (await api.getSignInStatus({}, { signal })).sources,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const workspacesQuery = (api: Client) =>
  queryOptions({
    queryKey: ["workspaces"],
    queryFn: async ({ signal, client, queryKey }) => {
      const before = client.getQueryData<Workspace[]>(queryKey);
      const { items } = await api.listWorkspaces({}, { signal });
      return keepLearned(items, before, client.getQueryData<Workspace[]>(queryKey));
    },
  });
