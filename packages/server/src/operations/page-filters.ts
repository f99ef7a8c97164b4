import { nodeTraits, type PageFilters, pageFilters } from "@clew/contract";
import { authorsNamed, compareByCodePoint, type NodeFilter } from "@clew/graph";
import type { ReadableGraph } from "../graphs/readable.ts";
import { ApiError } from "../model/api-error.ts";
import { parseQueryTime, queryTimeForm } from "../model/query-time.ts";
import { locate, readNodeInQuery } from "./nodes.ts";
import type { RequestContext } from "./request-context.ts";

// The keys of the contract's table are the names.
const filterNames = Object.keys(pageFilters) as (keyof PageFilters)[];

/** The filters as given, in a fixed order: a cursor is bound to them. */
export const filterParameters = (filters: PageFilters): (string | null)[] =>
  filterNames.map((name) => filters[name] ?? null);

export const isFiltered = (filters: PageFilters): boolean =>
  filterNames.some((name) => filters[name] !== undefined);

const times = {
  updatedAfter: "updated_after",
  updatedBefore: "updated_before",
  createdAfter: "created_after",
  createdBefore: "created_before",
} as const;

/**
 * Reads the filters of a list (GRAPH-19), but for `workspace_id`, which selects graphs. `begunAt`: when the list began, which
 * spans of time count back from. Throws `ApiError` `invalid_request`.
 */
export async function readPageFilters(
  ctx: RequestContext,
  query: Omit<PageFilters, "workspace_id">,
  begunAt: number,
): Promise<NodeFilter> {
  const { type, under, by, is } = query;
  const words = is?.split(",") ?? [];
  return {
    type,
    under: under === undefined ? undefined : await readNodeInQuery(ctx, "under", under),
    ...(by === undefined ? {} : { by }),
    ...readTimes(query, begunAt),
    ...(is === undefined
      ? {}
      : {
          is: nodeTraits.filter((trait) => words.includes(trait)),
          isNot: nodeTraits.filter((trait) => words.includes(`-${trait}`)),
        }),
  };
}

/** Throws `ApiError` `invalid_request` if nobody in these graphs is the filter's person; the error names those who are there. */
function assertAuthor(readable: readonly ReadableGraph[], { by }: Pick<NodeFilter, "by">): void {
  if (by === undefined || readable.some(({ graph }) => authorsNamed(graph, by).length > 0)) return;
  const names = new Set(
    readable.flatMap(({ graph }) => graph.columns.nodes.authors.flatMap(({ name }) => name ?? [])),
  );
  const known = [...names].sort(compareByCodePoint).slice(0, maxNames);
  const others = names.size > known.length ? ` and ${names.size - known.length} more` : "";
  const message =
    known.length === 0
      ? "No page here has an author with a name."
      : `The authors here are ${known.join(", ")}${others}.`;
  throw new ApiError("invalid_request", "Nobody of this name made or edited a page.", {
    errors: [{ path: "?by", message }],
  });
}

/** Authors that an error names. */
const maxNames = 20;

function readTimes(query: PageFilters, begunAt: number): NodeFilter {
  const given = Object.entries(times).flatMap(([field, name]) => {
    const text = query[name];
    return text === undefined ? [] : [{ field, name, time: parseQueryTime(text, begunAt) }];
  });
  const errors = given
    .filter(({ time }) => time === null)
    .map(({ name }) => ({ path: `?${name}`, message: `must be ${queryTimeForm}` }));
  if (errors.length > 0)
    throw new ApiError("invalid_request", "A time in the query is not valid.", { errors });
  return Object.fromEntries(given.map(({ field, time }) => [field, time]));
}

/**
 * The graph that has the filter's `under`, or all without one. Throws `ApiError` `node_not_found` if none has it, and
 * `invalid_request` if none has its `by`.
 */
export function graphsWith(
  readable: readonly ReadableGraph[],
  { under, by }: Pick<NodeFilter, "under" | "by">,
): readonly ReadableGraph[] {
  assertAuthor(readable, { by });
  return under === undefined ? readable : [locate(readable, under).source];
}
