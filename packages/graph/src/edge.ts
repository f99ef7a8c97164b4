import { type EdgeType, edgeTypes } from "@clew/contract/vocabulary";
import { byteAt } from "./columns.ts";
import type { NodeId } from "./node.ts";

/** A reference in a page's text or properties. `child` edges are not references: they follow from `parentId`. */
export interface Reference {
  readonly type: Exclude<EdgeType, "child">;
  /** May name a page that was not shared: the reference is then unresolved until that page arrives. */
  readonly targetId: NodeId;
  /** The property's name for a relation, otherwise null. */
  readonly name: string | null;
  /** The text's name of the target at its first mention; absent if it does not name it. Edges do not have it. */
  readonly targetName?: string;
  /** Occurrences, at least 1. */
  readonly count: number;
  /** The start of the first `maxOffsets` of them in the Markdown, in code points; absent outside texts. Edges do not have it. */
  readonly offsets?: readonly number[];
}

/** The number of occurrences of a reference that are kept with their offsets. */
const maxOffsets = 3;

/** Merges two references that make one edge. Keeps what the first calls the target, or else what the second does. */
export function combined(first: Reference, second: Reference): Reference {
  const offsets = [...(first.offsets ?? []), ...(second.offsets ?? [])];
  return {
    ...second,
    ...first,
    count: first.count + second.count,
    ...(offsets.length > 0 && { offsets: offsets.sort((a, b) => a - b).slice(0, maxOffsets) }),
  };
}

/** A typed, directed edge between two nodes. */
export interface GraphEdge {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly type: EdgeType;
  readonly name: string | null;
  readonly count: number;
}

/** The part of an edge that distinguishes it from parallel edges. */
export interface EdgeLabel {
  readonly type: EdgeType;
  readonly name: string | null;
}

/** The distinct labels of a graph's edges, by type in the contract's order, then by name. Edges hold their indexes. */
export interface EdgeLabels {
  readonly labels: readonly EdgeLabel[];
  /** The type of each label as an index into the contract's `edgeTypes`. */
  readonly types: Uint8Array;
}

/** The label of an index. Throws `RangeError` for an index of none. */
export function labelAt({ labels }: EdgeLabels, index: number): EdgeLabel {
  const label = labels[index];
  if (label === undefined) throw new RangeError(`there is no label ${index}`);
  return label;
}

/** A set of edge types, one bit each. */
export type EdgeTypeSet = number;

export function edgeTypeSet(types: readonly EdgeType[]): EdgeTypeSet {
  return types.reduce((set, type) => set | (1 << edgeTypes.indexOf(type)), 0);
}

export function hasLabelType(set: EdgeTypeSet, { types }: EdgeLabels, label: number): boolean {
  return ((set >>> byteAt(types, label)) & 1) === 1;
}

/** Numbers the distinct labels of edges while a graph is built. */
export class LabelCollector {
  readonly #labels: EdgeLabel[] = [];
  readonly #numbers = new Map(edgeTypes.map((type) => [type, new Map<string | null, number>()]));

  /** The label's number, the same on every call. */
  numberOf(type: EdgeType, name: string | null): number {
    const ofType = this.#numbers.get(type);
    const known = ofType?.get(name);
    if (known !== undefined) return known;
    ofType?.set(name, this.#labels.length);
    return this.#labels.push({ type, name }) - 1;
  }

  /** The labels in order, and the index that each number has in it. */
  sorted(): { labels: EdgeLabels; indexes: Map<number, number> } {
    const inOrder = [...this.#labels.entries()].sort(([, a], [, b]) => compareLabels(a, b));
    const labels = inOrder.map(([, label]) => label);
    return {
      labels: { labels, types: Uint8Array.from(labels, ({ type }) => edgeTypes.indexOf(type)) },
      indexes: new Map(inOrder.map(([number], index) => [number, index])),
    };
  }
}

/** By type, then by name in code unit order, no name first. */
function compareLabels(a: EdgeLabel, b: EdgeLabel): number {
  if (a.type !== b.type) return edgeTypes.indexOf(a.type) - edgeTypes.indexOf(b.type);
  if (a.name === null || b.name === null) return Number(b.name === null) - Number(a.name === null);
  return a.name < b.name ? -1 : Number(a.name > b.name);
}
