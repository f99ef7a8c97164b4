import { buildGraph } from "../../packages/server/src/graph/build.ts";
import { tell } from "./measure.ts";
import { idOf, makeWorkspace, nodeOf, threadsOf } from "./workspace/workspace.ts";

// Builds the graph of a workspace that is in memory already, and tells how long that took: the better of two.
const [seed = "1", size = "1000"] = process.argv.slice(2);
const workspace = makeWorkspace(Number(seed), Number(size));
const pages = Array.from({ length: workspace.size }, (_, page) => page);
const input = {
  nodes: pages.map((page) => nodeOf(workspace, page)),
  threads: pages.flatMap((page) => {
    const from = idOf(workspace, page);
    return threadsOf(workspace, page).map((thread) => ({ from, thread }));
  }),
};
const times: number[] = [];
for (let round = 0; round < 2; round += 1) {
  const began = performance.now();
  const { edgeCount } = buildGraph(input);
  times.push(performance.now() - began);
  if (edgeCount < workspace.size) throw new Error(`The graph has ${edgeCount} edges only.`);
}
tell({ buildMs: Math.min(...times) });
