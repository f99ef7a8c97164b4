import { graphLimits, type TextQuery, type TextResults } from "@clew/contract";
import { parseQuery, type ResultKey } from "@clew/text-index";
import { connectionsWithin, currentGraphs, type ReadableGraph } from "../graphs/readable.ts";
import { ApiError, expired } from "../model/api-error.ts";
import { presentNode } from "../present/graph.ts";
import type { TextJobInput } from "../queries/text-job.ts";
import type { TextSnapshot } from "../texts/text-snapshots.ts";
import { listedBreadcrumb } from "./breadcrumbs.ts";
import { filterParameters, graphsWith, isFiltered, readPageFilters } from "./page-filters.ts";
import { listCursors, type RequestContext, readableConnectionsOf } from "./request-context.ts";
import { readSorting } from "./search.ts";
import { runJob } from "./thread-jobs.ts";

/** The end of a page of results. */
interface Position {
  /** The state in which the list began: the version of each graph, and how far its texts were indexed. */
  readonly state: readonly string[];
  /** When the list began, in milliseconds since the Unix epoch. */
  readonly begunAt: number;
  /** The key after which each searched graph continues. */
  readonly after: readonly (ResultKey | null)[];
}

/** Pages and databases by their texts, in one workspace or in all (GRAPH-17, GRAPH-28). */
export async function searchTexts(ctx: RequestContext, request: TextQuery): Promise<TextResults> {
  const { graphs, givenCursors, clock } = ctx.services;
  const { q, limit = graphLimits.text.standard, cursor, breadcrumb = false } = request;
  const query = readTextQuery(q);
  const { sort, order } = readSorting(request);
  const readable = readableConnectionsOf(ctx);
  const connections = connectionsWithin(readable, request.workspace_id);
  const cursors = listCursors<Position>(ctx, readable, {
    operation: "text",
    version: 1,
    parameters: [query, sort, order, ...filterParameters(request)],
  });
  const position = cursor === undefined ? null : cursors.decode(cursor);
  const begunAt = position?.begunAt ?? clock();
  const filter = await readPageFilters(ctx, request, begunAt);
  const sources = graphsWith(await currentGraphs(graphs, connections), filter);

  let searched: readonly TextSnapshot[] = [];
  const found = await runJob(ctx, "text", sources, (texts) => {
    searched = texts;
    if (position !== null && position.state.join() !== stateOf(sources, texts).join())
      throw expired("The texts have changed");
    const within = sources.map((_, index) => ({ filter, after: position?.after[index] ?? null }));
    return { query, sort, order, limit, within };
  });
  const state = stateOf(sources, searched);
  const isEmpty = found.items.length === 0 && position === null;
  if (found.after) givenCursors.note(sources.map(({ connection }) => connection.id));
  return {
    items: found.items.flatMap((item) => {
      const { all, score, missing, hits } = item;
      const source = sources[item.source];
      if (source === undefined) return [];
      const node = source.graph.nodeAt(item.node);
      return {
        node: presentNode(source, node),
        score: Math.round(score * 1e6) / 1e6,
        match: all ? "all" : "some",
        missing: [...missing],
        hits: hits.map(({ marks, ...hit }) => ({ ...hit, marks: marks.map((mark) => [...mark]) })),
        ...(breadcrumb && listedBreadcrumb(source, node.id)),
      };
    }),
    total: found.total,
    unfiltered_total:
      isEmpty && isFiltered(request) ? await countUnfiltered(ctx, { query, sort, order }) : null,
    indexed: indexedShare(sources, searched),
    ignored: [...found.ignored],
    truncated: found.truncated,
    next_cursor: found.after ? cursors.encode({ state, begunAt, after: found.after }) : null,
  };
}

/** The number of pages that a search without filters finds; null if there are none, or they were not counted. */
async function countUnfiltered(
  ctx: RequestContext,
  asked: Pick<TextJobInput, "query" | "sort" | "order">,
): Promise<number | null> {
  const sources = await currentGraphs(ctx.services.graphs, readableConnectionsOf(ctx));
  const within = sources.map(() => ({ filter: null, after: null }));
  const { counted } = await runJob(ctx, "text", sources, () => ({ ...asked, limit: 1, within }));
  return counted || null;
}

/** The words to look for in a parameter, trimmed. Throws `ApiError` `invalid_request` if they are too long or there is none. */
export function readTextQuery(text: string, parameter = "q"): string {
  const query = text.trim();
  const { queryLength } = graphLimits.text;
  const refused = (detail: string, message: string) =>
    new ApiError("invalid_request", detail, { errors: [{ path: `?${parameter}`, message }] });
  if (query === "" || [...query].length > queryLength)
    throw refused(
      "The search text is empty or too long.",
      `must have 1–${queryLength} characters after trimming`,
    );
  if (parseQuery(query) === null)
    throw refused("The search text has no searchable words.", "has no word to look for");
  return query;
}

/** Differs once a graph was published, or more texts can be found. A merge changes nothing. */
function stateOf(sources: readonly ReadableGraph[], texts: readonly TextSnapshot[]): string[] {
  return sources.map(({ connection, version }, index) => {
    const { storeId, revision, segments } = texts[index] ?? { storeId: "", revision: 0, segments: [] };
    const pages = segments.reduce((sum, { live }) => sum + live.pageCount, 0);
    return [connection.id, version, storeId, revision, pages].join(" ");
  });
}

/** The share over all graphs, by their sizes. */
export function indexedShare(sources: readonly ReadableGraph[], texts: readonly TextSnapshot[]): number {
  const nodes = sources.reduce((sum, { graph }) => sum + graph.nodeCount, 0);
  const found = sources.reduce(
    (sum, { graph }, index) => sum + graph.nodeCount * (texts[index]?.indexed ?? 0),
    0,
  );
  return nodes === 0 ? 1 : Math.floor((found / nodes) * 10_000) / 10_000;
}
