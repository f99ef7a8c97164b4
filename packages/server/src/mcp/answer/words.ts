import type { ReadableGraph } from "../../graph-cache/readable.ts";
import type { Connection } from "../../model/connection.ts";
import { visibleText } from "../../model/visible-text.ts";
import { formatTimestamp } from "../../present/values.ts";
import type { ToolCall } from "../tool-call.ts";
import { estimateTokens, tokensPerUnit } from "./tokens.ts";

/*
 * How answers name pages, places and times.
 */

interface NamedPage {
  readonly id: string;
  readonly title: string;
  readonly type?: string;
}

const titleTokens = 30;

/** A title or another short text of a page, without hidden characters, on one line and cut to size. */
export function oneLine(given: string, maxTokens = titleTokens): string {
  const { text } = visibleText(given);
  const line = /[\s\p{Cc}]{2}|[^\S ]|\p{Cc}|^ | $/u.test(text)
    ? text.replace(/[\s\p{Cc}]+/gu, " ").trim()
    : text;
  if (tokensPerUnit * line.length < maxTokens) return line;
  let end = Math.min(line.length, maxCharsOf(maxTokens));
  if (end === line.length && estimateTokens(line) <= maxTokens) return line;
  while (end > 1 && estimateTokens(line.slice(0, end)) > maxTokens - 1) end = Math.floor(0.8 * end);
  return `${line.slice(0, end).toWellFormed().trimEnd()}…`;
}

/** As many characters as fit into tokens at most. */
const maxCharsOf = (tokens: number): number => 6 * tokens;

const title = (text: string): string => oneLine(text) || "Untitled";

/** `Jupiter [8dd2c1fe]`, the form in which tools take pages too. */
export function pageName(graphs: readonly ReadableGraph[], { id, title: text, type }: NamedPage): string {
  const kind = type === "database" ? " (database)" : "";
  return `${title(text)} [${shortId(graphs, id)}]${kind}`;
}

/** The last digits of an id: eight, or as many as no other readable page shares. */
export function shortId(graphs: readonly ReadableGraph[], id: string): string {
  const digits = id.replaceAll("-", "");
  for (let length = 8; length < digits.length; length += 1) {
    const short = digits.slice(-length);
    const sharing = idsEndingIn(graphs, short);
    if (sharing.every((other) => other === id)) return short;
  }
  return digits;
}

/** The readable pages whose ids end in these digits. */
export function idsEndingIn(graphs: readonly ReadableGraph[], digits: string): readonly string[] {
  return [...new Set(graphs.flatMap(({ graph }) => graph.idsEndingIn(digits)))];
}

const maxAncestors = 3;
const ancestorTokens = 15;

/** Where a page is: `Solar System › Planets`. Empty at the top of the only readable workspace. */
export function placeOf(graphs: readonly ReadableGraph[], id: string): string {
  const source = graphs.find(({ graph }) => graph.has(id));
  if (source === undefined) return "";
  const ancestors = source.graph.breadcrumb(id, maxAncestors + 1).map((node) => nameInPlace(node.title));
  const nearest = ancestors.length > maxAncestors ? ["…", ...ancestors.slice(-maxAncestors)] : ancestors;
  const workspace = graphs.length > 1 ? [workspaceName(source.connection)] : [];
  return [...workspace, ...nearest].join(" › ");
}

/** A title as places show it. */
export const nameInPlace = (text: string): string => oneLine(text, ancestorTokens) || "Untitled";

export const workspaceName = ({ name, workspaceId }: Pick<Connection, "name" | "workspaceId">): string =>
  oneLine(name ?? "") || workspaceId;

/** A count with its noun. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${thousands(number)} ${number === 1 ? one : many}`;

const thousands = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, " ");

/** The day of a time, in UTC. */
export const day = (milliseconds: number): string => formatTimestamp(milliseconds).slice(0, 10);

/** A time, in UTC. */
export const minute = (milliseconds: number): string =>
  formatTimestamp(milliseconds).slice(0, 16).replace("T", " ");

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
    ...(sync.state === "running" || sync.state === "waiting" ? [progressOf(connection)] : []),
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
