import { type ToolInput, toolLimits } from "@clew/contract";
import { search } from "../../operations/search.ts";
import { compose, fullAnswer } from "../answer/compose.ts";
import { day, freshness, oneLine, pageName, placeOf } from "../answer/words.ts";
import { findWorkspace } from "../pages.ts";
import type { ToolAnswer, ToolCall } from "../tool-call.ts";
import { readPart } from "./list-part.ts";

/** `search_pages`: pages by title. */
export async function searchPages(call: ToolCall, input: ToolInput<"search_pages">): Promise<ToolAnswer> {
  const { query, type, skip = 0, limit = toolLimits.search.standard } = input;
  const workspace = findWorkspace(call, input.workspace);
  const wanted = { q: query, ...(type && { type }), ...(workspace && { workspace_id: workspace }) };
  const readItems = (items: number) =>
    readPart({ skip, limit: items }, (page) => search(call.ctx, { ...wanted, ...page }));
  if (input.detail === "full") return fullAnswer({ limit, maxTokens: input.max_tokens }, readItems);
  const { items, next_cursor: next } = await readItems(limit);
  const quoted = JSON.stringify(oneLine(query));
  const lines = items.map(({ node }) => {
    const place = placeOf(call.graphs, node.id);
    return `- ${pageName(call.graphs, node)} · ${place || "top level"} · edited ${day(Date.parse(node.updated_at))}`;
  });
  return {
    text: compose(
      {
        head:
          items.length === 0 ? [nothingFound(quoted, skip)] : [`Titles that match ${quoted}, best first:`],
        lines,
        tail: (shown) => [
          ...(next !== null || shown < items.length ? [`(There are more: skip=${skip + shown}.)`] : []),
          freshness(call),
        ],
      },
      input.max_tokens,
    ),
  };
}

const nothingFound = (query: string, skip: number): string =>
  skip > 0
    ? `No more titles match ${query}.`
    : `No title matches ${query}. Titles must have every word of the query: try fewer words.`;
