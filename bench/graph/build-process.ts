import { buildColumns, folderMapOf } from "@clew/graph";
import { importanceOf } from "../../packages/graph/src/importance.ts";
import { cpuMs } from "../text/cpu.ts";
import { tell } from "./measure.ts";
import { rowsInMemory } from "./workspace/rows.ts";
import { makeWorkspace } from "./workspace/workspace.ts";

// Builds the graph of a workspace twice from rows in memory, and reports the shorter time.
// Then it ranks the nodes and lays out the map of the graph, twice too.
const [seed = "1", size = "1000"] = process.argv.slice(2);
const rows = rowsInMemory(makeWorkspace(Number(seed), Number(size)));
const times: number[] = [];
const mapTimes: number[] = [];
const importanceShares: number[] = [];
for (let round = 0; round < 2; round += 1) {
  const [began, builtFrom] = [performance.now(), cpuMs()];
  const columns = buildColumns(rows);
  const { out } = columns;
  times.push(performance.now() - began);
  const rankedFrom = cpuMs();
  importanceOf(columns.out, columns.in, columns.labels);
  const drawnFrom = cpuMs();
  folderMapOf(columns, 1);
  mapTimes.push(cpuMs() - drawnFrom);
  const importanceMs = drawnFrom - rankedFrom;
  importanceShares.push(importanceMs / (rankedFrom - builtFrom - importanceMs));
  if (out.nodes.length < Number(size)) throw new Error(`The graph has only ${out.nodes.length} edges.`);
}
tell({
  buildMs: Math.min(...times),
  mapMs: Math.min(...mapTimes),
  importanceShare: Math.min(...importanceShares),
});
