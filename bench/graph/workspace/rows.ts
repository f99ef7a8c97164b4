import type { GraphRows } from "@clew/graph";
import { rowsOf } from "@clew/graph/testing";
import { idOf, nodeOf, referencesOf, type Workspace } from "./workspace.ts";

/** The rows of a workspace in batches like those of the store. */
export function rowsInMemory(workspace: Workspace): GraphRows {
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
    authors: batches.flatMap((batch) => [...batch.authors]),
    references: batches.flatMap((batch) => [...batch.references]),
  };
}
