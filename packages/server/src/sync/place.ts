import type { NodeId } from "../model/node-id.ts";
import type { ListedNode, ParentRef } from "../provider/port.ts";
import type { Catalog } from "./catalog.ts";

/**
 * Finds out where each of these nodes hangs, and notes it in the catalog: below its nearest ancestor that is a node,
 * at the root where none is shared. A circle, which a page can be moved into while it is listed, is cut at its
 * smallest id.
 */
export function place(nodes: readonly ListedNode[], catalog: Catalog): void {
  for (const { id } of nodes) catalog.parents.set(id, null);
  for (const { id, parent } of nodes) {
    const parentId = climb(parent, catalog);
    catalog.parents.set(id, parentId !== null && catalog.parents.has(parentId) ? parentId : null);
  }
  const rooted = new Set<NodeId>();
  for (const { id } of nodes) cutCircle(id, catalog.parents, rooted);
}

/** The page or database that something hangs below, as far as the run has found it out. */
function climb(start: ParentRef, { blocks, databases }: Catalog): NodeId | null {
  const climbed = new Set<string>();
  let here = start;
  while (here.kind === "block" && !climbed.has(here.id)) {
    climbed.add(here.id);
    here = blocks.get(here.id) ?? { kind: "unknown" };
  }
  if (here.kind === "node") return here.id;
  return here.kind === "data-source" ? (here.databaseId ?? databases.get(here.id) ?? null) : null;
}

/** Walks up from a node; `rooted` are nodes from which the way up is known to end. */
function cutCircle(id: NodeId, parents: Map<NodeId, NodeId | null>, rooted: Set<NodeId>): void {
  const way = new Set<NodeId>();
  let here: NodeId | null = id;
  while (here !== null && !rooted.has(here) && !way.has(here)) {
    way.add(here);
    here = parents.get(here) ?? null;
  }
  if (here !== null && way.has(here)) {
    const steps = [...way];
    const [smallest = here] = steps.slice(steps.indexOf(here)).sort();
    parents.set(smallest, null);
  }
  for (const step of way) rooted.add(step);
}
