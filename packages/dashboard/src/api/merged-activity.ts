import type { ActivityCall, TokenActivity } from "@clew/client";
import type { ActivityEvent } from "@clew/contract";

const hourMs = 3_600_000;

/** The latest calls that are kept here, as many as Clew keeps. */
const keptCalls = 500;

/** The most read pages that are kept here, as many as Clew lists. */
const keptPages = 20;

/** An activity with the calls of an event that it lacks. Pages that a call does not name are known only after the next reading. */
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
    most_read: newCalls
      .reduce(withPages, before.most_read)
      .toSorted((a, b) => b.reads - a.reads)
      .slice(0, keptPages),
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

type MostRead = TokenActivity["most_read"];

function withPages(mostRead: MostRead, { at, node_ids: ids }: ActivityCall): MostRead {
  const reads = new Map(mostRead.map((page) => [page.node_id, page.reads]));
  const read = ids.map((id) => ({ node_id: id, reads: (reads.get(id) ?? 0) + 1, read_at: at }));
  const isRead = new Set(ids);
  return [...read, ...mostRead.filter(({ node_id }) => !isRead.has(node_id))];
}

/** Whether a call was refused: for its credentials, its scopes, or because there were too many. */
export const isRefused = ({ status }: Pick<ActivityCall, "status">): boolean =>
  status === 401 || status === 403 || status === 429;
