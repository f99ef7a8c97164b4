import { parentPort, workerData } from "node:worker_threads";
import { Graph, type GraphColumns } from "../graph.ts";
import { search } from "../search/search.ts";
import { neighbors } from "../walk/neighbors.ts";
import { unlimited } from "./samples.ts";

// A thread that makes a graph of columns that another thread built, and answers what `answersOf` answers there.

/** Answers that read every kind of column: texts, ids, edges, titles, importance. */
export function answersOf(graph: Graph): unknown {
  const nodes = Array.from({ length: graph.nodeCount }, (_, index) => graph.nodeAt(index));
  return nodes.map((node) => ({
    node,
    degree: graph.degree(node.id),
    importance: graph.importance(node.id),
    found: search(graph, { query: node.title, limit: 3 }),
    near: neighbors(graph, node.id, {
      direction: "both",
      depth: 2,
      offset: 0,
      limit: 10,
      limits: unlimited,
    }).items.map(({ edges, ...item }) => ({ ...item, edges: edges.map((edge) => graph.edge(edge)) })),
  }));
}

// The test starts this thread with columns.
if (parentPort !== null) parentPort.postMessage(answersOf(new Graph(workerData as GraphColumns)));
