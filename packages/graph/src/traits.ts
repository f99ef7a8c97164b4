import {
  contentStates,
  edgeTypes,
  markTraits,
  type NodeTrait,
  nodeTraits,
  nodeTypes,
} from "@clew/contract/vocabulary";
import type { EdgeRows } from "./adjacency.ts";
import { at, byteAt, narrowAt } from "./columns.ts";
import type { EdgeLabels } from "./edge.ts";
import { type NodeColumns, noParent } from "./node-columns.ts";

/** A set of traits, one bit each. */
export type TraitSet = number;

export function traitSet(traits: readonly NodeTrait[]): TraitSet {
  return traits.reduce((set, trait) => set | (1 << nodeTraits.indexOf(trait)), 0);
}

const database = nodeTypes.indexOf("database");
const child = edgeTypes.indexOf("child");

/** The columns from which the traits of nodes follow. */
interface TraitSources extends Pick<NodeColumns, "types" | "parents"> {
  /** Indexes into the contract's `contentStates`. */
  readonly contentStates: Uint8Array;
  /** 1 for each node with a reference that does not resolve. */
  readonly broken: Uint8Array;
  /** Of each node, a set of `markTraits`. */
  readonly marks: Uint8Array;
  readonly labels: EdgeLabels;
  /** Edges in rows of their sources, and of their targets. */
  readonly outgoing: EdgeRows;
  readonly incoming: EdgeRows;
}

/** The traits of each node, a set each (GRAPH-19). */
export function traitsOf(sources: TraitSources): Uint16Array {
  const { types, parents, broken, marks, labels } = sources;
  const [row, unresolved] = [traitSet(["row"]), traitSet(["broken"])];
  const ofContent = contentStates.map((state) =>
    state === "empty" || state === "failed" ? traitSet([state]) : 0,
  );
  const ofEdges = {
    both: 0,
    in: traitSet(["dead_end"]),
    out: traitSet(["unreferenced"]),
    none: traitSet(["orphan", "unreferenced", "dead_end"]),
  };
  const given = markTraits.map((trait) => traitSet([trait]));
  return Uint16Array.from(sources.contentStates, (state, node) => {
    const parent = at(parents, node);
    const isRow = parent !== noParent && parent !== node && byteAt(types, parent) === database;
    const isReferenced = hasReference(sources.incoming, labels, node);
    const refers = hasReference(sources.outgoing, labels, node);
    return (
      (ofContent[state] ?? 0) |
      (isRow ? row : 0) |
      (byteAt(broken, node) === 1 ? unresolved : 0) |
      given.reduce((set, trait, bit) => set | ((byteAt(marks, node) >> bit) & 1 ? trait : 0), 0) |
      ofEdges[directionOf(isReferenced, refers)]
    );
  });
}

function directionOf(isReferenced: boolean, refers: boolean): "both" | "in" | "out" | "none" {
  if (isReferenced && refers) return "both";
  if (isReferenced) return "in";
  return refers ? "out" : "none";
}

/** Whether a row has an edge that is no `child`. */
function hasReference({ offsets, labels }: EdgeRows, { types }: EdgeLabels, node: number): boolean {
  const end = at(offsets, node + 1);
  for (let position = at(offsets, node); position < end; position += 1) {
    if (byteAt(types, narrowAt(labels, position)) !== child) return true;
  }
  return false;
}
