import type { Related, ToolInput } from "@clew/contract";
import { toolLimits } from "@clew/contract";
import { oneLine, pageName, placeOf } from "../../operations/page-names.ts";
import { related } from "../../operations/related.ts";
import { shownPages } from "../../operations/shown-pages.ts";
import { fullAnswer, pagesAnswer } from "../answer/compose.ts";
import { coverageOf } from "../answer/coverage.ts";
import { freshness } from "../answer/words.ts";
import { findPage } from "../pages.ts";
import type { ToolAnswer, ToolCall } from "../tool-call.ts";

/** `find_related`: pages that share links with a page. */
export async function findRelated(call: ToolCall, input: ToolInput<"find_related">): Promise<ToolAnswer> {
  const { node } = await findPage(call, input.page);
  const { limit = toolLimits.related.standard } = input;
  const read = (items: number) => related(call.ctx, { id: node.id, limit: items });
  if (input.detail === "full")
    return fullAnswer({ limit, maxTokens: input.max_tokens }, read, shownPages.related);
  const { items, truncated } = await read(limit);
  const name = pageName(call.graphs, node);
  const head =
    items.length === 0
      ? coverageOf(call, { ids: [node.id] }).none(
          `No page shares links with ${name}, apart from those that it is linked with (list_links).`,
          `Apart from those that it is linked with (list_links), no page that shares links with ${name} was found`,
        )
      : `Pages that share links with ${name} without being linked with it, nearest first:`;
  return pagesAnswer(
    {
      head: [head],
      lines: items.map((item) => lineOf(call, item)),
      tail: (shown) => [
        ...(shown < items.length ? [`(${items.length - shown} left out: raise max_tokens.)`] : []),
        ...(truncated ? ["(The search reached its limit: there may be others.)"] : []),
        freshness(call, [node.id]),
      ],
    },
    { about: [node.id], pages: items.map((item) => item.node.id) },
    input.max_tokens,
  );
}

const shared = { same_targets: "both link to", same_sources: "both linked from" } as const;

function lineOf({ graphs }: ToolCall, { node, reasons }: Related["items"][number]): string {
  const place = placeOf(graphs, node.id);
  const why = reasons.map(({ type, count, via }) => {
    const names = via.map(({ title }) => oneLine(title) || "Untitled").join(", ");
    return `${shared[type]} ${names}${count > via.length ? ` and ${count - via.length} more` : ""}`;
  });
  return `- ${pageName(graphs, node)}${place === "" ? "" : ` · ${place}`} · ${why.join("; ")}`;
}
