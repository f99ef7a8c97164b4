import type { SearchSort, SortOrder } from "@clew/contract";
import {
  compareListKeys,
  filteredNodes,
  type Graph,
  type ListKey,
  listKeyAt,
  type NodeFilter,
} from "@clew/graph";
import {
  type FoundPage,
  hitsOf,
  parseQuery,
  type ResultKey,
  searchTexts,
  type TextHit,
  type TextQuery,
  viewOf,
} from "@clew/text-index";
import { readSearchedPage } from "../store/queries/page-texts.ts";
import { pageSourceOf } from "../texts/indexed-page.ts";
import type { JobServices, Source } from "./jobs.ts";
import { ranksFor, relevanceOrder } from "./result-order.ts";

/** A search in the texts of several graphs (GRAPH-17). */
export interface TextJobInput {
  /** It has a word to look for. */
  readonly query: string;
  readonly sort: SearchSort;
  readonly order: SortOrder;
  readonly limit: number;
  /** For each source: the nodes to list, and the position to continue from. Without a filter, pages that match are only counted. */
  readonly within: readonly { readonly filter: NodeFilter | null; readonly after: ResultKey | null }[];
}

/** A page that was found. */
interface FoundText {
  /** The position of the source that has it. */
  readonly source: number;
  /** Its index in the graph. */
  readonly node: number;
  readonly all: boolean;
  /** 0–1. */
  readonly score: number;
  readonly missing: readonly string[];
  readonly hits: readonly TextHit[];
}

export interface TextJobResult {
  readonly items: readonly FoundText[];
  readonly total: number | null;
  /** The number of pages that were only counted; null if the search was truncated. */
  readonly counted: number | null;
  readonly ignored: readonly string[];
  readonly truncated: boolean;
  /** The position after these items in each source; null at the end. */
  readonly after: readonly (ResultKey | null)[] | null;
}

/** Postings of each source that a query reads at most: some milliseconds' work (docs/benchmarks-text.md). */
const maxEntries = 48_000;

/** Milliseconds after which a search ends with what it has. */
const timeLimitMs = 2_000;

/** Searches the texts of several graphs. */
export async function textJob(
  services: JobServices,
  sources: readonly Source[],
  input: TextJobInput,
): Promise<TextJobResult> {
  const query = parseQuery(input.query);
  if (query === null) throw new Error("the query has no word to look for");
  const {
    found,
    weights: _,
    ...outcome
  } = await findTexts(services, sources, {
    ...input,
    query,
    limit: input.limit + 1,
  });
  const pages = found.slice(0, input.limit);
  const items: FoundText[] = [];
  for (const { source, page } of pages) items.push(await describe(services, sources, query, source, page));
  const after = input.within.map(({ after }, source) => {
    const last = pages.findLast((result) => result.source === source);
    return last === undefined ? after : keyOf(last.page);
  });
  return { items, ...outcome, after: found.length > pages.length ? after : null };
}

const keyOf = ({ all, score, rank }: ResultKey): ResultKey => ({ all, score, rank });

interface TextSearch extends Omit<TextJobInput, "query"> {
  readonly query: TextQuery;
}

/** A page that was found, and the position of its source. */
interface SourcedPage {
  readonly source: number;
  readonly page: FoundPage;
}

/** The first results of all sources, in their common order. */
export async function findTexts(
  services: JobServices,
  sources: readonly Source[],
  { query, sort, order, limit, within }: TextSearch,
): Promise<{
  found: SourcedPage[];
  total: number | null;
  counted: number | null;
  ignored: string[];
  truncated: boolean;
  /** Of each word of the query, relative to the others; of the first source that has it. */
  weights: number[];
}> {
  const end = services.monotonic() + timeLimitMs;
  const isOver = () => services.monotonic() > end;
  return services.withTexts(sources, async (blocks) => {
    const found: SourcedPage[] = [];
    const ignored = new Set<string>();
    let total: number | null = 0;
    let truncated = false;
    let counted = 0;
    const weights = query.words.map(() => 0);
    for (const [source, { graph, texts }] of sources.entries()) {
      const { filter = {}, after = null } = within[source] ?? {};
      // While no page is listed, the search asks about each page that matches.
      const matching = new Set<number>();
      const countAlone = (node: number) => {
        matching.add(node);
        return false;
      };
      const result = await searchTexts(viewOf(texts.segments), blocks, query, {
        limit,
        ranks: ranksFor(graph, sort, order),
        byRelevance: sort === "relevance",
        after,
        accepts: filter === null ? countAlone : (filteredNodes(graph, filter)?.has ?? null),
        maxEntries,
        isOver,
      });
      found.push(...result.pages.map((page) => ({ source, page })));
      result.weights.forEach((weight, word) => {
        weights[word] = weights[word] || weight;
      });
      for (const word of result.ignored) ignored.add(word);
      total = total === null || result.total === null ? null : total + result.total;
      truncated ||= result.truncated;
      counted += matching.size;
    }
    const compare = sort === "relevance" ? relevanceOrder : listOrder(sort, order);
    return {
      found: found.sort(across(sources, compare)).slice(0, limit),
      total,
      counted: truncated ? null : counted,
      ignored: [...ignored],
      truncated,
      weights,
    };
  });
}

/** Compares pages of several graphs. */
type ComparePages = (a: FoundPage, of: Graph, b: FoundPage, other: Graph) => number;

function across(
  sources: readonly Source[],
  compare: ComparePages,
): (a: SourcedPage, b: SourcedPage) => number {
  return (a, b) => {
    // Within one graph the rank says it all.
    const [one, other] = [sources[a.source], sources[b.source]];
    return one === undefined || other === undefined ? 0 : compare(a.page, one.graph, b.page, other.graph);
  };
}

function listOrder(sort: Exclude<SearchSort, "relevance">, order: SortOrder): ComparePages {
  const compare = compareListKeys(order);
  const keys = new Map<FoundPage, ListKey>();
  const keyOf = (page: FoundPage, graph: Graph): ListKey => {
    const key = keys.get(page) ?? listKeyAt(graph, sort, page.node);
    keys.set(page, key);
    return key;
  };
  return (a, of, b, other) => compare(keyOf(a, of), keyOf(b, other));
}

async function describe(
  { db }: JobServices,
  sources: readonly Source[],
  query: TextQuery,
  source: number,
  page: FoundPage,
): Promise<FoundText> {
  const { graph, connectionId } = sources[source] as Source;
  const stored = await readSearchedPage(db, connectionId, graph.nodeAt(page.node).id);
  return {
    source,
    node: page.node,
    all: page.all,
    score: page.relevance,
    missing: page.missing,
    // A sync may have removed the page since its graph was published.
    hits:
      stored === null
        ? []
        : hitsOf(
            pageSourceOf(stored),
            page.sections.map(({ section }) => section),
            query,
          ),
  };
}
