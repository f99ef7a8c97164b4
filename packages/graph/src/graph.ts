import type { EdgeType } from "@clew/contract";
import type { Adjacency } from "./adjacency.ts";
import { buffersOf } from "./buffers.ts";
import { at } from "./column.ts";
import type { GraphEdge } from "./edge.ts";
import { type EdgeLabels, labelAt } from "./edge-labels.ts";
import type { IndexedEdge } from "./indexed-edge.ts";
import { narrowAt } from "./narrow-column.ts";
import type { GraphNode } from "./node.ts";
import { type NodeColumns, nodeAt, noParent } from "./node-columns.ts";
import type { NodeId } from "./node-id.ts";
import { indexOf, type NodeIds } from "./node-ids.ts";
import type { TitleIndex } from "./search/title-index.ts";
import { VisitedSet } from "./walk/visited-set.ts";

/** Distinct edges at a node. */
export interface Degree {
  readonly in: number;
  readonly out: number;
}

/** Nodes that a graph keeps decoded, and the bytes that each takes up with what is written of it, roughly. */
const decodedAtMost = 10_000;
const bytesDecoded = 1200;

/** What a decoded node takes up beside its texts, and for each unit of those: they are kept as text and as written. */
const bytesBesideTexts = 600;
const bytesPerUnit = 6;

/** Bytes that two walks note for each node. */
const bytesOfMarks = 16;

/** All that a graph consists of: plain columns, in which a node is an index. */
export interface GraphColumns {
  readonly ids: NodeIds;
  readonly nodes: NodeColumns;
  readonly labels: EdgeLabels;
  readonly out: Adjacency;
  readonly in: Adjacency;
  readonly degrees: { readonly in: Uint32Array; readonly out: Uint32Array };
  readonly titles: TitleIndex;
}

/**
 * The nodes of a workspace and the edges between them, as of one moment: it never changes.
 * Searches and walks are functions of their own on its columns. Whatever takes an id throws a RangeError where the
 * graph has no such node, unless it says otherwise.
 */
export class Graph {
  readonly columns: GraphColumns;
  /** Bytes that it takes up once it is in use: exact for its columns and its marks, about right for the rest. */
  readonly byteLength: number;
  /** Where walks note how far they have come. A walk is synchronous, so that all of them can share this. */
  readonly reach: { readonly forward: VisitedSet; readonly backward: VisitedSet };
  /** Nodes that were read from their columns: what is asked for is mostly asked for again. */
  readonly #decoded = new Map<number, GraphNode>();
  #decodedBytes = 0;

  constructor(columns: GraphColumns) {
    this.columns = columns;
    this.byteLength =
      buffersOf(columns).reduce((sum, buffer) => sum + buffer.byteLength, 0) +
      this.nodeCount * bytesOfMarks +
      Math.min(this.nodeCount, decodedAtMost) * bytesDecoded;
    this.reach = { forward: new VisitedSet(this.nodeCount), backward: new VisitedSet(this.nodeCount) };
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

  /** null where the graph has no such node. */
  node(id: NodeId): GraphNode | null {
    const index = indexOf(this.columns.ids, id);
    return index < 0 ? null : this.nodeAt(index);
  }

  degree(id: NodeId): Degree {
    const { degrees } = this.columns;
    const index = this.indexOf(id);
    return { in: at(degrees.in, index), out: at(degrees.out, index) };
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
    for (const adjacency of [this.columns.in, this.columns.out]) {
      const { sense, offsets, labels } = adjacency;
      for (let position = at(offsets, index); position < at(offsets, index + 1); position += 1) {
        counts[labelAt(this.columns.labels, narrowAt(labels, position)).type][sense] += 1;
      }
    }
    return counts;
  }

  /** A node's ancestors, root first. Where parents go round in a circle, it ends before a node comes again. */
  breadcrumb(id: NodeId): GraphNode[] {
    const { parents } = this.columns.nodes;
    const index = this.indexOf(id);
    const seen = new Set([index]);
    for (
      let parent = at(parents, index);
      parent !== noParent && !seen.has(parent);
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

  /** The same object for the same node, as long as it is kept. */
  nodeAt(index: number): GraphNode {
    const kept = this.#decoded.get(index);
    if (kept !== undefined) return kept;
    const node = nodeAt(this.columns.nodes, this.columns.ids, index);
    const units = node.title.length + (node.icon?.length ?? 0) + (node.url?.length ?? 0);
    const bytes = bytesBesideTexts + bytesPerUnit * units;
    if (this.#decodedBytes + bytes > decodedAtMost * bytesDecoded) {
      this.#decoded.clear();
      this.#decodedBytes = 0;
    }
    this.#decoded.set(index, node);
    this.#decodedBytes += bytes;
    return node;
  }

  /** What a walk found an edge to be. */
  edge({ from, to, label, count }: IndexedEdge): GraphEdge {
    const { type, name } = labelAt(this.columns.labels, label);
    return { from: this.nodeAt(from).id, to: this.nodeAt(to).id, type, name, count };
  }
}
