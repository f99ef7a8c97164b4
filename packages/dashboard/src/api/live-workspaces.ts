import type { SyncProgress, Workspace } from "@clew/client";
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { clewUrl } from "../session/urls.ts";
import { useApp } from "./app-context.ts";
import { usePageHidden } from "./page-visibility.ts";
import { workspacesQuery } from "./queries.ts";
import { isSyncing, learnProgress } from "./sync-progress.ts";
import { followSync } from "./sync-stream.ts";

/** Milliseconds between polls: during a sync without a stream, and otherwise. */
const syncPollMs = 1_000;
const idlePollMs = 30_000;

/** The workspaces, kept current: by the event stream of a single running sync, and by polling otherwise. */
export function useLiveWorkspaces(): UseQueryResult<Workspace[]> {
  const { api, keeper } = useApp();
  const client = useQueryClient();
  const isHidden = usePageHidden();
  const [isStreaming, setStreaming] = useState(false);
  const { queryKey } = workspacesQuery(api);
  const query = useQuery({
    ...workspacesQuery(api),
    refetchInterval: ({ state }) =>
      !isStreaming && (state.data ?? []).some(({ sync }) => isSyncing(sync)) ? syncPollMs : idlePollMs,
  });
  const [only, ...others] = (query.data ?? []).filter(({ sync }) => isSyncing(sync));
  // Several syncs are followed by polling.
  const followed = only !== undefined && others.length === 0 && !isHidden ? only.id : null;

  useEffect(() => {
    if (followed === null) return;
    const ended = new AbortController();
    const learn = (sync: SyncProgress) => {
      setStreaming(true);
      learnProgress(client, queryKey, followed, sync);
    };
    const lose = () => {
      setStreaming(false);
      void client.invalidateQueries({ queryKey });
    };
    const url = new URL(`api/provider-graph/workspaces/${encodeURIComponent(followed)}/events`, clewUrl);
    void followSync(keeper.fetch, url, { onProgress: learn, onLoss: lose }, ended.signal);
    return () => {
      ended.abort();
      setStreaming(false);
    };
  }, [followed, client, keeper, queryKey[0]]);

  return query;
}
