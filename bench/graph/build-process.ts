import { buildColumns, type GraphRows, mapOf } from "@clew/graph";
import { rowsOf } from "@clew/graph/testing";
import { importanceOf } from "../../packages/graph/src/importance.ts";
import { cpuMs } from "../text/cpu.ts";
import { tell } from "./measure.ts";
import { idOf, makeWorkspace, nodeOf, referencesOf, type Workspace } from "./workspace/workspace.ts";

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
  mapOf(columns, 1);
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

/** The rows of a workspace in batches like those of the store. */
function rowsInMemory(workspace: Workspace): GraphRows {
  const batches: GraphRows[] = [];
  for (let first = 0; first < workspace.size; first += 5000) {
    const length = Math.min(5000, workspace.size - first);
    const pages = Array.from({ length }, (_, index) => first + index);
    const nodes = pages.map((page) => nodeOf(workspace, page));
    const references = pages.flatMap((page) => {
      const from = idOf(workspace, page);
      return referencesOf(workspace, page).map((reference) => ({ from, reference }));
    });
    batches.push(rowsOf({ nodes, references }));
  }
  return {
    nodes: batches.flatMap((batch) => [...batch.nodes]),
    aliases: [],
    references: batches.flatMap((batch) => [...batch.references]),
  };
}
