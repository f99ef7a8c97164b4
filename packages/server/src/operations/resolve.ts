import { type GraphInput, graphLimits, type ResolvedPages } from "@clew/contract";
import { type GraphNode, parseNodeId } from "@clew/graph";
import { type LocatedNode, locateAtForge, locateNode, type ReadableGraph } from "../graphs/readable.ts";
import { ApiError } from "../model/api-error.ts";
import { holdsAll } from "../model/caller.ts";
import { presentNode } from "../present/graph.ts";
import { idsEndingIn, oneLine, pageName, placeOf } from "./page-names.ts";
import {
  bracketedIds,
  isListOfNames,
  linkedIds,
  namesIn,
  pageScheme,
  shortIdOf,
  titlesIn,
} from "./page-references.ts";
import { pagesAtPlace, pagesTitled, type Reading } from "./pages-by-title.ts";
import { currentGraphsFor, type RequestContext } from "./request-context.ts";

/**
 * The pages that a text may mean, best first: one if the text names it, none if no readable page is meant (GRAPH-33). Throws
 * `ApiError` `invalid_request` if the text is blank.
 */
export async function resolve(ctx: RequestContext, { page }: GraphInput<"resolve">): Promise<ResolvedPages> {
  if (page.trim() === "")
    throw new ApiError("invalid_request", "The text that names a page is blank.", {
      errors: [{ path: "?page", message: "must name a page" }],
    });
  const found = await pagesMeant({ ctx, graphs: await currentGraphsFor(ctx) }, page);
  const items = found.slice(0, graphLimits.resolve.maximum);
  return { items: items.map(({ source, node }) => presentNode(source, node)) };
}

async function pagesMeant(reading: Reading, text: string): Promise<readonly LocatedNode[]> {
  try {
    const found = await findPage(reading, text);
    return found === null ? [] : [found];
  } catch (error) {
    if (error instanceof AmbiguousPage) return error.pages;
    throw error;
  }
}

/** The number of pages that an error names. */
export const maxSuggestions = 5;

/** Several pages may be meant. The detail names some of them, so that callers can choose. */
class AmbiguousPage extends ApiError {
  readonly pages: readonly LocatedNode[];

  constructor(graphs: readonly ReadableGraph[], what: string, ids: readonly string[]) {
    const pages = ids.flatMap((id) => locateNode(graphs, id) ?? []);
    const shown = pages.slice(0, maxSuggestions);
    const more = ids.length > shown.length ? ", and others" : "";
    const names = shown.map(({ node }) => describePage(graphs, node)).join("; ");
    super("node_not_found", `${what}: ${names}${more}. Use the id in brackets.`);
    this.pages = pages;
  }
}

/** A page by its name and place. */
export function describePage(graphs: readonly ReadableGraph[], node: GraphNode): string {
  const place = placeOf(graphs, node.id);
  return `${pageName(graphs, node)}${place === "" ? "" : ` in ${place}`}`;
}

/**
 * The page that a text names (AGT-3): by URL, id, short id, `title [short id]`, for callers that may search a title that no
 * other page has, or a place; also within a line of an answer. Null if no readable page is meant. Throws `AmbiguousPage`.
 */
export async function findPage(reading: Reading, text: string): Promise<LocatedNode | null> {
  return findById(reading, text) ?? (await findByTitle(reading, text));
}

/** The shortest text that is taken back as a page: its title if that names no other page, otherwise title and short id. */
export async function shortestName(
  reading: Reading,
  { id, title }: Pick<GraphNode, "id" | "title">,
): Promise<string> {
  const isWhole = title !== "" && title === oneLine(title);
  const isName = isWhole && (await orNull(findPage(reading, title)))?.node.id === id;
  return isName ? title : pageName(reading.graphs, { id, title });
}

/**
 * Reads a text with commas: the page whose name has them or that a line of an answer is about, or else the names in a list.
 * Throws `AmbiguousPage`.
 */
export async function readList(reading: Reading, text: string): Promise<LocatedNode | readonly string[]> {
  const named = bracketedPages(reading, text);
  const single = named.find(({ start, end }) => start === 0 && end === text.length)?.located;
  const whole = single ?? idOrNull(reading, text) ?? (await orNull(findByTitle(reading, text)));
  if (whole !== null) return whole;
  // Titles may have commas too.
  const names = named.flatMap(({ start, end }) => (end > 0 ? text.slice(start, end) : []));
  const list = names.reduce((rest, name) => rest.replace(name, name.slice(name.lastIndexOf("["))), text);
  const line = isListOfNames(list) ? null : findById(reading, text);
  return line ?? namesIn(list);
}

/** The page whose id or address is a text or, if it is none, is in the text. Throws `AmbiguousPage`. */
export function findById(reading: Reading, text: string): LocatedNode | null {
  const whole = idOrNull(reading, text.trim());
  if (whole !== null) return whole;
  const [named] = bracketedPages(reading, text);
  if (named !== undefined) return named.located;
  for (const id of linkedIds(text)) {
    const found = idOrNull(reading, id);
    if (found !== null) return found;
  }
  return null;
}

/** The page with this id, short id or address. Throws `AmbiguousPage` if several have the short id. */
function idOrNull({ graphs, ctx }: Reading, text: string): LocatedNode | null {
  const resource = text.startsWith(pageScheme) ? text.slice(pageScheme.length) : text;
  const id = parseNodeId(resource) ?? ctx.services.pageOfUrl(withScheme(resource));
  if (id !== null) return locateNode(graphs, id);
  const atForge = locateAtForge(graphs, withScheme(resource));
  if (atForge !== null) return atForge;
  const digits = shortIdOf(resource);
  if (digits === null) return null;
  const sharing = idsEndingIn(graphs, digits);
  if (sharing.length > 1)
    throw new AmbiguousPage(graphs, `Several pages have an id that ends in ${digits}`, sharing);
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
function bracketedPages(reading: Reading, text: string): BracketedPage[] {
  const found = bracketedIds(text).flatMap((digits) => {
    const located = idOrNull(reading, digits.toLowerCase());
    if (located === null) return [];
    const { id, title } = located.node;
    const name = pageName(reading.graphs, { id, title });
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
async function findByTitle(reading: Reading, text: string): Promise<LocatedNode | null> {
  if (!holdsAll(reading.ctx.caller, ["graph:search"])) return null;
  const titles = titlesIn(text);
  for (const title of titles) {
    const found = theOne(reading, title, await pagesTitled(reading, title));
    if (found !== null) return found;
  }
  for (const title of titles) {
    const found = theOne(reading, title, pagesAtPlace(reading, title));
    if (found !== null) return found;
  }
  return null;
}

function theOne(reading: Reading, text: string, found: readonly LocatedNode[]): LocatedNode | null {
  if (found.length <= 1) return found[0] ?? null;
  const ids = found.map(({ node }) => node.id);
  throw new AmbiguousPage(reading.graphs, `Several pages are called ${JSON.stringify(text)}`, ids);
}
