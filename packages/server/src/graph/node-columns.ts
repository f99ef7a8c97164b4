import { type NodeType, nodeTypes } from "@clew/contract";
import type { GraphNode } from "../model/node.ts";
import { at, byteAt, timeAt } from "./column.ts";
import { idAt, indexOf, type NodeIds } from "./node-ids.ts";
import { packTexts, type TextColumn, textAt } from "./text-column.ts";

/** The facts of a graph's nodes, a column each. */
export interface NodeColumns {
  /** Indexes into the contract's `nodeTypes`. */
  readonly types: Uint8Array;
  readonly titles: TextColumn;
  readonly icons: TextColumn;
  readonly urls: TextColumn;
  /** Indexes of the parents, `noParent` at a root. */
  readonly parents: Uint32Array;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: Float64Array;
  readonly updatedAt: Float64Array;
}

export const noParent = 0xffff_ffff;

/** The nodes in the order of their ids. A parent that is not a node of this graph is none. */
export function packNodes(nodes: readonly GraphNode[], ids: NodeIds): NodeColumns {
  return {
    types: Uint8Array.from(nodes, ({ type }) => nodeTypes.indexOf(type)),
    titles: packTexts(nodes.map(({ title }) => title)),
    icons: packTexts(nodes.map(({ icon }) => icon)),
    urls: packTexts(nodes.map(({ url }) => url)),
    parents: Uint32Array.from(nodes, ({ parentId }) => {
      const parent = parentId === null ? -1 : indexOf(ids, parentId);
      return parent < 0 ? noParent : parent;
    }),
    createdAt: Float64Array.from(nodes, ({ createdAt }) => createdAt),
    updatedAt: Float64Array.from(nodes, ({ updatedAt }) => updatedAt),
  };
}

/** Reads a node back from its columns. */
export function nodeAt(columns: NodeColumns, ids: NodeIds, index: number): GraphNode {
  const parent = at(columns.parents, index);
  return {
    id: idAt(ids, index),
    type: nodeTypeAt(columns, index),
    title: textAt(columns.titles, index) ?? "",
    icon: textAt(columns.icons, index),
    url: textAt(columns.urls, index),
    parentId: parent === noParent ? null : idAt(ids, parent),
    createdAt: timeAt(columns.createdAt, index),
    updatedAt: timeAt(columns.updatedAt, index),
  };
}

export function nodeTypeAt({ types }: NodeColumns, index: number): NodeType {
  // Written by `packNodes`, so it is the index of a type.
  return nodeTypes[byteAt(types, index)] as NodeType;
}
