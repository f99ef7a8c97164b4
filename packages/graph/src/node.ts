import type { NodeType } from "@clew/contract/vocabulary";
import { uuidOf } from "@clew/text/basics";

/** A provider's page or database id: a lower-case UUID with dashes. */
export type NodeId = string;

const dashed = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const undashed = /^[0-9a-f]{32}$/i;

/** Reads an id written with or without dashes, in either case; null if the text is not an id. */
export function parseNodeId(text: string): NodeId | null {
  if (dashed.test(text)) return text.toLowerCase();
  if (!undashed.test(text)) return null;
  return uuidOf(text.toLowerCase());
}

/** A person, group or program at the provider, as the author of pages. */
export interface Author {
  /** The provider's id. */
  readonly id: string;
  /** Null if the provider does not disclose it. */
  readonly name: string | null;
}

/** A page or database as the graph knows it. Times are milliseconds since the Unix epoch. */
export interface GraphNode {
  readonly id: NodeId;
  readonly type: NodeType;
  /** Empty if the page has none. */
  readonly title: string;
  /** An emoji or an https URL. */
  readonly icon: string | null;
  readonly url: string | null;
  /** The nearest ancestor that is itself a node, null at the root. */
  readonly parentId: NodeId | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Absent if the provider does not say. */
  readonly createdBy?: Author;
  readonly editedBy?: Author;
}
