import type { EdgeType } from "@clew/contract";
import type { NodeId } from "./node-id.ts";

/** A reference that a page's text or properties hold. `child` edges are not references: they follow from `parentId`. */
export interface Reference {
  readonly type: Exclude<EdgeType, "child">;
  /** May name a page that was not shared: the reference is then unresolved until that page arrives. */
  readonly targetId: NodeId;
  /** The property's name for a relation, otherwise null. */
  readonly name: string | null;
  /** What the text calls the target where it first names it; left out where it does not. Edges do not have it. */
  readonly targetName?: string;
  /** Occurrences, at least 1. */
  readonly count: number;
}

/** A typed, directed edge between two nodes. */
export interface GraphEdge {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly type: EdgeType;
  readonly name: string | null;
  readonly count: number;
}
