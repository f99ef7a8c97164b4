import type { GraphNode, NodeRecord } from "../model/node.ts";
import type { Db } from "./database.ts";
import { nodeKey } from "./node-key.ts";

/** A node as a sync writes it. */
export type ReadNode = GraphNode & Pick<NodeRecord, "properties">;

/** What of a node comes from the provider: where none of it differs, the node is unchanged. */
const provided = [
  "type",
  "title",
  "icon",
  "url",
  "parent_id",
  "created_at",
  "updated_at",
  "properties",
] as const;

/**
 * Writes the nodes that are new or differ; returns how many those were. No node may come twice. A node whose
 * `updatedAt` differs waits for its text again.
 */
export async function writeNodes(
  trx: Db,
  connectionId: number,
  nodes: readonly ReadNode[],
  run: number,
): Promise<bigint> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("nodes")
    .values(
      nodes.map((node) => ({
        connection_id: connectionId,
        id: nodeKey(node.id),
        type: node.type,
        title: node.title,
        icon: node.icon,
        url: node.url,
        parent_id: node.parentId === null ? null : nodeKey(node.parentId),
        created_at: node.createdAt,
        updated_at: node.updatedAt,
        properties: JSON.stringify(node.properties),
        content_state: "pending",
        run,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["connection_id", "id"])
        .doUpdateSet((to) => ({
          type: to.ref("excluded.type"),
          title: to.ref("excluded.title"),
          icon: to.ref("excluded.icon"),
          url: to.ref("excluded.url"),
          parent_id: to.ref("excluded.parent_id"),
          created_at: to.ref("excluded.created_at"),
          updated_at: to.ref("excluded.updated_at"),
          properties: to.ref("excluded.properties"),
          content_state: to
            .case()
            .when("nodes.updated_at", "=", to.ref("excluded.updated_at"))
            .then(to.ref("nodes.content_state"))
            .else(to.ref("excluded.content_state"))
            .end(),
        }))
        .where((where) =>
          where.or(
            provided.map((column) =>
              where(`nodes.${column}`, "is distinct from", where.ref(`excluded.${column}`)),
            ),
          ),
        ),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows ?? 0n;
}
