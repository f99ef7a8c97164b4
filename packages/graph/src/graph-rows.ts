import type { NodeType } from "@clew/contract";
import type { Reference } from "./edge.ts";

/** A whole graph as the store hands it out to be built: in batches, and with ids and texts as the bytes that they are. */
export interface GraphRows {
  /** All nodes, in the order of their ids. */
  readonly nodes: Iterable<NodeRows>;
  /** The other names of the nodes that have some, in the order of their ids. Read after the nodes. */
  readonly aliases: Iterable<AliasRow>;
  /** All references, in any order. May begin or end at nodes that are not among `nodes`. Read after the nodes. */
  readonly references: Iterable<ReferenceRows>;
}

/** Some nodes: the same place in each column is the same node. */
export interface NodeRows {
  /** 16 bytes for each. */
  readonly ids: Uint8Array;
  /** 16 bytes for each: the parent, or the nil UUID (RFC 9562, section 5.9) where there is none. */
  readonly parents: Uint8Array;
  readonly types: readonly NodeType[];
  readonly titles: TextRows;
  readonly icons: TextRows;
  readonly urls: TextRows;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: readonly number[];
  readonly updatedAt: readonly number[];
}

/** The other names of a node. */
export interface AliasRow {
  /** 16 bytes. */
  readonly id: Uint8Array;
  readonly aliases: readonly string[];
}

/** Texts one after the other. */
export interface TextRows {
  /** UTF-8; a text that is not there is the one byte 0xff, which UTF-8 never has. */
  readonly bytes: Uint8Array;
  /** How many bytes each text has. */
  readonly lengths: readonly number[];
}

/** Some references that are alike in everything but their ends. */
export interface ReferenceRows extends Omit<Reference, "targetId" | "targetName"> {
  /** 32 bytes for each: the node that it begins at, then the one that it leads to. */
  readonly ends: Uint8Array;
}
