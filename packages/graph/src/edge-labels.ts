import { type EdgeType, edgeTypes } from "@clew/contract";
import { byteAt } from "./column.ts";

/** What an edge is beside its two ends. */
export interface EdgeLabel {
  readonly type: EdgeType;
  readonly name: string | null;
}

/** The distinct labels of a graph's edges, by type in the contract's order, then by name. Edges hold their indexes. */
export interface EdgeLabels {
  readonly labels: readonly EdgeLabel[];
  /** The type of each as an index into the contract's `edgeTypes`: what a walk looks at. */
  readonly types: Uint8Array;
}

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
