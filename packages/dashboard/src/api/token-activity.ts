import type { ActivityCall, Client, TokenActivity } from "@clew/client";
import type { ActivityEvent } from "@clew/contract";
import { queryOptions, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { clewUrl } from "../session/urls.ts";
import { useApp } from "./app-context.ts";
import { followEvents } from "./event-stream.ts";
import { usePageHidden } from "./page-visibility.ts";

/** Milliseconds between two readings of the whole, which corrects what events do not tell. */
const refreshMs = 60_000;

const hourMs = 3_600_000;

/** What a token has read. */
const tokenActivityQuery = (api: Client, id: number) =>
  queryOptions({
    queryKey: ["token-activity", id],
    queryFn: ({ signal }) => api.getTokenActivity({ id: String(id) }, { signal }),
    refetchInterval: refreshMs,
  });

/** What a token has read, kept current by its event stream. */
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
export function useActivityEvents(
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

/** The latest calls that are kept here, as many as Clew keeps. */
const keptCalls = 500;

/** An activity with the calls of an event that it lacks. Pages that were read more than once are known only after the next reading. */
export function withEvent(
  before: TokenActivity,
  number: number,
  { calls, week }: ActivityEvent,
): TokenActivity {
  // Calls up to this one are in it already.
  const known = Number(before.last_event_id);
  const newCalls = number <= known ? [] : calls.slice(-(number - known));
  if (newCalls.length === 0) return { ...before, week };
  return {
    ...before,
    calls: before.calls + newCalls.length,
    refused: before.refused + newCalls.filter(isRefused).length,
    pages: Math.max(before.pages, week.pages),
    week,
    hours: newCalls.reduce(withCall, before.hours),
    latest: [...newCalls.toReversed(), ...before.latest].slice(0, keptCalls),
    last_event_id: String(number),
  };
}

type Hours = TokenActivity["hours"];

function withCall(hours: Hours, call: ActivityCall): Hours {
  const at = new Date(Math.floor(Date.parse(call.at) / hourMs) * hourMs).toISOString();
  const { operation } = call;
  const refused = isRefused(call) ? 1 : 0;
  const index = hours.findIndex((hour) => hour.at === at && hour.operation === operation);
  const found = hours[index];
  if (found === undefined) return [...hours, { at, operation, calls: 1, refused }];
  return hours.with(index, { ...found, calls: found.calls + 1, refused: found.refused + refused });
}

/** Whether a call was refused: for its credentials, its scopes, or because there were too many. */
export const isRefused = ({ status }: Pick<ActivityCall, "status">): boolean =>
  status === 401 || status === 403 || status === 429;
