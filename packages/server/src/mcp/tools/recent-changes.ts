import { type Recent, recentLimits, type ToolInput, toolLimits } from "@clew/contract";
import { pageName, placeOf } from "../../operations/page-names.ts";
import { recent } from "../../operations/recent.ts";
import { shownPages } from "../../operations/shown-pages.ts";
import { fullAnswer, pagesAnswer } from "../answer/compose.ts";
import { coverageOf } from "../answer/coverage.ts";
import { filterWords } from "../answer/filter-words.ts";
import { day, freshness, timeOfDay } from "../answer/words.ts";
import { findPage, findWorkspace } from "../pages.ts";
import { readTime } from "../times.ts";
import type { ToolAnswer, ToolCall } from "../tool-call.ts";
import { readPart } from "./list-part.ts";

/** `recent_changes`: what was added, edited or removed lately. */
export async function recentChanges(call: ToolCall, input: ToolInput<"recent_changes">): Promise<ToolAnswer> {
  const { since = recentLimits.standardSince, type, skip = 0, limit = toolLimits.changes.standard } = input;
  const workspace = findWorkspace(call, input.workspace);
  const wanted = {
    since: readTime("since", since, call.now),
    ...(workspace !== undefined && { workspace_id: workspace }),
    ...(type && { type }),
    ...(input.under !== undefined && { under: (await findPage(call, input.under)).node.id }),
  };
  const read = (items: number) =>
    readPart({ skip, limit: items }, (page) => recent(call.ctx, { ...wanted, ...page }));
  if (input.detail === "full")
    return fullAnswer({ limit, maxTokens: input.max_tokens }, read, shownPages.recent);
  const { items, total, next_cursor: next } = await read(limit);
  const { none, isWhole, soFar } = coverageOf(call, { workspace });
  const many = total === null ? "" : `, ${total}${isWhole ? " in all" : soFar}`;
  const filters = filterWords(call, wanted);
  const nothing = filters === "" ? "Nothing" : `Nothing that ${filters}`;
  const head =
    items.length === 0 && skip === 0
      ? none(`${nothing} changed since ${since}.`, `${nothing} that changed since ${since} was found`)
      : `Changes since ${since}, newest first${many} (UTC):`;
  return pagesAnswer(
    {
      head: [head],
      lines: linesOf(call, items),
      tail: (shown) => [
        ...(next !== null || shown < items.length ? [`(There are more: skip=${skip + shown}.)`] : []),
        freshness(call),
      ],
    },
    { pages: items.map(({ node_id: id }) => id) },
    input.max_tokens,
  );
}

/** A line for each change. The first one of a day comes with the day, because the others would repeat it. */
function linesOf(call: ToolCall, items: Recent["items"]): readonly string[] {
  return items.map((item, index) => {
    const before = items[index - 1];
    const isFirst = before === undefined || dayOf(before) !== dayOf(item);
    return `${isFirst ? `${dayOf(item)}:\n` : ""}${lineOf(call, item)}`;
  });
}

const dayOf = ({ at }: Recent["items"][number]): string => day(Date.parse(at));

function lineOf(
  { graphs }: ToolCall,
  { change, at, what, node_id: id, node }: Recent["items"][number],
): string {
  const time = timeOfDay(Date.parse(at));
  if (node === null) return `- ${time} ${change} a page [${id.replaceAll("-", "").slice(-8)}]`;
  const place = placeOf(graphs, id);
  const aspects = what.length === 0 ? "" : `: ${what.join(", ")}`;
  return `- ${time} ${change}${aspects} · ${pageName(graphs, node)}${place === "" ? "" : ` · ${place}`}`;
}
