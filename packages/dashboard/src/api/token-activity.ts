import type { Client, TokenActivity } from "@clew/client";
import type { ActivityEvent } from "@clew/contract";
import { queryOptions, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { clewUrl } from "../session/urls.ts";
import { useApp } from "./app-context.ts";
import { followEvents } from "./event-stream.ts";
import { withEvent } from "./merged-activity.ts";
import { usePageHidden } from "./page-visibility.ts";

/** Milliseconds between two readings of the whole, which corrects what events do not tell. */
const refreshMs = 60_000;

/** The query of what a token has read. */
const tokenActivityQuery = (api: Client, id: number) =>
  queryOptions({
    queryKey: ["token-activity", id],
    queryFn: ({ signal }) => api.getTokenActivity({ id: String(id) }, { signal }),
    refetchInterval: refreshMs,
  });

/** Reads what a token has read, and keeps it current by its event stream. */
export function useTokenActivity(id: number): UseQueryResult<TokenActivity> {
  const { api } = useApp();
  const client = useQueryClient();
  const options = tokenActivityQuery(api, id);
  const query = useQuery(options);
  const isKept = query.data !== undefined && query.data.days > 0;
  useActivityEvents(isKept ? id : null, query.data?.last_event_id ?? null, (number, event) => {
    client.setQueryData(options.queryKey, (before) => before && withEvent(before, number, event));
  });
  return query;
}

/**
 * Calls back with each event of a token's activity, with the number of its latest call, while the page is shown. It begins after the call
 * `lastId`; null for the calls from now on. Follows nothing if the token is null.
 */
function useActivityEvents(
  id: number | null,
  lastId: string | null,
  onEvent: (number: number, event: ActivityEvent) => void,
): void {
  const { keeper } = useApp();
  const isHidden = usePageHidden();
  const isFollowed = id !== null && !isHidden;
  // Only the first id counts: the stream knows the later ones, and the callback may be another one each time.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!isFollowed) return;
    const ended = new AbortController();
    const url = new URL(`api/tokens/${id}/activity/events`, clewUrl);
    const listeners = {
      onEvent: (number: string, data: string) => onEvent(Number(number), JSON.parse(data)),
      onLoss() {},
    };
    void followEvents(keeper.fetch, url, listeners, ended.signal, lastId);
    return () => ended.abort();
  }, [id, isFollowed, keeper]);
}
