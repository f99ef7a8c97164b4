import type { ContentState, EdgeType } from "@clew/contract";
import type { NodeId } from "@clew/graph";
import type { Json, Verification } from "@clew/provider";

export { isJsonList, type Json } from "@clew/provider";

/** The part of a node that the graph in memory does not hold. */
export interface StoredDetail {
  /** The names of properties whose values could not be read. */
  readonly unread: readonly string[];
  readonly verification: Verification | null;
  readonly properties: Readonly<Record<string, Json>>;
  readonly contentState: ContentState;
  /** The reason why the text could not be read, if the state is `failed`. */
  readonly contentError: string | null;
  /** References to pages that are not shared or do not exist. */
  readonly unresolved: readonly UnresolvedReference[];
}

/** A node's references of one type to one missing page. */
export interface UnresolvedReference {
  readonly type: EdgeType;
  readonly targetId: NodeId;
  /** The first name that the text gives the page; null for references without one, such as relations. */
  readonly name: string | null;
  readonly count: number;
}
