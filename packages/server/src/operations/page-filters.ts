import { nodeTraits, type PageFilters } from "@clew/contract";
import type { NodeFilter } from "@clew/graph";
import type { ReadableGraph } from "../graphs/readable.ts";
import { ApiError } from "../model/api-error.ts";
import { parseQueryTime, queryTimeForm } from "../model/query-time.ts";
import { locate, readNodeInQuery } from "./nodes.ts";
import type { RequestContext } from "./request-context.ts";

/** The filters as given, in a fixed order: a cursor is bound to them. */
export function filterParameters(filters: PageFilters): (string | null)[] {
  const { workspace_id, type, under, updated_after, updated_before, created_after, created_before, is } =
    filters;
  const given = [workspace_id, type, under, updated_after, updated_before, created_after, created_before, is];
  return given.map((value) => value ?? null);
}

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
export function readPageFilters(
  ctx: RequestContext,
  query: Omit<PageFilters, "workspace_id">,
  begunAt: number,
): NodeFilter {
  const { type, under, is } = query;
  const words = is?.split(",") ?? [];
  return {
    type,
    under: under === undefined ? undefined : readNodeInQuery(ctx, "under", under),
    ...readTimes(query, begunAt),
    ...(is === undefined
      ? {}
      : {
          is: nodeTraits.filter((trait) => words.includes(trait)),
          isNot: nodeTraits.filter((trait) => words.includes(`-${trait}`)),
        }),
  };
}

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

/** The graph that has the filter's `under`, or all without one. Throws `ApiError` `node_not_found` if none has it. */
export function graphsWith(
  readable: readonly ReadableGraph[],
  { under }: Pick<NodeFilter, "under">,
): readonly ReadableGraph[] {
  return under === undefined ? readable : [locate(readable, under).source];
}
