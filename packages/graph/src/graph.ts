import { type EdgeType, mapColours, mapFormat } from "@clew/contract/vocabulary";
import { LRUCache } from "lru-cache";
import { type Adjacency, type IndexedEdge, rowLength } from "./adjacency.ts";
import { at, byteLengthOf, narrowAt } from "./columns.ts";
import { type EdgeLabels, type GraphEdge, labelAt } from "./edge.ts";
import { idsEndingIn, orderByEnding } from "./id-endings.ts";
import { maxImportance } from "./importance.ts";
import type { GraphNode, NodeId } from "./node.ts";
import { type NodeColumns, nodeAt, noParent, receivedNodes } from "./node-columns.ts";
import { indexOf, type NodeIds } from "./node-ids.ts";
import type { NodeOrders } from "./orders.ts";
import { RankSet } from "./rank-set.ts";
import type { TitleIndex } from "./title-index.ts";
import type { TreeColumns } from "./tree.ts";
import { VisitedSet } from "./visited-set.ts";

/** Distinct edges at a node. */
export interface Degree {
  readonly in: number;
  readonly out: number;
}

/**
 * All of a graph's data: plain columns, in which a node is an index. They are in memory that threads can share: any thread
 * that they are sent to can make a `Graph` of them.
 */
export interface GraphColumns {
  readonly ids: NodeIds;
  readonly nodes: NodeColumns;
  readonly labels: EdgeLabels;
  readonly out: Adjacency;
  readonly in: Adjacency;
  /** Of each node, in ten-thousandths. */
  readonly importance: Uint16Array;
  /** The position of each node when all are in the order of importance, then latest update, then id. */
  readonly ranks: Uint32Array;
  /** The set of traits of each node. */
  readonly traits: Uint16Array;
  readonly tree: TreeColumns;
  readonly orders: NodeOrders;
  readonly titles: TitleIndex;
}

export function degreeAt({ in: incoming, out: outgoing }: GraphColumns, node: number): number {
  return rowLength(incoming, node) + rowLength(outgoing, node);
}

/** Decoded nodes may take up to 6 MiB, some 10,000 nodes; each counts with its object, its ids and its texts. */
const maxDecodedBytes = 6 * 1024 * 1024;
const decodedNodeBytes = 400;
const decodedBytesOf = ({ title, icon, url }: GraphNode) =>
  decodedNodeBytes + 2 * (title.length + (icon?.length ?? 0) + (url?.length ?? 0));

const maxFrequentSets = 128;

/**
 * The nodes of a workspace and the edges between them at one moment. Nothing that a graph answers ever changes.
 * Searches and walks are functions on its columns. Functions that take an id throw a RangeError if the graph has no such
 * node, unless they say otherwise.
 *
 * **The rule for scratch memory.** `reach` here, the sums of related nodes (walk/related.ts), the pool of rank sets
 * (search/search.ts) and the ids being looked up and written (node-ids.ts) are memory that every call on this thread
 * overwrites. That is safe because a search, walk or lookup runs from start to end without awaiting anything and returns
 * nothing that refers to this memory. Keep both true.
 */
export class Graph {
  readonly columns: GraphColumns;
  /** Bytes that it takes up in use: exact for columns and scratch memory, an upper estimate for what is computed on demand. */
  readonly byteLength: number;
  /** Scratch memory of walks. */
  readonly reach: { readonly forward: VisitedSet; readonly backward: VisitedSet };
  /** Large sets of titles by the part of a query that found them: see search/title-query.ts. */
  readonly frequentSets = new LRUCache<string, RankSet>({ max: maxFrequentSets });
  /** Computed when a node is first looked up by the end of its id. */
  #byEnding: Uint32Array | undefined;
  /** Nodes decoded from their columns. Answers repeat the same few: those of the highest degree. */
  readonly #decoded = new LRUCache<number, GraphNode>({
    maxSize: maxDecodedBytes,
    sizeCalculation: decodedBytesOf,
  });

  constructor(columns: GraphColumns) {
    this.columns = { ...columns, nodes: receivedNodes(columns.nodes) };
    this.reach = { forward: new VisitedSet(this.nodeCount), backward: new VisitedSet(this.nodeCount) };
    this.byteLength =
      byteLengthOf(columns) +
      2 * VisitedSet.byteLength(this.nodeCount) +
      maxFrequentSets * RankSet.byteLength(columns.titles.nodes.length) +
      Uint32Array.BYTES_PER_ELEMENT * this.nodeCount +
      // The map by folders, with its other colours.
      (mapFormat.nodeBytes + mapColours.length - 1) * this.nodeCount +
      Math.min(2 * decodedNodeBytes * this.nodeCount, maxDecodedBytes);
  }

  get nodeCount(): number {
    return this.columns.nodes.types.length;
  }

  /** Edges of all types. */
  get edgeCount(): number {
    return this.columns.out.nodes.length;
  }

  has(id: NodeId): boolean {
    return indexOf(this.columns.ids, id) >= 0;
  }

  /** The name of somebody who made or edited nodes; null if it is not known. */
  authorName(id: string): string | null {
    return this.columns.nodes.authors.find((author) => author.id === id)?.name ?? null;
  }

  /** null if the graph has no such node. */
  node(id: NodeId): GraphNode | null {
    const index = indexOf(this.columns.ids, id);
    return index < 0 ? null : this.nodeAt(index);
  }

  /** The ids that end in these digits: eight to 32 hexadecimal ones, in lower case. */
  idsEndingIn(digits: string): NodeId[] {
    const { ids } = this.columns;
    this.#byEnding ??= orderByEnding(ids);
    return idsEndingIn(ids, this.#byEnding, digits);
  }

  degree(id: NodeId): Degree {
    const index = this.indexOf(id);
    return { in: rowLength(this.columns.in, index), out: rowLength(this.columns.out, index) };
  }

  /** The share of the other nodes with a lower PageRank: 0 to 1, in steps of 0.0001 (GRAPH-20). */
  importance(id: NodeId): number {
    return (this.columns.importance[this.indexOf(id)] ?? 0) / maxImportance;
  }

  /** A node's degree in edges of each type. */
  edgesByType(id: NodeId): Record<EdgeType, Degree> {
    const index = this.indexOf(id);
    const counts = {
      child: { in: 0, out: 0 },
      mention: { in: 0, out: 0 },
      link: { in: 0, out: 0 },
      relation: { in: 0, out: 0 },
    };
    for (const { direction, offsets, labels } of [this.columns.in, this.columns.out]) {
      for (let position = at(offsets, index); position < at(offsets, index + 1); position += 1) {
        counts[labelAt(this.columns.labels, narrowAt(labels, position)).type][direction] += 1;
      }
    }
    return counts;
  }

  /** A node's nearest ancestors, by default all, root first. If parents form a cycle, it stops before a node repeats. */
  breadcrumb(id: NodeId, levels = Number.POSITIVE_INFINITY): GraphNode[] {
    const { parents } = this.columns.nodes;
    const index = this.indexOf(id);
    const seen = new Set([index]);
    for (
      let parent = at(parents, index);
      parent !== noParent && !seen.has(parent) && seen.size <= levels;
      parent = at(parents, parent)
    ) {
      seen.add(parent);
    }
    seen.delete(index);
    return [...seen].reverse().map((ancestor) => this.nodeAt(ancestor));
  }

  indexOf(id: NodeId): number {
    const index = indexOf(this.columns.ids, id);
    if (index < 0) throw new RangeError(`the graph has no node ${id}`);
    return index;
  }

  /** The indexes of the nodes whose parent a node is, ascending. */
  childrenOf(node: number): Uint32Array {
    const { offsets, nodes, labels } = this.columns.out;
    const start = at(offsets, node);
    return nodes
      .subarray(start, at(offsets, node + 1))
      .filter((_, edge) => labelAt(this.columns.labels, narrowAt(labels, start + edge)).type === "child");
  }

  /** The node at an index: usually the same object every time, always an equal one. */
  nodeAt(index: number): GraphNode {
    const known = this.#decoded.get(index);
    if (known !== undefined) return known;
    const node = nodeAt(this.columns.nodes, this.columns.ids, index);
    this.#decoded.set(index, node);
    return node;
  }

  /** Decodes an edge that a walk found. */
  edge({ from, to, label, count }: IndexedEdge): GraphEdge {
    const { type, name } = labelAt(this.columns.labels, label);
    return { from: this.nodeAt(from).id, to: this.nodeAt(to).id, type, name, count };
  }
}
