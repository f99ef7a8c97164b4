import type { Thread } from "./edge.ts";
import type { GraphNode } from "./node.ts";

/** A whole graph as the store hands it out to be built: in batches, and with ids as the bytes that they are. */
export interface GraphRows {
  /** All nodes, in the order of their ids. */
  readonly nodes: Iterable<NodeRows>;
  /** All threads, in any order. May begin or end at nodes that are not among `nodes`. Read after the nodes. */
  readonly threads: Iterable<ThreadRows>;
}

/** Some nodes: the same place in each of the three is the same node. */
export interface NodeRows {
  /** 16 bytes for each. */
  readonly ids: Uint8Array;
  /** 16 bytes for each: the parent, or the nil UUID (RFC 9562, section 5.9) where there is none. */
  readonly parents: Uint8Array;
  readonly facts: readonly Omit<GraphNode, "id" | "parentId">[];
}

/** Some threads that are alike in everything but their ends. */
export interface ThreadRows extends Omit<Thread, "targetId"> {
  /** 32 bytes for each: the node that it begins at, then the one that it leads to. */
  readonly ends: Uint8Array;
}
