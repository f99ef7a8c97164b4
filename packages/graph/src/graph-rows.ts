import type { ContentState, NodeType } from "@clew/contract/vocabulary";
import type { Reference } from "./edge.ts";
import type { Author } from "./node.ts";
import type { TextRows } from "./text-column.ts";

/**
 * A whole graph as the store hands it out to be built: in batches, ids and texts as bytes. The parts are read in
 * the order in which they stand here.
 */
export interface GraphRows {
  /** All nodes, in the order of their ids. */
  readonly nodes: Iterable<NodeRows>;
  /** The aliases of the nodes that have any, in the order of their ids. */
  readonly aliases: Iterable<AliasRow>;
  /** The names of authors, in any order; those of some may be missing. */
  readonly authors: Iterable<Author>;
  /** All references, or those that start at `sources`, in any order. They may start or end at nodes that are not among `nodes`. */
  readonly references: Iterable<ReferenceRows>;
  /**
   * The ids of nodes, 16 bytes each, if all others have the references that they had in an earlier graph, and that had the same
   * nodes.
   */
  readonly sources?: Uint8Array | null;
}

/** A batch of nodes. Element n of each column belongs to the nth node. */
export interface NodeRows {
  /** 16 bytes each. */
  readonly ids: Uint8Array;
  /** The parents' ids, 16 bytes each; the nil UUID (RFC 9562, section 5.9) stands for no parent. */
  readonly parents: Uint8Array;
  readonly types: readonly NodeType[];
  readonly contentStates: readonly ContentState[];
  readonly titles: TextRows;
  readonly icons: TextRows;
  readonly urls: TextRows;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: readonly number[];
  readonly updatedAt: readonly number[];
  /** The ids of those who made the nodes, and of those who edited them last. */
  readonly creators: TextRows;
  readonly editors: TextRows;
  /** Sets of the traits that the provider gives (`markTraits`). */
  readonly marks: readonly number[];
}

/** The aliases of one node. */
export interface AliasRow {
  /** 16 bytes. */
  readonly id: Uint8Array;
  readonly aliases: readonly string[];
}

/** References that differ only in their ends. */
export interface ReferenceRows extends Omit<Reference, "targetId" | "targetName"> {
  /** 32 bytes each: the id of the source node, then that of the target. */
  readonly ends: Uint8Array;
}
