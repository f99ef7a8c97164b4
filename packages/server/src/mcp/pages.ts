import { fold, type GraphNode, parseNodeId } from "@clew/graph";
import { type LocatedNode, locateNode } from "../graph-cache/readable.ts";
import { ApiError } from "../model/api-error.ts";
import { coverageOf } from "./answer/coverage.ts";
import { idsEndingIn, pageName, placeOf, workspaceName } from "./answer/words.ts";
import {
  bracketedIds,
  isListOfNames,
  linkedIds,
  namesIn,
  pageScheme,
  placeIn,
  shortIdOf,
  titlesIn,
} from "./page-references.ts";
import { pagesAtPlace, pagesTitled, titlesLike } from "./pages-by-title.ts";
import type { ToolCall } from "./tool-call.ts";

/** How many pages an error suggests. */
const maxSuggestions = 5;

const longestText = 200;

/**
 * The page that a text names (AGT-3): by URL, id, short id, `title [short id]`, for tokens that may search a title that no
 * other page has, or a place; also within a line of an answer. Throws `ApiError` that says which pages may be meant.
 */
export async function findPage(call: ToolCall, text: string): Promise<LocatedNode> {
  const found = findById(call, text) ?? (await findByTitle(call, text));
  if (found !== null) return found;
  throw noSuchPage(call, text);
}

/**
 * The pages that texts name. A single text that names none may be a comma-separated list. Throws as `findPage` does.
 */
export async function findPages(call: ToolCall, texts: readonly string[]): Promise<readonly LocatedNode[]> {
  const [first = ""] = texts;
  const wanted =
    texts.length === 1 && first.includes(",") ? await findListed(call, first) : await findEach(call, texts);
  return [...new Map(wanted.map((located) => [located.node.id, located])).values()];
}

const findEach = (call: ToolCall, texts: readonly string[]) =>
  Promise.all(texts.map((text) => findPage(call, text)));

/** The pages of a text with commas: a page whose name has them, the pages of a list, or the page of a line. */
async function findListed(call: ToolCall, text: string): Promise<readonly LocatedNode[]> {
  const named = bracketedPages(call, text);
  const single = named.find(({ start, end }) => start === 0 && end === text.length)?.located;
  const whole = single ?? idOrNull(call, text) ?? (await orNull(findByTitle(call, text)));
  if (whole !== null) return [whole];
  // Titles may have commas too.
  const names = named.flatMap(({ start, end }) => (end > 0 ? text.slice(start, end) : []));
  const list = names.reduce((rest, name) => rest.replace(name, name.slice(name.lastIndexOf("["))), text);
  const line = isListOfNames(list) ? null : findById(call, text);
  return line === null ? findEach(call, namesIn(list)) : [line];
}

/** The page whose id or address is a text or, if it is none, is in the text. */
function findById(call: ToolCall, text: string): LocatedNode | null {
  const whole = idOrNull(call, text.trim());
  if (whole !== null) return whole;
  const [named] = bracketedPages(call, text);
  if (named !== undefined) return named.located;
  for (const id of linkedIds(text)) {
    const found = idOrNull(call, id);
    if (found !== null) return found;
  }
  return null;
}

/** The page with this id, short id or address. Throws `ApiError` if several have the short id. */
function idOrNull({ graphs, ctx }: ToolCall, text: string): LocatedNode | null {
  const resource = text.startsWith(pageScheme) ? text.slice(pageScheme.length) : text;
  const id = parseNodeId(resource) ?? ctx.services.pageOfUrl(withScheme(resource));
  if (id !== null) return locateNode(graphs, id);
  const digits = shortIdOf(resource);
  if (digits === null) return null;
  const sharing = idsEndingIn(graphs, digits);
  if (sharing.length > 1)
    throw ambiguous({ graphs }, `Several pages have an id that ends in ${digits}`, sharing);
  return sharing[0] === undefined ? null : locateNode(graphs, sharing[0]);
}

/** People leave out the scheme of an address. */
const withScheme = (text: string): string => (/^[\w-]+(?:\.[\w-]+)+\//.test(text) ? `https://${text}` : text);

/** A page that a text has the id of, in brackets, and where the text has its name; `start` is infinite if it does not. */
interface BracketedPage {
  readonly located: LocatedNode;
  readonly start: number;
  readonly end: number;
}

/**
 * The pages that a text has in brackets: those with their names first, from the left, of names that start together the longest.
 * So the title of a page cannot pass for the name of another page.
 */
function bracketedPages(call: ToolCall, text: string): BracketedPage[] {
  const found = bracketedIds(text).flatMap((digits) => {
    const located = idOrNull(call, digits.toLowerCase());
    if (located === null) return [];
    const { id, title } = located.node;
    const name = pageName(call.graphs, { id, title });
    const start = text.indexOf(name);
    return start < 0
      ? { located, start: Number.POSITIVE_INFINITY, end: 0 }
      : { located, start, end: start + name.length };
  });
  return found.toSorted((a, b) => (a.start === b.start ? b.end - a.end : a.start - b.start));
}

async function orNull(found: Promise<LocatedNode | null>): Promise<LocatedNode | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Null if no page has the title or is at the place, or the caller may not search. */
async function findByTitle(call: ToolCall, text: string): Promise<LocatedNode | null> {
  if (!call.holds("graph:search")) return null;
  const titles = titlesIn(text);
  for (const title of titles) {
    const found = theOne(call, title, await pagesTitled(call, title));
    if (found !== null) return found;
  }
  for (const title of titles) {
    const found = theOne(call, title, pagesAtPlace(call, title));
    if (found !== null) return found;
  }
  return null;
}

function theOne(call: ToolCall, text: string, found: readonly LocatedNode[]): LocatedNode | null {
  if (found.length <= 1) return found[0] ?? null;
  const ids = found.map(({ node }) => node.id);
  throw ambiguous(call, `Several pages are called ${JSON.stringify(text)}`, ids);
}

/** Whether a page's title names it and no other page. */
export async function isNamedByTitle(
  call: ToolCall,
  { id, title }: Pick<GraphNode, "id" | "title">,
): Promise<boolean> {
  return (await orNull(findPage(call, title)))?.node.id === id;
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
  const quoted = JSON.stringify(text.slice(0, longestText));
  const { isWhole, none } = coverageOf(call);
  const message = none(`No readable page is ${quoted}.`, `No readable page ${quoted} was found`);
  if (!call.holds("graph:search"))
    return new ApiError(
      "node_not_found",
      `${message} Give a link or an id: to find pages by title, the token needs the scope graph:search.`,
    );
  const title = titlesIn(text.replace(/\s*\[[^\]]*\]$/, "")).at(-1) ?? "";
  const near = titlesLike(call, placeIn(title)?.at(-1) ?? title, maxSuggestions).slice(0, maxSuggestions);
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
  const id = /\(([^()]+)\)$/.exec(text)?.[1] ?? text;
  const found = connections.filter(
    ({ workspaceId, name }) =>
      parseNodeId(id) === workspaceId || workspaceId === id || fold(name ?? "") === wanted,
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
