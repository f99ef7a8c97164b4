import { oneLine as onOneLine } from "@clew/text/basics";
import type { ReadableGraph } from "../graphs/readable.ts";
import type { Connection } from "../model/connection.ts";
import { countTokens, tokensPerUnit } from "../model/tokens.ts";
import { visibleText } from "../model/visible-text.ts";

/*
 * How pages and places are named in texts for agents. What is printed in this form is taken back as a page (AGT-3).
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
  const line = /\s{2}|[^\S ]|^ | $/.test(text) ? onOneLine(text) : text;
  if (tokensPerUnit * line.length < maxTokens) return line;
  let end = Math.min(line.length, maxCharsOf(maxTokens));
  if (end === line.length && countTokens(line) <= maxTokens) return line;
  while (end > 1 && countTokens(line.slice(0, end)) > maxTokens - 1) end = Math.floor(0.8 * end);
  return `${line.slice(0, end).toWellFormed().trimEnd()}…`;
}

/** As many characters as fit into tokens at most. */
const maxCharsOf = (tokens: number): number => 6 * tokens;

const title = (text: string): string => oneLine(text) || "Untitled";

/** `Jupiter [8dd2c1fe]`, the form in which tools take pages too. */
export function pageName(graphs: readonly ReadableGraph[], { id, title: text, type }: NamedPage): string {
  const kind = type === "database" || type === "tag" ? ` (${type})` : "";
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

/** The place of a page: `Solar System › Planets`. Empty at the top of the only readable workspace. */
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
