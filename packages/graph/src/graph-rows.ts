import type { NodeType } from "@clew/contract";
import type { Reference } from "./edge.ts";
import type { GraphNode, NodeId } from "./node.ts";
import { bytesOfIds } from "./node-ids.ts";
import { rowsOfTexts, type TextRows } from "./text-column.ts";

/**
 * A whole graph as the store hands it out to be built: in batches, ids and texts as bytes. The three parts are read in
 * the order in which they stand here.
 */
export interface GraphRows {
  /** All nodes, in the order of their ids. */
  readonly nodes: Iterable<NodeRows>;
  /** The aliases of the nodes that have any, in the order of their ids. */
  readonly aliases: Iterable<AliasRow>;
  /** All references, in any order. They may start or end at nodes that are not among `nodes`. */
  readonly references: Iterable<ReferenceRows>;
}

/** A batch of nodes. Element n of each column belongs to the nth node. */
export interface NodeRows {
  /** 16 bytes each. */
  readonly ids: Uint8Array;
  /** The parents' ids, 16 bytes each; the nil UUID (RFC 9562, section 5.9) stands for no parent. */
  readonly parents: Uint8Array;
  readonly types: readonly NodeType[];
  readonly titles: TextRows;
  readonly icons: TextRows;
  readonly urls: TextRows;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: readonly number[];
  readonly updatedAt: readonly number[];
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

/** A node with its aliases, which only search knows. */
export interface NamedNode extends GraphNode {
  readonly aliases?: readonly string[];
}

/** A graph as objects, in any order. */
export interface GraphInput {
  readonly nodes: readonly NamedNode[];
  /** They may start or end at nodes that are not among `nodes`. */
  readonly references: readonly { readonly from: NodeId; readonly reference: Reference }[];
}

const nil = "00000000-0000-0000-0000-000000000000";

/** Converts objects to rows. Throws a RangeError if an id is malformed. */
export function rowsOf({ nodes, references }: GraphInput): GraphRows {
  const sorted = nodes.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
  const rows = {
    ids: bytesOfIds(sorted.map(({ id }) => id)),
    parents: bytesOfIds(sorted.map(({ parentId }) => parentId ?? nil)),
    types: sorted.map(({ type }) => type),
    titles: rowsOfTexts(sorted.map(({ title }) => title)),
    icons: rowsOfTexts(sorted.map(({ icon }) => icon)),
    urls: rowsOfTexts(sorted.map(({ url }) => url)),
    createdAt: sorted.map(({ createdAt }) => createdAt),
    updatedAt: sorted.map(({ updatedAt }) => updatedAt),
  };
  const aliases = sorted.flatMap(({ id, aliases = [] }) =>
    aliases.length > 0 ? [{ id: bytesOfIds([id]), aliases }] : [],
  );
  const groups = Map.groupBy(references, ({ reference: { type, name, count } }) =>
    JSON.stringify([type, name, count]),
  );
  return { nodes: [rows], aliases, references: [...groups.values()].flatMap(rowsOfGroup) };
}

function rowsOfGroup(references: GraphInput["references"]): ReferenceRows[] {
  const ends = bytesOfIds(references.flatMap(({ from, reference }) => [from, reference.targetId]));
  return references.slice(0, 1).map(({ reference }) => ({ ...reference, ends }));
}
