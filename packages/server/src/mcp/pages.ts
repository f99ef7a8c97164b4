import { fold, type GraphNode, parseNodeId, search } from "@clew/graph";
import { type LocatedNode, locateNode } from "../graph-cache/readable.ts";
import { ApiError } from "../model/api-error.ts";
import { coverageOf } from "./answer/coverage.ts";
import { idsEndingIn, pageName, placeOf, workspaceName } from "./answer/words.ts";
import type { ToolCall } from "./tool-call.ts";

/** How many pages an error suggests. */
const maxSuggestions = 5;

const longestTitle = 200;

/**
 * The page that a text names (AGT-3): by URL, id, short id, `title [short id]` or, for tokens that may search, a title
 * that no other page has. Throws `ApiError` that says which pages may be meant.
 */
export function findPage(call: ToolCall, text: string): LocatedNode {
  const found = findById(call, text) ?? findByTitle(call, text);
  if (found !== null) return found;
  throw noSuchPage(call, text);
}

/**
 * The pages that texts name. A single text that names none may be a comma-separated list. Throws as `findPage` does.
 */
export function findPages(call: ToolCall, texts: readonly string[]): readonly LocatedNode[] {
  const [first = ""] = texts;
  const single =
    texts.length === 1 && first.includes(",") ? (findById(call, first) ?? tryTitle(call, first)) : null;
  const parts = texts.length === 1 && single === null ? first.split(",").map((part) => part.trim()) : texts;
  const wanted =
    single === null ? parts.filter((part) => part !== "").map((part) => findPage(call, part)) : [single];
  return [...new Map(wanted.map((located) => [located.node.id, located])).values()];
}

function findById({ graphs, ctx }: ToolCall, text: string): LocatedNode | null {
  const id = parseNodeId(text) ?? ctx.services.pageOfUrl(withScheme(text));
  if (id !== null) return locateNode(graphs, id);
  const digits = shortIdIn(text);
  if (digits === null) return null;
  const sharing = idsEndingIn(graphs, digits);
  if (sharing.length > 1)
    throw ambiguous({ graphs }, `Several pages have an id that ends in ${digits}`, sharing);
  return sharing[0] === undefined ? null : locateNode(graphs, sharing[0]);
}

/** People leave out the scheme of an address. */
const withScheme = (text: string): string => (/^[\w-]+(?:\.[\w-]+)+\//.test(text) ? `https://${text}` : text);

/** Of `8dd2c1fe`, `[8dd2c1fe]` or `Jupiter [8dd2c1fe]`. */
function shortIdIn(text: string): string | null {
  const digits = /^([0-9a-f]{8,31})$/i.exec(text)?.[1] ?? /\[([0-9a-f]{8,32})\]$/i.exec(text)?.[1];
  return digits?.toLowerCase() ?? null;
}

function tryTitle(call: ToolCall, text: string): LocatedNode | null {
  try {
    return findByTitle(call, text);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Null if no page has the title, or the caller may not search. */
function findByTitle(call: ToolCall, text: string): LocatedNode | null {
  if (!call.holds("graph:search")) return null;
  const exact = titlesLike(call, text).filter(({ match }) => match === "exact");
  const byTitle = exact.filter(({ located }) => fold(located.node.title) === fold(text));
  // The rest have it as an alias.
  const candidates = byTitle.length > 0 ? byTitle : exact;
  const [first] = candidates;
  if (candidates.length <= 1) return first?.located ?? null;
  const ids = candidates.map(({ located }) => located.node.id);
  throw ambiguous(call, `Several pages are called ${JSON.stringify(text)}`, ids);
}

/** The pages whose titles match a text best. */
function titlesLike({ graphs }: Pick<ToolCall, "graphs">, text: string) {
  const query = [...text.trim()].slice(0, longestTitle).join("");
  if (query === "") return [];
  return graphs.flatMap((source) =>
    search(source.graph, { query, limit: 2 * maxSuggestions }).map(({ node, match }) => ({
      located: { source, node },
      match,
    })),
  );
}

/** Whether another readable page has this page's title. */
export function hasSameTitle(call: Pick<ToolCall, "graphs">, { title }: Pick<GraphNode, "title">): boolean {
  const folded = fold(title);
  return titlesLike(call, title).filter(({ located }) => fold(located.node.title) === folded).length > 1;
}

function ambiguous(call: Pick<ToolCall, "graphs">, message: string, ids: readonly string[]): ApiError {
  const shown = ids.slice(0, maxSuggestions).flatMap((id) => locateNode(call.graphs, id)?.node ?? []);
  const more = ids.length > shown.length ? ", and others" : "";
  const names = shown.map((node) => describe(call, node)).join("; ");
  return new ApiError("node_not_found", `${message}: ${names}${more}. Use the id in brackets.`);
}

function describe({ graphs }: Pick<ToolCall, "graphs">, node: GraphNode): string {
  const place = placeOf(graphs, node.id);
  return `${pageName(graphs, node)}${place === "" ? "" : ` in ${place}`}`;
}

/** Pages that do not exist and pages that the caller may not read get the same error (GRAPH-10). */
function noSuchPage(call: ToolCall, text: string): ApiError {
  const quoted = JSON.stringify(text.slice(0, longestTitle));
  const { isWhole, none } = coverageOf(call);
  const message = none(`No readable page is ${quoted}.`, `No readable page ${quoted} was found`);
  if (!call.holds("graph:search"))
    return new ApiError(
      "node_not_found",
      `${message} Give a link or an id: to find pages by title, the token needs the scope graph:search.`,
    );
  const near = titlesLike(call, text.replace(/\s*\[[^\]]*\]$/, "")).slice(0, maxSuggestions);
  const hint =
    near.length === 0
      ? `${isWhole ? "No title is similar" : "No similar title was found so far"}: find the page with search_pages.`
      : `Nearest titles: ${near.map(({ located }) => describe(call, located.node)).join("; ")}.`;
  return new ApiError("node_not_found", `${message} ${hint}`);
}

/** The id of the workspace that a text names, by id or name. Throws `ApiError`, which names the readable ones. */
export function findWorkspace({ graphs }: ToolCall, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const connections = graphs.map(({ connection }) => connection);
  const wanted = fold(text);
  const found = connections.filter(
    ({ workspaceId, name }) =>
      parseNodeId(text) === workspaceId || workspaceId === text || fold(name ?? "") === wanted,
  );
  if (found.length === 1) return found[0]?.workspaceId;
  const shown = (found.length > 1 ? found : connections).slice(0, 10);
  const names = shown
    .map((connection) => `${workspaceName(connection)} (${connection.workspaceId})`)
    .join("; ");
  if (found.length > 1)
    throw new ApiError("invalid_request", `Several workspaces have this name. Use an id: ${names}.`);
  const readable = names === "" ? "No workspace is readable" : `Readable are: ${names}`;
  throw new ApiError(
    "workspace_not_allowed",
    `The workspace does not exist or is not open to this token. ${readable}.`,
  );
}
