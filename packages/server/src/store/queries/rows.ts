import type { NodeId } from "@clew/graph";
import type { Json } from "../../model/node.ts";
import type { ReadHandle } from "../port.ts";
import { nodeIdOf, nodeKey, nodesOf } from "./statements.ts";

/** A row of a database as it is stored now. */
export interface StoredRow {
  readonly properties: Readonly<Record<string, Json>>;
  /** The names of those whose values could not be read. */
  readonly unread: readonly string[];
  /** The revision of the latest change that its properties may show: also its title's, and that it was edited. */
  readonly revision: number;
}

/** The stored rows of these ids, at most some thousand. */
export async function readRows(
  db: ReadHandle,
  connectionId: number,
  ids: readonly NodeId[],
): Promise<Map<NodeId, StoredRow>> {
  if (ids.length === 0) return new Map();
  const rows = await nodesOf(db, connectionId)
    .select(["id", "properties", "unread"])
    .select(["added_revision", "title_revision", "properties_revision", "edited_revision"])
    .where("id", "in", ids.map(nodeKey))
    .execute();
  return new Map(
    rows.map((row) => [
      nodeIdOf(row.id),
      {
        // Written by `upsertNodes`.
        properties: JSON.parse(row.properties) as Record<string, Json>,
        unread: row.unread === null ? [] : (JSON.parse(row.unread) as string[]),
        revision: Math.max(
          row.added_revision,
          row.title_revision,
          row.properties_revision,
          row.edited_revision,
        ),
      },
    ]),
  );
}
