import { graphLimits, type Node, type Scope, type ToolInput, type Tree, toolLimits } from "@clew/contract";
import type { GraphNode } from "@clew/graph";
import type { Column } from "@clew/provider";
import type { ReadableGraph } from "../../graphs/readable.ts";
import { countTokens } from "../../model/tokens.ts";
import { oneLine, pageName } from "../../operations/page-names.ts";
import { columnsOf } from "../../operations/rows.ts";
import { search } from "../../operations/search.ts";
import { tree } from "../../operations/tree.ts";
import { describeWorkspaces } from "../../operations/workspaces.ts";
import { compose, type Draft, fullAnswer } from "../answer/compose.ts";
import { type Coverage, coverageOf } from "../answer/coverage.ts";
import { count, day, freshness, freshnessOf } from "../answer/words.ts";
import { findPage, findWorkspace } from "../pages.ts";
import type { ToolAnswer, ToolCall } from "../tool-call.ts";

type Input = ToolInput<"workspace_overview">;

/** `workspace_overview`: what there is in a workspace or below a page, and how fresh it is. */
export async function workspaceOverview(call: ToolCall, input: Input): Promise<ToolAnswer> {
  const workspace = findWorkspace(call, input.workspace);
  const top = input.page === undefined ? undefined : (await findPage(call, input.page)).node;
  const sources = call.graphs.filter(
    ({ connection, graph }) =>
      (workspace === undefined || connection.workspaceId === workspace) &&
      (top === undefined || graph.has(top.id)),
  );
  const scope = {
    ...(workspace !== undefined && { workspace_id: workspace }),
    ...(top !== undefined && { under: top.id }),
  };
  const hasContents = sources.length > 0 && call.holds("graph:search");
  if (input.detail === "full") {
    let contents: Contents | null = null;
    return fullAnswer(
      { limit: maxTreeLines, maxTokens: input.max_tokens },
      async (limit) => {
        const connections = sources.slice(0, limit).map(({ connection }) => connection);
        contents = hasContents ? await readContents(call, scope, { depth: input.depth, limit }) : null;
        return {
          workspaces: await describeWorkspaces(call.ctx.services, connections, call.ctx.caller),
          ...contents,
        };
      },
      () => (contents === null ? [] : pagesIn(contents)),
    );
  }
  const coverage = coverageOf(call, { workspace, ...(top && { ids: [top.id] }) });
  const opening = top === undefined ? workspacesDraft(call, sources) : pageDraft(call, top);
  const contents = hasContents ? await readContents(call, scope, { depth: input.depth }) : null;
  const sections =
    contents === null
      ? sources.slice(0, 1).map(() => listing(missingScope("what they contain", "graph:search"), []))
      : draftsOf(call, contents, coverage);
  return {
    text: inSections([opening, ...sections], input.max_tokens),
    // Those for which there was no room are few.
    pages: [...(top === undefined ? [] : [top.id]), ...(contents === null ? [] : pagesIn(contents))],
  };
}

/** The pages that an overview lists. */
function pagesIn({ tree, databases, important, edits }: Contents): readonly string[] {
  return [
    ...[...tree.items, ...databases.items].map(({ node }) => node.id),
    ...[...important, ...edits].map(({ id }) => id),
  ];
}

const missingScope = (what: string, scope: Scope) => `(To see ${what}, the token needs the scope ${scope}.)`;

/** Which part of the pages an overview is about. */
interface Part {
  readonly workspace_id?: string;
  readonly under?: string;
}

/** The contents of an overview, as messages of the contract. */
interface Contents {
  readonly tree: Tree & { readonly levels: number };
  /** By importance. The schema is left out if the token may not read it. */
  readonly databases: {
    readonly items: readonly {
      readonly node: Node;
      readonly rows: number;
      readonly schema?: readonly Column[];
    }[];
    readonly total: number | null;
  };
  readonly important: readonly Node[];
  readonly edits: readonly Node[];
}

/** The most that each list of an overview shows. */
const shown = { databases: 10, important: 10, edits: 8 } as const;

/** Tree, databases, most important pages and latest edits, each with at most `limit` items if that is given. */
async function readContents(
  call: ToolCall,
  part: Part,
  { depth, limit }: { readonly depth: number | undefined; readonly limit?: number },
): Promise<Contents> {
  const { ctx } = call;
  const atMost = (items: number) => Math.min(items, limit ?? items);
  const [tree, databases, important, edits] = await Promise.all([
    readTree(call, part, { depth, limit }),
    search(ctx, { ...part, type: "database", sort: "importance", limit: atMost(shown.databases) }),
    search(ctx, { ...part, sort: "importance", limit: atMost(shown.important) }),
    search(ctx, { ...part, sort: "updated", limit: atMost(shown.edits) }),
  ]);
  const nodes = databases.items.map(({ node }) => node);
  const ids = nodes.map(({ id }) => id);
  const schemas = call.holds("graph:read") ? await columnsOf(ctx, ids) : [];
  return {
    tree,
    databases: {
      items: nodes.map((node, index) => {
        const schema = schemas[index];
        return { node, rows: rowCount(call, node.id), ...(schema !== undefined && { schema }) };
      }),
      total: databases.total,
    },
    important: important.items.map(({ node }) => node),
    edits: edits.items.map(({ node }) => node),
  };
}

function rowCount({ graphs }: ToolCall, id: string): number {
  const source = graphs.find(({ graph }) => graph.has(id));
  return source?.graph.edgesByType(id).child.out ?? 0;
}

/** Levels that would make the tree longer are left out. */
const maxTreeLines = 60;

/** The tree of pages: as many levels as are asked for and short enough to be read. */
async function readTree(
  { ctx }: ToolCall,
  part: Part,
  { depth, limit }: { readonly depth: number | undefined; readonly limit: number | undefined },
): Promise<Contents["tree"]> {
  const lines = limit ?? (depth === undefined ? maxTreeLines : graphLimits.tree.maximum);
  let levels = depth ?? graphLimits.tree.standardDepth;
  let found: Tree = await tree(ctx, { ...part, depth: levels, limit: lines });
  while (found.next_cursor !== null && levels > 1) {
    levels -= 1;
    found = await tree(ctx, { ...part, depth: levels, limit: lines });
  }
  return { ...found, levels };
}

/** Each section gets at most an equal share of what the ones before left. */
function inSections(sections: readonly Draft[], maxTokens: number = toolLimits.maxTokens.standard): string {
  const texts: string[] = [];
  let left = maxTokens;
  for (const [index, section] of sections.entries()) {
    const text = compose(section, Math.floor(left / Math.max(1, Math.min(2, sections.length - index))));
    left -= countTokens(text) + 1;
    texts.push(text);
  }
  return texts.join("\n");
}

const listing = (head: string, lines: readonly string[], more = "raise max_tokens"): Draft => ({
  head: [head],
  lines,
  tail: (count) => (count < lines.length ? [`(${lines.length - count} left out: ${more}.)`] : []),
});

function workspacesDraft({ now }: ToolCall, sources: readonly ReadableGraph[]): Draft {
  if (sources.length === 0) return listing("No workspace is readable with this token.", []);
  const lines = sources.map((source) => {
    const { connection, graph } = source;
    const counts = `${count(graph.nodeCount, "page")}, ${count(graph.edgeCount, "link")}`;
    return `- ${freshnessOf(connection, now)}; ${counts}${coverageOf({ graphs: [source] }).soFar}`;
  });
  return listing(`Readable ${sources.length === 1 ? "workspace" : "workspaces"}:`, lines);
}

function pageDraft(call: ToolCall, { id, title, type }: GraphNode): Draft {
  return listing(`Below ${pageName(call.graphs, { id, title, type })} ${freshness(call, [id])}`, []);
}

/** The sections of an overview. Lists that are empty are left out. */
function draftsOf(call: ToolCall, contents: Contents, coverage: Coverage): Draft[] {
  const { databases, important, edits } = contents;
  return [
    treeDraft(call, contents, coverage),
    ...(databases.items.length === 0 ? [] : [databasesDraft(call, contents, coverage)]),
    ...(important.length === 0 ? [] : [importantDraft(call, contents)]),
    ...(edits.length === 0 ? [] : [editsDraft(call, contents)]),
  ];
}

function treeDraft(
  { graphs }: ToolCall,
  { tree: { items, next_cursor, levels } }: Contents,
  { none, soFar }: Coverage,
): Draft {
  const lines = items.map(({ node, depth, below }) => {
    const inside = below > 0 ? ` (${below})` : "";
    return `${"  ".repeat(depth - 1)}- ${pageName(graphs, { ...node, type: "page" })}${inside}`;
  });
  const depth = levels === 1 ? "one level" : `${levels} levels`;
  const more = next_cursor === null ? "" : `, the first ${lines.length}`;
  return listing(
    lines.length === 0
      ? none("No pages.", "No pages were found")
      : `Pages, ${depth}${more}; in parentheses how many are below${soFar}:`,
    lines,
    "give a page to see what is below it",
  );
}

/** Tokens of the columns of a database. */
const columnsTokens = 100;
const columnTokens = 8;

function databasesDraft(
  call: ToolCall,
  { databases: { items, total } }: Contents,
  { soFar }: Coverage,
): Draft {
  const some = total === items.length ? "" : ` (${items.length} of ${total})`;
  const hint = call.holds("graph:read") ? "" : ` ${missingScope("their columns", "graph:read")}`;
  return listing(
    `Databases${some}:${hint}`,
    items.map(({ node, rows, schema = [] }) => {
      const name = `- ${pageName(call.graphs, { ...node, type: "page" })}: ${count(rows, "row")}${soFar}`;
      return schema.length === 0 ? name : `${name}; ${columnsText(schema)}`;
    }),
  );
}

/** The columns of a database with their types, those of one type together; as many as fit. */
function columnsText(schema: readonly Column[]): string {
  const byType = Map.groupBy(schema, ({ type }) => type);
  const groups = [...byType].map(
    ([type, columns]) => `${type} ${columns.map(({ name }) => oneLine(name, columnTokens)).join(", ")}`,
  );
  return oneLine(groups.join("; "), columnsTokens);
}

function importantDraft({ graphs }: ToolCall, { important }: Contents): Draft {
  const names = important.map((node) => pageName(graphs, node));
  const lines = [names.slice(0, 5), names.slice(5)].filter((line) => line.length > 0);
  return listing(
    "Most important:",
    lines.map((line) => `- ${line.join(", ")}`),
  );
}

function editsDraft({ graphs }: ToolCall, { edits, databases }: Contents): Draft {
  // The section before says which of the pages are databases.
  const listed = new Set(databases.items.map(({ node }) => node.id));
  const name = (node: Node) => pageName(graphs, listed.has(node.id) ? { ...node, type: "page" } : node);
  const byDay = Map.groupBy(edits, ({ updated_at }) => day(Date.parse(updated_at)));
  return listing(
    "Latest edits:",
    [...byDay].map(([date, nodes]) => `- ${date}: ${nodes.map(name).join(", ")}`),
  );
}
