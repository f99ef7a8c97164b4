import { type Connection, isUnderWay } from "../../model/connection.ts";
import { workspaceName } from "../../operations/page-names.ts";
import { formatTimestamp } from "../../present/values.ts";
import type { ToolCall } from "../tool-call.ts";

/*
 * How answers state counts, times and freshness.
 */

/** A count with its noun. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${thousands(number)} ${number === 1 ? one : many}`;

const thousands = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, " ");

/** The day of a time, in UTC. */
export const day = (milliseconds: number): string => formatTimestamp(milliseconds).slice(0, 10);

/** The hour and minute of a time, in UTC. */
export const timeOfDay = (milliseconds: number): string => formatTimestamp(milliseconds).slice(11, 16);

const spans = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "min", ms: 60_000 },
] as const;

function ago(time: number, now: number): string {
  const span = spans.find(({ ms }) => now - time >= ms);
  return span === undefined ? "just now" : `${Math.floor((now - time) / span.ms)} ${span.name} ago`;
}

/** The last line of most answers: how fresh the graphs are that it was made from. The only readable workspace needs no name. */
export function freshness(
  { graphs, now }: Pick<ToolCall, "graphs" | "now">,
  ids?: readonly string[],
): string {
  const sources = graphs.filter(({ graph }) => ids === undefined || ids.some((id) => graph.has(id)));
  const describe = graphs.length > 1 ? freshnessOf : ageOf;
  const shown = sources.slice(0, 3).map(({ connection }) => describe(connection, now));
  const others = sources.length - shown.length;
  return `(${[...shown, ...(others > 0 ? [`and ${count(others, "other workspace")}`] : [])].join("; ") || "No workspace is readable"})`;
}

/** How fresh one workspace is, with its name. */
export const freshnessOf = (connection: Connection, now: number): string =>
  `${workspaceName(connection)}: ${ageOf(connection, now)}`;

function ageOf(connection: Connection, now: number): string {
  const { lastSyncedAt, completeAsOf, sync, status } = connection;
  const parts = [
    lastSyncedAt === null ? "not synced yet" : `synced ${ago(lastSyncedAt, now)}`,
    ...(sync.outcome === "incomplete" || sync.outcome === "failed" ? [incomplete(completeAsOf, now)] : []),
    ...(isUnderWay(connection) ? [progressOf(connection)] : []),
    ...(status === "needs_reauth" ? ["no longer updated: it must be connected again"] : []),
  ];
  return parts.join(", ");
}

const incomplete = (completeAsOf: number | null, now: number): string =>
  completeAsOf === null ? "not complete" : `not complete since ${ago(completeAsOf, now)}`;

function progressOf({ sync: { phase, done, total } }: Connection): string {
  const what = phase === "content" ? "texts" : "titles";
  return `now reading ${what}, ${done}${total === null ? "" : ` of ${total}`}`;
}
