import { graphLimits, type Tree, type TreeQuery } from "@clew/contract";
import { listTree, type TreeItem } from "@clew/graph";
import { connectionsWithin, graphsOfList, type ReadableGraph } from "../graphs/readable.ts";
import { presentNode } from "../present/graph.ts";
import { readNodeInQuery } from "./nodes.ts";
import { graphsWith } from "./page-filters.ts";
import { listCursors, type RequestContext, readableConnectionsOf } from "./request-context.ts";
import { ResponseBudget, sizeOfNode, takeWhile } from "./response-budget.ts";

/** The position at which a list continues, and the versions of the graphs. */
interface Position {
  readonly versions: readonly number[];
  readonly connection: number;
  /** The node that comes next, in preorder. */
  readonly position: number;
}

/** The tree of pages, workspace by workspace (GRAPH-25). */
export async function tree(
  ctx: RequestContext,
  { workspace_id, under, depth = graphLimits.tree.standardDepth, limit, cursor }: TreeQuery,
): Promise<Tree> {
  const { graphs } = ctx.services;
  const top = under === undefined ? undefined : await readNodeInQuery(ctx, "under", under);
  const readable = readableConnectionsOf(ctx);
  const connections = connectionsWithin(readable, workspace_id);
  const cursors = listCursors<Position>(ctx, readable, {
    operation: "tree",
    version: 1,
    parameters: [workspace_id ?? null, top ?? null, depth],
  });
  const start = cursor === undefined ? null : cursors.decode(cursor);
  const published = await graphsOfList(graphs, connections, start?.versions);
  const sources = graphsWith(published, { under: top });
  const options = { under: top, depth, limit: limit ?? graphLimits.tree.standard };
  const { items, next } = readTrees(sources, options, start);
  const versions = published.map(({ version }) => version);
  return {
    items: items.map(({ source, item }) => ({
      node: presentNode(source, source.graph.nodeAt(item.node)),
      depth: item.depth,
      children: item.children,
      below: item.below,
    })),
    next_cursor: next && cursors.encode({ versions, ...next }),
  };
}

type Start = Pick<Position, "connection" | "position">;

/** A page of several trees, one after the other: as many items as fit. */
function readTrees(
  sources: readonly ReadableGraph[],
  { limit, ...options }: { under: string | undefined; depth: number; limit: number },
  start: Start | null,
): { items: readonly { source: ReadableGraph; item: TreeItem }[]; next: Start | null } {
  const budget = new ResponseBudget();
  const items: { source: ReadableGraph; item: TreeItem }[] = [];
  const first = sources.findIndex(({ connection }) => connection.id === start?.connection);
  for (const [index, source] of sources.slice(Math.max(0, first)).entries()) {
    const { graph, connection } = source;
    const from = index === 0 ? start?.position : undefined;
    // One more than fits tells where the next page begins.
    const found = listTree(graph, { ...options, from, limit: limit - items.length + 1 });
    const fitting = takeWhile(found.slice(0, limit - items.length), ({ node }) =>
      budget.take(sizeOfNode(graph.nodeAt(node))),
    );
    items.push(...fitting.map((item) => ({ source, item })));
    const next = found[fitting.length];
    if (next) return { items, next: { connection: connection.id, position: next.position } };
  }
  return { items, next: null };
}
