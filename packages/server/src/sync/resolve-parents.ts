import type { NodeId } from "@clew/graph";
import type { NodeReference } from "../provider/port.ts";
import type { SyncState } from "./state.ts";

/**
 * Finds out where these nodes hang: below their nearest ancestor that is a node, at the root where none is shared. A
 * circle, which a page can be moved into while it is listed, is cut at its smallest id.
 */
export function resolveParents(ids: Iterable<NodeId>, state: SyncState): Map<NodeId, NodeId | null> {
  const parents = new Map<NodeId, NodeId | null>();
  for (const id of ids) parents.set(id, parentOf(id, state));
  const rooted = new Set<NodeId>();
  for (const id of parents.keys()) cutCircle(id, parents, rooted);
  return parents;
}

/** The node that a node hangs below, as far as the run has found it out; null where that leads to none. */
function parentOf(id: NodeId, { nodes, blocks, databases }: SyncState): NodeId | null {
  const climbed = new Set<string>();
  let here = nodes.get(id) ?? null;
  while (here !== null && !nodes.has(here) && !climbed.has(here)) {
    climbed.add(here);
    here = databases.get(here) ?? blocks.get(here) ?? null;
  }
  return here !== null && nodes.has(here) ? here : null;
}

/** What a page's text shows as its own, and hangs elsewhere as far as the run has found out. */
export function shownByReference<Shown extends NodeReference>(
  pageId: NodeId,
  children: readonly Shown[],
  state: SyncState,
): Shown[] {
  return children.filter(({ id }) => id !== pageId && parentOf(id, state) !== pageId);
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
