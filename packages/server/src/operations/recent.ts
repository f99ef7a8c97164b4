import { type Aspect, type ChangeKind, type Recent, type RecentQuery, recentLimits } from "@clew/contract";
import { compareListKeys, type ListKey, list, type NodeFilter, type NodeId } from "@clew/graph";
import { connectionsWithin, currentGraphs, graphsOfList, type ReadableGraph } from "../graphs/readable.ts";
import { ApiError, expired } from "../model/api-error.ts";
import type { Connection } from "../model/connection.ts";
import { parseQueryTime, queryTimeForm } from "../model/query-time.ts";
import { presentRecentChange } from "../present/graph.ts";
import type { Database } from "../store/port.ts";
import { lastEdits, type Removal, removalsSince } from "../store/queries/recent-changes.ts";
import { readNodeInQuery } from "./nodes.ts";
import { graphsWith } from "./page-filters.ts";
import { listCursors, type RequestContext, readableConnectionsOf } from "./request-context.ts";

/** The end of a page. */
interface Position {
  /** When the list began, in milliseconds since the Unix epoch. */
  readonly begunAt: number;
  /** The versions of the graphs. */
  readonly versions: readonly number[];
  readonly total: number | null;
  readonly after: { readonly at: number; readonly id: NodeId };
}

/** A change, in the order of the list by `key`. */
interface Found {
  readonly source: ReadableGraph;
  readonly kind: ChangeKind;
  readonly key: ListKey & { readonly value: number };
}

interface Wanted {
  readonly since: number;
  readonly filter: Pick<NodeFilter, "type" | "under">;
  readonly after: ListKey | undefined;
  readonly limit: number;
}

const dayMs = 86_400_000;

/** Removals that are counted; the total of a list with more is unknown. */
const maxCounted = 10_000;

const newestFirst = compareListKeys("desc");

/**
 * Lists the latest additions, edits and removals, newest first (GRAPH-29). Its cursor ends with the graph that the list began
 * in: what changed in a page is stored in one version only.
 */
export async function recent(ctx: RequestContext, query: RecentQuery): Promise<Recent> {
  const { database, graphs, givenCursors, clock } = ctx.services;
  const {
    since: span = recentLimits.standardSince,
    workspace_id,
    type,
    limit = recentLimits.standard,
  } = query;
  const under = query.under === undefined ? undefined : await readNodeInQuery(ctx, "under", query.under);
  const readable = readableConnectionsOf(ctx);
  const connections = connectionsWithin(readable, workspace_id);
  const cursors = listCursors<Position>(ctx, readable, {
    operation: "recent",
    version: 1,
    parameters: [span, workspace_id ?? null, type ?? null, under ?? null],
  });
  const position = query.cursor === undefined ? null : cursors.decode(query.cursor);
  const begunAt = position?.begunAt ?? clock();
  const since = readSince(span, begunAt);
  const published = position
    ? await latestGraphs(ctx, connections, position.versions)
    : await currentGraphs(graphs, connections);
  const filter = { type, under };
  const after = position ? { value: position.after.at, id: position.after.id } : undefined;
  const wanted = { since, filter, after, limit: limit + 1 };
  const found: Found[] = [];
  let total = position ? position.total : 0;
  for (const source of graphsWith(published, filter)) {
    const kept = editedAndAdded(source, wanted);
    const gone = await removals(database, source, wanted);
    found.push(...kept.items, ...gone.items);
    if (position === null) total = sumOf(total, kept.total, gone.total);
  }
  const page = found.toSorted((a, b) => newestFirst(a.key, b.key)).slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const versions = published.map(({ version }) => version);
  if (last !== undefined) givenCursors.note(published.map(({ connection }) => connection.id));
  return {
    items: await present(database, page),
    total,
    next_cursor: last
      ? cursors.encode({ begunAt, versions, total, after: { at: last.key.value, id: last.key.id } })
      : null,
  };
}

/** Throws `ApiError` `invalid_request`. */
function readSince(text: string, now: number): number {
  const since = parseQueryTime(text, now);
  if (since !== null && since >= now - recentLimits.days * dayMs) return since;
  throw new ApiError("invalid_request", "The list cannot begin at this time.", {
    errors: [
      {
        path: "?since",
        message: `must be ${queryTimeForm}, within ${recentLimits.days} days`,
      },
    ],
  });
}

/** The graphs in which a list began, if they are still the newest. Throws `ApiError` `cursor_expired`. */
async function latestGraphs(
  { services }: RequestContext,
  connections: readonly Connection[],
  versions: readonly number[],
): Promise<readonly ReadableGraph[]> {
  const sources = await graphsOfList(services.graphs, connections, versions);
  const current = await currentGraphs(services.graphs, connections);
  const isLatest = sources.every(
    ({ version, connection }, at) =>
      version >= connection.publishedRevision && version === current[at]?.version,
  );
  if (isLatest) return sources;
  throw expired("A newer graph was published");
}

/** Nodes that were created or edited since then. */
function editedAndAdded(source: ReadableGraph, { since, filter, after, limit }: Wanted) {
  const { graph } = source;
  const page = { after, order: "desc", limit } as const;
  const edited = list(graph, { ...page, filter: { ...filter, updatedAfter: since }, sort: "updated" });
  // A provider may say that a page was created after its last edit.
  const onlyCreated = { ...filter, createdAfter: since, updatedBefore: since };
  const created = list(graph, { ...page, filter: onlyCreated, sort: "created" });
  const items = [...edited.items, ...created.items].map(({ node, key }): Found => {
    const { createdAt } = graph.nodeAt(node);
    return {
      source,
      kind: createdAt >= since ? "added" : "changed",
      key: { id: key.id, value: Number(key.value) },
    };
  });
  return { items, total: edited.total + created.total };
}

/** Nodes that were removed since then and did not come back. A list of nodes of one kind or place has none. */
async function removals(database: Database, source: ReadableGraph, { since, filter, after, limit }: Wanted) {
  if (filter.type !== undefined || filter.under !== undefined) return { items: [], total: 0 };
  const { connection, version, graph } = source;
  const isFirst = after === undefined;
  let count = isFirst ? maxCounted + 1 : limit;
  const gone: Removal[] = [];
  let position = isFirst ? null : { at: Number(after.value), nodeId: after.id };
  let isCounted = true;
  // Those of pages that came back are passed over.
  for (;;) {
    const wanted = { since, upTo: version, after: position, limit: count };
    const rows = await removalsSince(database.read, connection.id, wanted);
    gone.push(...rows.filter(({ nodeId }) => !graph.has(nodeId)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < count) break;
    isCounted = false;
    if (gone.length >= limit) break;
    position = last;
    count = maxCounted + 1;
  }
  const items = gone.map(
    ({ nodeId, at }): Found => ({ source, kind: "removed", key: { id: nodeId, value: at } }),
  );
  return { items: items.slice(0, limit), total: isCounted ? gone.length : null };
}

function sumOf(...counts: readonly (number | null)[]): number | null {
  return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

async function present({ read }: Database, page: readonly Found[]): Promise<Recent["items"]> {
  const edits = new Map<NodeId, readonly Aspect[]>();
  const bySource = Map.groupBy(page, ({ source }) => source);
  for (const [{ connection }, changes] of bySource) {
    const edited = changes.filter(({ kind }) => kind === "changed").map(({ key }) => key.id);
    for (const [id, what] of await lastEdits(read, connection.id, edited)) edits.set(id, what);
  }
  return page.map(({ source, kind, key }) => {
    const what = kind === "changed" ? (edits.get(key.id) ?? []) : [];
    return presentRecentChange(source, { kind, what, nodeId: key.id, at: key.value });
  });
}
