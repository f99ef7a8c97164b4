import {
  graphOperations,
  neededScopes,
  type SearchQuery,
  type SearchResults,
  type ToolInput,
  toolLimits,
} from "@clew/contract";
import { insufficientScope } from "../../auth/credentials.ts";
import { search } from "../../operations/search.ts";
import { compose, fullAnswer } from "../answer/compose.ts";
import { count, day, freshness, oneLine, pageName, placeOf } from "../answer/words.ts";
import { findPage, findWorkspace } from "../pages.ts";
import { readTimeWord } from "../times.ts";
import type { ToolAnswer, ToolCall } from "../tool-call.ts";
import { readPart } from "./list-part.ts";

/** `search_pages`: pages by title, or by filter alone. */
export async function searchPages(call: ToolCall, input: ToolInput<"search_pages">): Promise<ToolAnswer> {
  const { skip = 0, limit = toolLimits.search.standard } = input;
  const wanted = searchQueryOf(call, input);
  const needed = neededScopes(graphOperations.search, wanted);
  if (!call.holds(...needed)) throw insufficientScope(needed);
  const readItems = (items: number) =>
    readPart({ skip, limit: items }, (page) => search(call.ctx, { ...wanted, ...page }));
  if (input.detail === "full") return fullAnswer({ limit, maxTokens: input.max_tokens }, readItems);
  const { items, total, next_cursor: next } = await readItems(limit);
  return {
    text: compose(
      {
        head: [headline(wanted, items.length, skip, total)],
        lines: items.map(({ node }) => lineOf(call, wanted, node)),
        tail: (shown) => [
          ...(next !== null || shown < items.length ? [`(There are more: skip=${skip + shown}.)`] : []),
          freshness(call),
        ],
      },
      input.max_tokens,
    ),
  };
}

/** The request of the operation that the tool's arguments stand for. */
function searchQueryOf(call: ToolCall, input: ToolInput<"search_pages">): SearchQuery {
  const { query, type, sort, order, is } = input;
  const workspace = findWorkspace(call, input.workspace);
  const times = (["updated_after", "updated_before", "created_after", "created_before"] as const).flatMap(
    (name) => {
      const text = input[name];
      return text === undefined ? [] : [[name, readTimeWord(text, call.now)]];
    },
  );
  return {
    ...(query !== undefined && { q: query }),
    ...(workspace !== undefined && { workspace_id: workspace }),
    ...(input.under !== undefined && { under: findPage(call, input.under).node.id }),
    ...(type && { type }),
    ...(sort && { sort }),
    ...(order && { order }),
    ...(is !== undefined && is.length > 0 && { is: is.join(",") }),
    ...Object.fromEntries(times),
  };
}

function headline({ q, sort }: SearchQuery, found: number, skip: number, total: number | null): string {
  const what = q === undefined ? "Pages" : `Titles that match ${JSON.stringify(oneLine(q))}`;
  if (found === 0 && skip > 0) return `${what}: no more.`;
  if (found === 0)
    return `${what}: none. ${q === undefined ? "Use fewer filters." : "A title must have every word of the query: try fewer words."}`;
  const by =
    sort === undefined || sort === "relevance"
      ? q === undefined
        ? "last edited first"
        : "best first"
      : `by ${sort}`;
  return `${what}${total === null ? "" : ` (${total} in all)`}, ${by}:`;
}

type Node = SearchResults["items"][number]["node"];

/** A page, its place, and when it was edited, or what the list is sorted by. */
function lineOf({ graphs }: ToolCall, { sort }: SearchQuery, node: Node): string {
  const place = placeOf(graphs, node.id) || "top level";
  return `- ${pageName(graphs, node)} · ${place} · ${sortedBy(sort, node)}`;
}

function sortedBy(sort: SearchQuery["sort"], node: Node): string {
  if (sort === "created") return `created ${day(Date.parse(node.created_at))}`;
  if (sort === "degree") return count(node.degree.in + node.degree.out, "link");
  if (sort === "importance") return `importance ${node.importance.toFixed(2)}`;
  return `edited ${day(Date.parse(node.updated_at))}`;
}
