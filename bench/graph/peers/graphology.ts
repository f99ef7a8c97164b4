import { UndirectedGraph } from "graphology";
import { bidirectional } from "graphology-shortest-path";
import { joinedPages } from "../workspace/workspace.ts";
import type { GraphPeer } from "./peer.ts";

// Undirected and without parallel edges, so it holds and walks fewer edges than Clew's graph.
const graph = new UndirectedGraph();

export const peer: GraphPeer = {
  load(workspace) {
    for (let page = 0; page < workspace.size; page += 1) graph.addNode(String(page));
    for (const [one, other] of joinedPages(workspace)) graph.mergeEdge(String(one), String(other));
  },
  neighbors(page, limit) {
    const found: string[] = [];
    for (const { neighbor } of graph.neighborEntries(String(page))) {
      found.push(neighbor);
      if (found.length === limit) break;
    }
    return found.length;
  },
  path(from, to) {
    const path = bidirectional(graph, String(from), String(to));
    return path === null ? null : path.length - 1;
  },
};
