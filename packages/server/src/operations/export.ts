import { setImmediate } from "node:timers/promises";
import type { ExportQuery } from "@clew/contract";
import { edgesOf, filteredNodes, type GraphNode, type NodeId, nodesOf } from "@clew/graph";
import { isWithinPair } from "@clew/text/basics";
import {
  connectionsWithin,
  currentGraphs,
  type ReadableGraph,
  readableConnections,
} from "../graphs/readable.ts";
import { ApiError } from "../model/api-error.ts";
import type { KnownCaller } from "../model/caller.ts";
import { type ExportCounts, type ExportWriter, exportWriter } from "../present/export.ts";
import { presentEdge, presentNode, presentTextFacts } from "../present/graph.ts";
import { graphRevision } from "../store/queries/changes.ts";
import {
  contentSizes,
  contentsBetween,
  readProperties,
  readUnresolved,
} from "../store/queries/graph-reading.ts";
import { type QueryServices, type RequestContext, readableConnectionsOf } from "./request-context.ts";

/** An export that has not begun. */
export interface Export {
  /** The versions on which the bytes of the export depend, besides the request. */
  readonly version: readonly (string | number)[];
  /**
   * The export in chunks. Between two of them other work gets its turn, and about once a second the access of the caller is
   * checked again. Throws `ApiError` when that has ended, or after an hour.
   */
  chunks(): AsyncGenerator<string>;
  /** The ids of the pages and databases in it. */
  pages(): Iterable<string>;
}

/** Changes when the same graph is written differently. */
const formatVersion = 3;

/** Milliseconds. A client that reads slowly keeps old graphs in memory for as long as this. */
const lifetimeMs = 60 * 60_000;
const confirmIntervalMs = 1000;

/** Limits of a chunk, in UTF-16 code units and in nodes or edges, so that one takes a millisecond or two. */
const chunkUnits = 32 * 1024;
const chunkItems = 250;

/**
 * The published graph of each readable workspace, or of one: its nodes, then its edges, then the texts if they are wanted,
 * or only its broken references (GRAPH-26). `confirm` returns the caller as of now.
 */
export async function exportGraph(
  ctx: RequestContext,
  query: ExportQuery,
  confirm: () => Promise<KnownCaller>,
): Promise<Export> {
  const { format = "jsonl", part, text = false } = query;
  checkParameters(query);
  const { services } = ctx;
  const connections = connectionsWithin(readableConnectionsOf(ctx), query.workspace_id);
  const sources = await currentGraphs(services.graphs, connections);
  const version: (string | number)[] = [formatVersion];
  for (const source of sources) {
    const { connection } = source;
    version.push(connection.id, source.version);
    // Properties and texts change before the graph that shows their links is published.
    version.push((await graphRevision(services.database.read, connection.id)) ?? 0);
  }
  const supervise = createSupervision(services, connections, confirm);
  const wanted = {
    nodes: part === undefined || part === "nodes",
    edges: part === undefined || part === "edges",
    broken: part === "broken",
    texts: text,
  };
  const chunks = () => writeGraphs(sources, exportWriter(format, part), wanted, services, supervise);
  return { version, chunks, pages: () => pagesOf(sources, part) };
}

function* pagesOf(sources: readonly ReadableGraph[], part: ExportQuery["part"]): Generator<string> {
  for (const { graph } of sources)
    for (const { id } of part === "broken" ? brokenNodes(graph) : nodesOf(graph)) yield id;
}

/** The nodes that have references which do not resolve. */
function brokenNodes(graph: ReadableGraph["graph"]): IteratorObject<GraphNode> {
  const filtered = filteredNodes(graph, { is: ["broken"] });
  return nodesOf(graph).filter(({ id }) => filtered?.has(graph.indexOf(id)));
}

/** Throws `ApiError` `invalid_request` for parameters that do not go together. */
function checkParameters({ format, part, text }: ExportQuery): void {
  const errors = [];
  if (format === "csv" && part === undefined)
    errors.push({ path: "?part", message: "must be nodes, edges or broken with format=csv" });
  if (format === "graphml" && part === "broken")
    errors.push({
      path: "?part",
      message: "cannot be broken with format=graphml, which has no place for it",
    });
  if (text && format !== undefined && format !== "jsonl")
    errors.push({ path: "?text", message: "can be true only with format=jsonl" });
  else if (text && part !== undefined && part !== "nodes")
    errors.push({ path: "?text", message: `cannot be true with part=${part}, which leaves out the pages` });
  if (errors.length > 0) throw new ApiError("invalid_request", "The export is not possible.", { errors });
}

/**
 * Called before each chunk, lets other work have its turn. Throws `ApiError` if the export takes too long, or the caller may
 * no longer read all of these connections.
 */
function createSupervision(
  { monotonic, oldestWithdrawal }: QueryServices,
  connections: readonly { readonly id: number }[],
  confirm: () => Promise<KnownCaller>,
): () => Promise<void> {
  const endsAt = monotonic() + lifetimeMs;
  let confirmedAt = monotonic();
  return async () => {
    await setImmediate();
    const now = monotonic();
    if (now >= endsAt) throw new ApiError("request_timeout", "The export took longer than an hour.");
    if (now - confirmedAt < confirmIntervalMs) return;
    confirmedAt = now;
    const readable = new Set(readableConnections(await confirm(), oldestWithdrawal()).map(({ id }) => id));
    if (!connections.every(({ id }) => readable.has(id)))
      throw new ApiError("workspace_not_allowed", "A workspace was disconnected during its export.");
  };
}

async function* writeGraphs(
  sources: readonly ReadableGraph[],
  writer: ExportWriter,
  wanted: Readonly<Record<"nodes" | "edges" | "broken" | "texts", boolean>>,
  { database }: Pick<QueryServices, "database">,
  supervise: () => Promise<void>,
): AsyncGenerator<string> {
  const counts: ExportCounts = { nodes: 0, edges: 0 };
  if (writer.start !== "") yield writer.start;
  for (const source of sources) {
    const { graph } = source;
    if (wanted.nodes) {
      counts.nodes += graph.nodeCount;
      yield* writeNodes(database, source, writer, supervise);
    }
    if (wanted.edges) {
      counts.edges += graph.edgeCount;
      yield* inChunks(edgesOf(graph), (edge) => writer.edge(presentEdge(edge)), supervise);
    }
    if (wanted.broken) {
      const written = yield* writeBroken(database, source, writer, supervise);
      counts.broken = (counts.broken ?? 0) + written;
    }
    if (wanted.texts) yield* writeTexts(database, source, supervise);
  }
  const end = writer.end(counts);
  if (end !== "") yield end;
}

/** The nodes whose properties or references are read at once. */
const nodesAtOnce = 250;

/** The nodes of a graph with their properties as they are stored now. */
async function* writeNodes(
  { read }: QueryServices["database"],
  source: ReadableGraph,
  writer: ExportWriter,
  supervise: () => Promise<void>,
): AsyncGenerator<string> {
  const { connection, graph } = source;
  for (const nodes of groupsOf(nodesOf(graph), nodesAtOnce)) {
    const ids = nodes.map(({ id }) => id);
    const properties = await readProperties(read, connection.id, ids);
    const write = (node: GraphNode) =>
      writer.node({ ...presentNode(source, node), properties: properties.get(node.id) ?? {} });
    yield* inChunks(nodes, write, supervise);
  }
}

/** The references of a graph's nodes that do not resolve, as they are stored now. Returns their number. */
async function* writeBroken(
  { read }: QueryServices["database"],
  { connection, graph }: ReadableGraph,
  writer: ExportWriter,
  supervise: () => Promise<void>,
): AsyncGenerator<string, number> {
  let written = 0;
  for (const nodes of groupsOf(brokenNodes(graph), nodesAtOnce)) {
    const ids = nodes.map(({ id }) => id);
    const unresolved = await readUnresolved(read, connection.id, ids);
    const references = ids.flatMap((from) =>
      (unresolved.get(from) ?? []).map(({ type, targetId, name, count }) => ({
        from,
        type,
        target_id: targetId,
        name,
        count,
      })),
    );
    written += references.length;
    yield* inChunks(references, (reference) => writer.broken(reference), supervise);
  }
  return written;
}

/** Cuts items into groups of at most `size`. */
function* groupsOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let group: Item[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Writes items, several in a chunk. */
async function* inChunks<Item>(
  items: Iterable<Item>,
  write: (item: Item) => string,
  supervise: () => Promise<void>,
): AsyncGenerator<string> {
  let [chunk, count] = ["", 0];
  for (const item of items) {
    chunk += write(item);
    count += 1;
    if (chunk.length < chunkUnits && count < chunkItems) continue;
    yield chunk;
    await supervise();
    [chunk, count] = ["", 0];
  }
  if (chunk !== "") yield chunk;
}

/** The numbers of texts that are read at once, and of code points that they may have together; one alone may have more. */
const textsAtOnce = 200;
const charsAtOnce = 64 * 1024;

/** The texts of a graph's nodes as they are stored now, each a line of JSON. */
async function* writeTexts(
  { read }: QueryServices["database"],
  { connection, graph }: ReadableGraph,
  supervise: () => Promise<void>,
): AsyncGenerator<string> {
  let after: NodeId | null = null;
  for (;;) {
    const sizes = await contentSizes(read, connection.id, after, textsAtOnce);
    let [last, chars]: [NodeId | null, number] = [null, 0];
    for (const { nodeId, totalChars } of sizes) {
      chars += totalChars;
      if (last !== null && chars > charsAtOnce) break;
      last = nodeId;
    }
    if (last === null) return;
    for (const { nodeId, markdown, ...about } of await contentsBetween(read, connection.id, after, last)) {
      if (!graph.has(nodeId)) continue;
      yield `{"text":{"node_id":"${nodeId}","markdown":"`;
      for (const part of partsOf(markdown)) {
        yield JSON.stringify(part).slice(1, -1);
        await supervise();
      }
      yield `",${JSON.stringify(presentTextFacts(about)).slice(1)}}\n`;
    }
    after = last;
  }
}

/** A text in parts of bounded length. None ends between surrogates. */
function* partsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const full = start + chunkUnits;
    const end = isWithinPair(text, full) ? full + 1 : full;
    yield text.slice(start, end);
    start = end;
  }
}
