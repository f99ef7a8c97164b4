import { type Broken, type BrokenQuery, graphLimits } from "@clew/contract";
import type { GraphNode } from "@clew/graph";
import { connectionsWithin, graphsOfList, type ReadableGraph } from "../graphs/readable.ts";
import type { UnresolvedReference } from "../model/node.ts";
import { presentNode } from "../present/graph.ts";
import type { Database } from "../store/port.ts";
import { readUnresolved } from "../store/queries/graph-reading.ts";
import { excerptsOf } from "./excerpts.ts";
import { readNodeInQuery } from "./nodes.ts";
import { graphsWith } from "./page-filters.ts";
import { listCursors, type RequestContext, readableConnectionsOf } from "./request-context.ts";
import { excerptsBytes, ResponseBudget, sizeOfName, sizeOfNode, takeWhile } from "./response-budget.ts";
import { type ListedNode, listNodes } from "./search.ts";

/** The end of a page of references, and the versions of the graphs. */
interface Position {
  readonly versions: readonly number[];
  readonly total: number | null;
  readonly after: Place;
}

/** A place in the list: after a reference of `node`. */
interface Place {
  readonly node: ListedNode;
  readonly reference: string;
}

/** A reference that does not resolve, with the node that has it. */
interface BrokenReference {
  readonly source: ReadableGraph;
  readonly node: GraphNode;
  readonly reference: UnresolvedReference;
}

/** References that do not resolve, by the title of their node, then by target (GRAPH-32). */
export async function broken(ctx: RequestContext, query: BrokenQuery): Promise<Broken> {
  const { workspace_id, under, limit = graphLimits.broken.standard, cursor } = query;
  const { database, graphs } = ctx.services;
  const top = under === undefined ? undefined : await readNodeInQuery(ctx, "under", under);
  const readable = readableConnectionsOf(ctx);
  const connections = connectionsWithin(readable, workspace_id);
  const cursors = listCursors<Position>(ctx, readable, {
    operation: "broken",
    version: 1,
    parameters: [workspace_id ?? null, top ?? null],
  });
  const position = cursor === undefined ? null : cursors.decode(cursor);
  const published = await graphsOfList(graphs, connections, position?.versions);
  const list = new BrokenList(database, graphsWith(published, { under: top }), top);
  const total = position === null ? await list.count() : position.total;
  const found = await list.after(position?.after, limit + 1);
  const budget = new ResponseBudget();
  const page = takeWhile(found.slice(0, limit), ({ node, reference }) =>
    budget.take(sizeOfNode(node) + sizeOfName(reference.name) + excerptsBytes),
  );
  const last = page.length < found.length ? page.at(-1) : undefined;
  const versions = published.map(({ version }) => version);
  return {
    items: await present(database, page),
    total,
    next_cursor: last === undefined ? null : cursors.encode({ versions, total, after: placeOf(last) }),
  };
}

const keyOf = ({ targetId, type }: UnresolvedReference): string => `${targetId} ${type}`;

const placeOf = ({ source, node, reference }: BrokenReference): Place => ({
  node: { connection: source.connection.id, id: node.id },
  reference: keyOf(reference),
});

/** The nodes whose references are read at once. */
const nodesAtOnce = 100;

/** The references of some graphs, or of what is below one node, in their order. */
class BrokenList {
  readonly #database: Pick<Database, "read">;
  readonly #sources: readonly ReadableGraph[];
  readonly #filter;

  constructor(
    database: Pick<Database, "read">,
    sources: readonly ReadableGraph[],
    under: string | undefined,
  ) {
    this.#database = database;
    this.#sources = sources;
    this.#filter = { under, is: ["broken"], isNot: [] } as const;
  }

  /** The number of references in the list; null if too many nodes have any. */
  async count(): Promise<number | null> {
    const { countedPages } = graphLimits.broken;
    const { items, total } = this.#nodes(undefined, countedPages);
    if (total > countedPages) return null;
    return (await this.#referencesOf(items)).length;
  }

  /** The first `limit` references after a place. */
  async after(place: Place | undefined, limit: number): Promise<BrokenReference[]> {
    const found = place === undefined ? [] : await this.#restOf(place);
    for (let after = place?.node; found.length < limit; ) {
      const { items } = this.#nodes(after, nodesAtOnce);
      found.push(...(await this.#referencesOf(items)));
      const last = items.at(-1);
      if (last === undefined || items.length < nodesAtOnce) break;
      after = { connection: last.source.connection.id, id: last.key.id };
    }
    return found.slice(0, limit);
  }

  /** The references after a place that its node has. */
  async #restOf({ node, reference }: Place): Promise<BrokenReference[]> {
    const source = this.#sources.find(({ connection }) => connection.id === node.connection);
    if (source === undefined) return [];
    const all = await this.#referencesOf([{ source, node: source.graph.indexOf(node.id) }]);
    return all.filter((each) => keyOf(each.reference) > reference);
  }

  #nodes(after: ListedNode | undefined, limit: number) {
    return listNodes(this.#sources, { filter: this.#filter, sort: "title", order: "asc", after, limit });
  }

  async #referencesOf(
    nodes: readonly { readonly source: ReadableGraph; readonly node: number }[],
  ): Promise<BrokenReference[]> {
    const listed = nodes.map(({ source, node }) => ({ source, node: source.graph.nodeAt(node) }));
    const bySource = Map.groupBy(listed, ({ source }) => source);
    const read = await Promise.all(
      [...bySource].map(async ([source, some]) => {
        const ids = some.map(({ node }) => node.id);
        return [source, await readUnresolved(this.#database.read, source.connection.id, ids)] as const;
      }),
    );
    const references = new Map(read);
    return listed.flatMap(({ source, node }) =>
      (references.get(source)?.get(node.id) ?? []).map((reference) => ({ source, node, reference })),
    );
  }
}

async function present(
  database: Pick<Database, "snapshot">,
  page: readonly BrokenReference[],
): Promise<Broken["items"]> {
  const edgeOf = ({ node, reference: { type, targetId, count } }: BrokenReference) =>
    ({ from: node.id, to: targetId, type, name: null, count }) as const;
  const excerpts = new Map<ReadableGraph, Awaited<ReturnType<typeof excerptsOf>>>();
  for (const [source, some] of Map.groupBy(page, (item) => item.source))
    excerpts.set(source, await excerptsOf(database, source, some.map(edgeOf)));
  return page.map((item) => {
    const { type, targetId, name, count } = item.reference;
    return {
      node: presentNode(item.source, item.node),
      type,
      target_id: targetId,
      name,
      count,
      excerpts: excerpts.get(item.source)?.(edgeOf(item)) ?? [],
    };
  });
}
