import type { ToolInput, Tree } from "@clew/contract";
import { graphLimits, toolLimits } from "@clew/contract";
import type { ReadableGraph } from "../../graph-cache/readable.ts";
import { search } from "../../operations/search.ts";
import { tree } from "../../operations/tree.ts";
import { describeWorkspaces } from "../../operations/workspaces.ts";
import { compose, type Draft, fullAnswer } from "../answer/compose.ts";
import { estimateTokens } from "../answer/tokens.ts";
import { count, day, freshness, freshnessOf, pageName } from "../answer/words.ts";
import { findPage, findWorkspace } from "../pages.ts";
import type { ToolAnswer, ToolCall } from "../tool-call.ts";

type Input = ToolInput<"workspace_overview">;

/** `workspace_overview`: what there is in a workspace or below a page, and how fresh it is. */
export async function workspaceOverview(call: ToolCall, input: Input): Promise<ToolAnswer> {
  const workspace = findWorkspace(call, input.workspace);
  const top = input.page === undefined ? undefined : findPage(call, input.page).node;
  const sources = call.graphs.filter(
    ({ connection, graph }) =>
      (workspace === undefined || connection.workspaceId === workspace) &&
      (top === undefined || graph.has(top.id)),
  );
  if (input.detail === "full")
    return fullAnswer({ limit: sources.length, maxTokens: input.max_tokens }, async (limit) => {
      const connections = sources.slice(0, limit).map(({ connection }) => connection);
      return { items: await describeWorkspaces(call.ctx.services, connections, call.ctx.reader) };
    });
  const scope = {
    ...(workspace !== undefined && { workspace_id: workspace }),
    ...(top !== undefined && { under: top.id }),
  };
  const opening = top === undefined ? workspacesDraft(call, sources) : pageDraft(call, top);
  const sections = [opening, ...(await contents(call, scope, sources, input.depth))];
  return { text: inSections(sections, input.max_tokens) };
}

/** Which part of the pages an overview is about. */
interface Scope {
  readonly workspace_id?: string;
  readonly under?: string;
}

/** Each section gets at most an equal share of what the ones before left. */
function inSections(sections: readonly Draft[], maxTokens: number = toolLimits.maxTokens.standard): string {
  const texts: string[] = [];
  let left = maxTokens;
  for (const [index, section] of sections.entries()) {
    const text = compose(section, Math.floor(left / Math.max(1, Math.min(2, sections.length - index))));
    left -= estimateTokens(text) + 1;
    texts.push(text);
  }
  return texts.join("\n");
}

const listing = (head: string, lines: readonly string[], more = "raise max_tokens"): Draft => ({
  head: [head],
  lines,
  tail: (shown) => (shown < lines.length ? [`(${lines.length - shown} left out: ${more}.)`] : []),
});

function workspacesDraft({ now }: ToolCall, sources: readonly ReadableGraph[]): Draft {
  if (sources.length === 0) return listing("No workspace is readable with this token.", []);
  const lines = sources.map(
    ({ connection, graph }) =>
      `- ${freshnessOf(connection, now)}; ${count(graph.nodeCount, "page")}, ${count(graph.edgeCount, "link")}`,
  );
  return listing(`Readable ${sources.length === 1 ? "workspace" : "workspaces"}:`, lines);
}

function pageDraft(call: ToolCall, { id, title, type }: ReturnType<typeof findPage>["node"]): Draft {
  return listing(`Below ${pageName(call.graphs, { id, title, type })} ${freshness(call, [id])}`, []);
}

const importantShown = 10;
const editsShown = 8;
const databasesShown = 10;

/** Tree, databases, important pages and latest edits, for tokens that may search. */
async function contents(
  call: ToolCall,
  scope: Scope,
  sources: readonly ReadableGraph[],
  depth: number | undefined,
): Promise<readonly Draft[]> {
  if (sources.length === 0) return [];
  if (!call.holds("graph:search"))
    return [listing("(To see what they contain, the token needs the scope graph:search.)", [])];
  const { graphs, ctx } = call;
  const [pages, databases, important, edits] = await Promise.all([
    treeDraft(call, scope, depth),
    search(ctx, { ...scope, type: "database", sort: "importance", limit: databasesShown }),
    search(ctx, { ...scope, sort: "importance", limit: importantShown }),
    search(ctx, { ...scope, sort: "updated", limit: editsShown }),
  ]);
  const names = important.items.map(({ node }) => pageName(graphs, node));
  return [
    pages,
    ...(databases.items.length === 0
      ? []
      : [
          listing(
            `Databases${databases.total === databases.items.length ? "" : ` (${databases.items.length} of ${databases.total})`}:`,
            databases.items.map(
              ({ node }) => `- ${pageName(graphs, { ...node, type: "page" })}: ${rows(call, node.id)}`,
            ),
          ),
        ]),
    ...(names.length === 0
      ? []
      : [
          listing(
            "Most important:",
            [`- ${names.slice(0, 5).join(", ")}`, `- ${names.slice(5).join(", ")}`].filter(
              (line) => line !== "- ",
            ),
          ),
        ]),
    ...(edits.items.length === 0
      ? []
      : [
          listing(
            "Latest edits:",
            edits.items.map(({ node }) => `- ${day(Date.parse(node.updated_at))} ${pageName(graphs, node)}`),
          ),
        ]),
  ];
}

function rows({ graphs }: ToolCall, id: string): string {
  const source = graphs.find(({ graph }) => graph.has(id));
  return count(source?.graph.edgesByType(id).child.out ?? 0, "row");
}

/** Levels that would make the tree longer are left out. */
const maxTreeLines = 60;

/** The tree of pages: as many levels as are asked for and short enough to be read. */
async function treeDraft(
  { ctx, graphs }: ToolCall,
  scope: Scope,
  wanted: number | undefined,
): Promise<Draft> {
  const limit = wanted === undefined ? maxTreeLines : graphLimits.tree.maximum;
  let depth = wanted ?? graphLimits.tree.standardDepth;
  let found: Tree = await tree(ctx, { ...scope, depth, limit });
  while (found.next_cursor !== null && depth > 1) {
    depth -= 1;
    found = await tree(ctx, { ...scope, depth, limit });
  }
  const lines = found.items.map(({ node, depth: level, below }) => {
    const inside = below > 0 ? ` (${below})` : "";
    return `${"  ".repeat(level - 1)}- ${pageName(graphs, { ...node, type: "page" })}${inside}`;
  });
  const levels = depth === 1 ? "one level" : `${depth} levels`;
  const more = found.next_cursor === null ? "" : `, the first ${lines.length}`;
  return listing(
    lines.length === 0 ? "No pages." : `Pages, ${levels}${more}; in parentheses how many are below:`,
    lines,
    "give a page to see what is below it",
  );
}
