import { buildColumns, type GraphRows } from "@clew/graph";
import { rowsOf } from "@clew/graph/testing";
import { tell } from "./measure.ts";
import { idOf, makeWorkspace, nodeOf, referencesOf, type Workspace } from "./workspace/workspace.ts";

// Builds the graph of a workspace twice from rows in memory, and reports the shorter time.
const [seed = "1", size = "1000"] = process.argv.slice(2);
const rows = rowsInMemory(makeWorkspace(Number(seed), Number(size)));
const times: number[] = [];
for (let round = 0; round < 2; round += 1) {
  const began = performance.now();
  const { out } = buildColumns(rows);
  times.push(performance.now() - began);
  if (out.nodes.length < Number(size)) throw new Error(`The graph has only ${out.nodes.length} edges.`);
}
tell({ buildMs: Math.min(...times) });

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
