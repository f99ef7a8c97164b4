import { type MarkTrait, markTraits } from "@clew/contract/vocabulary";
import type { GraphNode, NodeId, Reference } from "@clew/graph";
import type { Verification } from "@clew/provider";
import type { Selectable } from "kysely";
import type { Json } from "../../model/node.ts";
import type { FoundBy } from "../../model/sync-report.ts";
import type { Tables } from "../schema.ts";
import { nodeKeyOrNull } from "./statements.ts";

/** A node as a sync writes it. */
export type ReadNode = GraphNode &
  Partial<Observation> & {
    readonly properties: Readonly<Record<string, Json>>;
    /** Names of properties that repeat its title or its last edit; none when left out. */
    readonly repeatedProperties?: readonly string[];
    /** None when left out. */
    readonly aliases?: readonly string[];
    readonly isArchived?: boolean;
    /** The text of a database. */
    readonly description?: string;
    readonly verification?: Verification | null;
    /** The names of properties whose values could not be read. */
    readonly unreadProperties?: readonly string[];
    /** The references in its properties; those of before stay when left out. */
    readonly propertyReferences?: readonly Reference[];
  };

/** How a sync came to see a node. */
export interface Observation {
  /** The page, database, collection or block that contains it; null, as when left out, at the top. */
  readonly containerId: NodeId | null;
  /** `search` when left out. */
  readonly foundBy: FoundBy;
  /** Whether something that its listing leaves out or names is still to be looked up. */
  readonly isUnsettled: boolean;
}

/** The columns that come from the provider: a node is unchanged if none of them differs. */
export const factColumns = [
  "type",
  "title",
  "aliases",
  "icon",
  "url",
  "parent_id",
  "created_at",
  "updated_at",
  "properties",
  "created_by",
  "edited_by",
  "marks",
  "unread",
  "verification",
  "description",
] as const;

/** The facts of a node, as they are stored. */
export type StoredFacts = Pick<Selectable<Tables["nodes"]>, (typeof factColumns)[number]>;

/** The facts of a node, as they are to be stored. */
export function factsOf(node: ReadNode): StoredFacts {
  return {
    type: node.type,
    title: node.title,
    aliases: node.aliases?.length ? JSON.stringify(node.aliases) : null,
    icon: node.icon,
    url: node.url,
    parent_id: nodeKeyOrNull(node.parentId),
    created_at: node.createdAt,
    updated_at: node.updatedAt,
    properties: JSON.stringify(node.properties),
    created_by: node.createdBy?.id ?? null,
    edited_by: node.editedBy?.id ?? null,
    marks: marksOf(node),
    unread: node.unreadProperties?.length ? JSON.stringify(node.unreadProperties) : null,
    verification: node.verification ? JSON.stringify(node.verification) : null,
    description: node.description || null,
  };
}

function marksOf({ isArchived = false, verification = null }: ReadNode): number {
  const has: Readonly<Record<MarkTrait, boolean>> = {
    archived: isArchived,
    verified: verification?.state === "verified",
    expired: verification?.state === "expired",
  };
  return markTraits.reduce((marks, trait, bit) => marks | (has[trait] ? 1 << bit : 0), 0);
}

/** Whether the facts of a node are stored as they are, so that writing them would change nothing. */
export function isStored(facts: StoredFacts, stored: StoredFacts): boolean {
  return factColumns.every((column) => {
    const [one, other] = [facts[column], stored[column]];
    return one instanceof Uint8Array && other instanceof Uint8Array
      ? Buffer.compare(one, other) === 0
      : one === other;
  });
}
