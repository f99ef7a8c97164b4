import type { GraphNode } from "@clew/graph";
import type { NodeRecord } from "../../model/node.ts";
import type { FoundBy } from "../../model/sync-report.ts";
import type { WriteTransaction } from "../port.ts";
import { precompiled } from "../sqlite/precompiled.ts";
import { nodeKey } from "./node-key.ts";

/** A node as a sync writes it. */
export type ReadNode = GraphNode & Pick<NodeRecord, "properties"> & Partial<Named & Observation>;

interface Named {
  /** Other names under which people look for it; none when left out. */
  readonly aliases: readonly string[];
}

/** How a sync came to see a node. */
export interface Observation {
  /** The page, database, data source or block that it hangs in; null, as when left out, at the top. */
  readonly containerId: string | null;
  /** `search` when left out. */
  readonly foundBy: FoundBy;
  /** Whether something that its listing leaves out or names is still to be asked for. */
  readonly isUnsettled: boolean;
}

/** What of a node comes from the provider: where none of it differs, the node is unchanged. */
const provided = [
  "type",
  "title",
  "aliases",
  "icon",
  "url",
  "parent_id",
  "created_at",
  "updated_at",
  "properties",
] as const;

/**
 * Writes the nodes that are new or differ, stamped with this revision; returns how many those were. No node may come
 * twice. A node whose `updatedAt` differs waits for its text again.
 */
export async function writeNodes(
  trx: WriteTransaction,
  connectionId: number,
  nodes: readonly ReadNode[],
  { run, revision }: { readonly run: number; readonly revision: number },
): Promise<bigint> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("nodes")
    .values(
      nodes.map((node) => ({
        connection_id: connectionId,
        id: nodeKey(node.id),
        type: node.type,
        title: node.title,
        aliases: node.aliases?.length ? JSON.stringify(node.aliases) : null,
        icon: node.icon,
        url: node.url,
        parent_id: node.parentId === null ? null : nodeKey(node.parentId),
        created_at: node.createdAt,
        updated_at: node.updatedAt,
        properties: JSON.stringify(node.properties),
        content_state: "pending",
        found_by: node.foundBy ?? "search",
        run,
        added_revision: revision,
        changed_revision: revision,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["connection_id", "id"])
        .doUpdateSet((to) => ({
          type: to.ref("excluded.type"),
          title: to.ref("excluded.title"),
          aliases: to.ref("excluded.aliases"),
          icon: to.ref("excluded.icon"),
          url: to.ref("excluded.url"),
          parent_id: to.ref("excluded.parent_id"),
          created_at: to.ref("excluded.created_at"),
          updated_at: to.ref("excluded.updated_at"),
          properties: to.ref("excluded.properties"),
          changed_revision: to.ref("excluded.changed_revision"),
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

/** Notes that a run saw a node, changed or not. What told of it first in this run counts. */
export async function touchNode(
  trx: WriteTransaction,
  connectionId: number,
  node: Pick<ReadNode, "id"> & Partial<Observation>,
  run: number,
): Promise<void> {
  const { containerId = null, foundBy = "search", isUnsettled = false } = node;
  const holder = containerId === null ? null : nodeKey(containerId);
  await seen(trx, holder, isUnsettled ? 1 : 0, run, foundBy, run, connectionId, nodeKey(node.id));
}

const seen = precompiled(
  (
    trx: WriteTransaction,
    containerId: Uint8Array | null,
    unsettled: number,
    run: number,
    foundBy: FoundBy,
    sameRun: number,
    connectionId: number,
    id: Uint8Array,
  ) =>
    trx
      .updateTable("nodes")
      .set(({ ref, case: choose, val }) => ({
        container_id: containerId,
        unsettled,
        found_by: choose().when("run", "=", run).then(ref("found_by")).else(val(foundBy)).end(),
        run: sameRun,
      }))
      .where("connection_id", "=", connectionId)
      .where("id", "=", id),
);
