import { type Edge, type Neighbors, type ToolInput, toolLimits } from "@clew/contract";
import { pageName, placeOf } from "../../operations/page-names.ts";
import { shownPages } from "../../operations/shown-pages.ts";
import { neighbors } from "../../operations/walks.ts";
import { fullAnswer, pagesAnswer } from "../answer/compose.ts";
import { type Coverage, coverageOf } from "../answer/coverage.ts";
import { count, freshness } from "../answer/words.ts";
import { findPage } from "../pages.ts";
import type { ToolAnswer, ToolCall } from "../tool-call.ts";
import { edgeFrom, edgeTypesOf, excerptOf, kindName } from "./link-words.ts";
import { readPart } from "./list-part.ts";

/** `list_links`: what a page is linked with. */
export async function listLinks(call: ToolCall, input: ToolInput<"list_links">): Promise<ToolAnswer> {
  const { node, source } = await findPage(call, input.page);
  const { direction = "both", depth = 1, skip = 0, limit = toolLimits.links.standard } = input;
  const edgeTypes = edgeTypesOf(input.kinds);
  const mayReadTexts = call.holds("graph:read");
  const wanted = {
    direction,
    depth,
    ...(edgeTypes && { edge_type: edgeTypes.join(",") }),
    ...(input.excerpts === true && mayReadTexts && { excerpts: true }),
  };
  const readPage = (page: { limit: number; cursor?: string }) =>
    neighbors(call.ctx, { id: node.id, ...wanted, ...page });
  if (input.detail === "full")
    return fullAnswer(
      { limit, maxTokens: input.max_tokens },
      (items) => readPart({ skip, limit: items }, readPage),
      shownPages.neighbors,
    );
  const { items, next_cursor: next, truncated } = await readPart({ skip, limit }, readPage);
  const name = pageName(call.graphs, node);
  const degrees = source.graph.edgesByType(node.id);
  const coverage = coverageOf(call, { ids: [node.id] });
  const none = skip > 0 ? "No more links" : "No links of this kind";
  const what = { in: "Pages that link to", out: "Pages that are linked from", both: "Pages linked with" }[
    direction
  ];
  const head =
    items.length === 0
      ? [coverage.none(`${none}: ${name}.`, `${none} were found for ${name}`), totals(degrees, coverage)]
      : [
          `${what} ${name}${direction === "both" ? " (→ from it, ← to it)" : ""}, ${depth > 1 ? `up to ${depth} steps away, ` : ""}nearest first.`,
          totals(degrees, coverage),
        ];
  return pagesAnswer(
    {
      head,
      lines: items.map((item) => lineOf(call, node.id, item)),
      tail: (shown) => [
        ...(next !== null || shown < items.length ? [`(There are more: skip=${skip + shown}.)`] : []),
        ...(input.excerpts === true && !mayReadTexts
          ? ["(Excerpts are left out: they need the scope graph:read.)"]
          : []),
        ...(truncated ? ["(The search reached its limit: some links are left out.)"] : []),
        freshness(call, [node.id]),
      ],
    },
    { about: [node.id], pages: items.map((item) => item.node.id) },
    input.max_tokens,
  );
}

/** The number of links of a page, by kind and direction. */
export function totals(
  degrees: Readonly<Record<Edge["type"], { readonly in: number; readonly out: number }>>,
  { isWhole, soFar }: Coverage,
): string {
  const of = (direction: "in" | "out") => {
    const parts = (["link", "mention", "relation"] as const).filter((type) => degrees[type][direction] > 0);
    return parts.length === 0
      ? "none"
      : parts.map((type) => count(degrees[type][direction], type)).join(", ");
  };
  const subpages = degrees.child.out > 0 ? `; ${count(degrees.child.out, "subpage")}` : "";
  return `${isWhole ? "All its links" : `Its links${soFar}`}: in: ${of("in")}; out: ${of("out")}${subpages}.`;
}

const maxEdges = 3;

/** A page, its place, and how it is linked: directly, or through a nearer page. */
function lineOf(
  { graphs }: ToolCall,
  pageId: string,
  { node, depth, edges }: Neighbors["items"][number],
): string {
  const place = placeOf(graphs, node.id);
  const shown = edges
    .slice(0, maxEdges)
    .map((edge) => (depth === 1 ? edgeFrom(pageId, edge) : through(graphs, node.id, edge)));
  const more = edges.length > shown.length ? [`and ${edges.length - shown.length} more`] : [];
  return `- ${pageName(graphs, node)}${place === "" ? "" : ` · ${place}`} · ${[...shown, ...more].join(", ")}${excerptOf(edges)}`;
}

/** An edge between a page and a nearer one: `→ link of Earth [9f0e1d2c]`. */
function through(graphs: ToolCall["graphs"], id: string, edge: Edge): string {
  const isFromNearer = edge.to === id;
  const nearer = graphs.find(({ graph }) => graph.has(id))?.graph.node(isFromNearer ? edge.from : edge.to);
  const name = nearer ? pageName(graphs, nearer) : "";
  return `${isFromNearer ? "→" : "←"} ${kindName(edge)} of ${name}`;
}
