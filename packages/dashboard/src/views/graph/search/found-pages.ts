import type { Client, SearchResults, TextResults } from "@clew/client";
import { orderFound } from "@clew/contract/found-order";
import { maxTitleQuery } from "../../../api/title-matches.ts";
import type { Placed } from "../place.ts";
import { type GraphSearch, queryOf } from "./search-params.ts";

/** A page that was found, where it is, and where in it the words are. */
export interface FoundPage extends Placed {
  readonly missing: readonly string[];
  readonly hits: TextResults["items"][number]["hits"];
}

/** A part of what was found. */
export interface FoundPart {
  readonly items: readonly FoundPage[];
  /** Titles that resemble the words: they follow the items of all parts. */
  readonly last: readonly FoundPage[];
  readonly next: Continuation | null;
  /** The number of pages in all, or with every word; null if nothing counted them. */
  readonly total: number | null;
  /** The number of pages that match without the filters, where only these leave none. */
  readonly unfiltered: number | null;
  readonly texts: Pick<TextResults, "indexed" | "ignored" | "truncated"> | null;
}

/** The start of the next part. */
export interface Continuation {
  readonly in: "texts" | "titles";
  readonly cursor: string;
}

const partSize = 20;

/**
 * Finds pages by title and by text, in the order of the tool `search_pages` (`orderFound`). Without words, or if no text matches,
 * titles alone are listed.
 */
export async function findPages(
  api: Pick<Client, "searchPages" | "searchTexts">,
  search: GraphSearch,
  from: Continuation | null,
  signal: AbortSignal,
): Promise<FoundPart> {
  const query = { ...queryOf(search), breadcrumb: true, limit: partSize };
  const inTitles = async (cursor?: string) =>
    titlesPart(await api.searchPages({ ...query, cursor }, { signal }));
  if (from?.in === "titles") return inTitles(from.cursor);
  const { q } = query;
  if (q === undefined) return inTitles();
  const cursor = from?.cursor;
  const isTitle = [...q].length <= maxTitleQuery;
  const wantsTitles = from === null && isTitle && (query.sort ?? "relevance") === "relevance";
  const [texts, titles] = await Promise.all([
    api.searchTexts({ ...query, q, cursor }, { signal }).catch((error: unknown) => {
      // A query without a word to look for may still be a title.
      if (!isTitle || !isInvalid(error)) throw error;
      return null;
    }),
    wantsTitles ? api.searchPages(query, { signal }) : null,
  ]);
  if (from === null && isTitle && (texts === null || texts.items.length === 0))
    return withMatches(titles === null ? await inTitles() : titlesPart(titles), texts);
  return mergeResults(texts, titles);
}

const isInvalid = (error: unknown): boolean =>
  error instanceof Error && "status" in error && error.status === 400;

/** Titles, where no text was found: the texts may have more pages that match without the filters. */
const withMatches = (titles: FoundPart, texts: TextResults | null): FoundPart => ({
  ...titles,
  unfiltered: titles.items.length > 0 ? null : (texts?.unfiltered_total ?? titles.unfiltered),
});

function mergeResults(texts: TextResults | null, titles: SearchResults | null): FoundPart {
  const { first, rest, last } = orderFound<TitleResult, TextResults["items"][number]>(
    titles?.items ?? [],
    texts?.items ?? [],
  );
  return {
    items: [...first.map((item) => ("hits" in item ? item : titleOnly(item))), ...rest],
    last: last.map(titleOnly),
    next: texts?.next_cursor == null ? null : { in: "texts", cursor: texts.next_cursor },
    total: texts?.total ?? null,
    unfiltered: texts?.unfiltered_total ?? null,
    texts,
  };
}

type TitleResult = SearchResults["items"][number];

const titleOnly = (item: TitleResult): FoundPage => ({ ...item, missing: [], hits: [] });

function titlesPart({
  items,
  next_cursor: cursor,
  total,
  unfiltered_total: unfiltered,
}: SearchResults): FoundPart {
  return {
    items: items.map(titleOnly),
    last: [],
    next: cursor === null ? null : { in: "titles", cursor },
    total,
    unfiltered,
    texts: null,
  };
}

/** The parts as one list. A page that a later part has again stays where it is. */
export function joinParts(parts: readonly FoundPart[]): readonly FoundPage[] {
  const seen = new Map<string, FoundPage>();
  for (const item of [...parts.flatMap(({ items }) => items), ...parts.flatMap(({ last }) => last)])
    if (!seen.has(item.node.id)) seen.set(item.node.id, item);
  return [...seen.values()];
}
