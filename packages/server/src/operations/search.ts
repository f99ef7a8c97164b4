import {
  graphLimits,
  type SearchQuery,
  type SearchResults,
  type SearchSort,
  type SortOrder,
} from "@clew/contract";
import {
  compareListKeys,
  compareRank,
  type ListOptions,
  list,
  listKeyAt,
  type NodeFilter,
  type NodeId,
  type RankKey,
  search as searchGraph,
} from "@clew/graph";
import { connectionsWithin, currentGraphs, graphsOfList, type ReadableGraph } from "../graphs/readable.ts";
import { ApiError } from "../model/api-error.ts";
import { presentNode } from "../present/graph.ts";
import { listedBreadcrumb } from "./breadcrumbs.ts";
import { filterParameters, graphsWith, isFiltered, readPageFilters } from "./page-filters.ts";
import { listCursors, type RequestContext, readableConnectionsOf } from "./request-context.ts";

/** The end of a page of results, and the versions of the graphs. */
interface Position {
  readonly versions: readonly number[];
  /** When the list began, in milliseconds since the Unix epoch. */
  readonly begunAt: number;
  readonly after: RankKey | ListedNode;
}

/** The last item of a page, if results are not sorted by relevance: its graph, of a known version, has the rest. */
export interface ListedNode {
  readonly connection: number;
  readonly id: NodeId;
}

/** Nodes by title, or all, in one workspace or in all (GRAPH-2, GRAPH-3, GRAPH-19). */
export async function search(ctx: RequestContext, request: SearchQuery): Promise<SearchResults> {
  const { graphs, clock } = ctx.services;
  const { q, limit = graphLimits.search.standard, cursor, breadcrumb = false } = request;
  const query = q === undefined ? undefined : readQuery(q);
  const sorting = readSorting(request);
  const readable = readableConnectionsOf(ctx);
  const connections = connectionsWithin(readable, request.workspace_id);
  const cursors = listCursors<Position>(ctx, readable, {
    operation: "search",
    version: 3,
    parameters: [query ?? null, sorting.sort, sorting.order, ...filterParameters(request)],
  });
  const position = cursor === undefined ? null : cursors.decode(cursor);
  const begunAt = position?.begunAt ?? clock();
  const filter = await readPageFilters(ctx, request, begunAt);
  const published = await graphsOfList(graphs, connections, position?.versions);
  const sources = graphsWith(published, filter);
  const part = { filter, after: position?.after, limit, breadcrumb };
  const { sort, order } = sorting;
  const page =
    sort === "relevance"
      ? byRelevance(sources, { ...part, query: query ?? "" })
      : inOrder(sources, { ...part, query, sort, order });
  const versions = published.map(({ version }) => version);
  const isEmpty = page.items.length === 0 && position === null;
  return {
    items: page.items,
    total: page.total,
    unfiltered_total:
      isEmpty && isFiltered(request) ? countUnfiltered(await currentGraphs(graphs, readable), query) : null,
    next_cursor: page.last ? cursors.encode({ versions, begunAt, after: page.last }) : null,
  };
}

/** The number of nodes that a list without filters has; null if there are none. */
function countUnfiltered(sources: readonly ReadableGraph[], query: string | undefined): number | null {
  const counted = { query, filter: {}, sort: "updated", order: "desc", after: undefined, limit: 0 } as const;
  return listNodes(sources, counted).total || null;
}

interface Page extends Pick<SearchResults, "items" | "total"> {
  /** The position at which the next page continues; undefined on the last. */
  readonly last: Position["after"] | undefined;
}

interface Wanted {
  readonly filter: NodeFilter;
  readonly after: Position["after"] | undefined;
  readonly limit: number;
  readonly breadcrumb: boolean;
}

function byRelevance(
  sources: readonly ReadableGraph[],
  { query, filter, after, limit, breadcrumb }: Wanted & { query: string },
): Page {
  // The cursor is bound to `sort`, so its position is of this kind.
  const wanted = { query, filter, after: after as RankKey | undefined, limit: limit + 1 };
  const found = sources
    .flatMap((source) => searchGraph(source.graph, wanted).map((hit) => ({ ...hit, source })))
    .sort((a, b) => compareRank(a.key, b.key));
  const hits = found.slice(0, limit);
  return {
    items: hits.map(({ source, node, score, match }) => ({
      node: presentNode(source, node),
      score,
      match,
      ...(breadcrumb && listedBreadcrumb(source, node.id)),
    })),
    total: null,
    last: found.length > limit ? hits.at(-1)?.key : undefined,
  };
}

function inOrder(
  sources: readonly ReadableGraph[],
  options: Wanted & { query: string | undefined; sort: Exclude<SearchSort, "relevance">; order: SortOrder },
): Page {
  const { limit, breadcrumb } = options;
  // The cursor is bound to `sort`, so its position is of this kind.
  const { items, total } = listNodes(sources, {
    ...options,
    after: options.after as ListedNode | undefined,
    limit: limit + 1,
  });
  const page = items.slice(0, limit);
  const end = items.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(({ source, node: index, best }) => {
      const node = source.graph.nodeAt(index);
      return {
        node: presentNode(source, node),
        score: best?.score ?? null,
        match: best?.match ?? null,
        ...(breadcrumb && listedBreadcrumb(source, node.id)),
      };
    }),
    total,
    last: end && { connection: end.source.connection.id, id: end.key.id },
  };
}

/** The nodes of several graphs in one order, from the one after `after` on, and the number of all. */
export function listNodes(
  sources: readonly ReadableGraph[],
  options: Omit<ListOptions, "after"> & { readonly after: ListedNode | undefined },
) {
  const { sort, order, after: last, limit } = options;
  const listed = sources.find(({ connection }) => connection.id === last?.connection)?.graph;
  const after = last && listed && listKeyAt(listed, sort, listed.indexOf(last.id));
  const lists = sources.map((source) => ({ source, ...list(source.graph, { ...options, after }) }));
  const compare = compareListKeys(order);
  const items = lists
    .flatMap(({ source, items }) => items.map((item) => ({ ...item, source })))
    .sort((a, b) => compare(a.key, b.key))
    .slice(0, limit);
  return { items, total: lists.reduce((sum, { total }) => sum + total, 0) };
}

/** How results are sorted. Throws `ApiError` `invalid_request` for a combination that has no meaning. */
export function readSorting({
  q,
  sort = q === undefined ? "updated" : "relevance",
  order,
}: Pick<SearchQuery, "q" | "sort" | "order">) {
  const wrong = (path: string, message: string) =>
    new ApiError("invalid_request", "This sort order is not supported here.", {
      errors: [{ path, message }],
    });
  if (sort !== "relevance") return { sort, order: order ?? (sort === "title" ? "asc" : "desc") } as const;
  if (q === undefined) throw wrong("?sort", "can be relevance only with q");
  if (order !== undefined) throw wrong("?order", "cannot be given with the sort relevance");
  return { sort, order: "desc" } as const;
}

/** The query, trimmed. Throws `ApiError` `invalid_request` unless it has 1–200 code points (GRAPH-2). */
function readQuery(text: string): string {
  const query = text.trim();
  const length = [...query].length;
  if (length >= 1 && length <= graphLimits.queryLength) return query;
  throw new ApiError("invalid_request", "The search text is empty or too long.", {
    errors: [{ path: "?q", message: `must have 1–${graphLimits.queryLength} characters after trimming` }],
  });
}
