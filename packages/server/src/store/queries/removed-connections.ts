import type { ExpressionBuilder, NotNull } from "kysely";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { deleteJob } from "./jobs.ts";
import { deleteMap } from "./maps.ts";
import { countChanged, updateConnection } from "./statements.ts";

/*
 * A removed connection has no owner, so that no user's reads find it and its user can be deleted. Its rows are then deleted
 * in small batches, since deleting a large graph at once would block other writers for seconds. Until then it is a row of
 * `connections`: whatever reads connections of all users starts from `liveConnections`.
 */

/** The connections that were not removed. */
export function liveConnections(db: ReadHandle) {
  return db.selectFrom("connections").where(isLive);
}

/** The same as a condition, for a write. */
export function isLive(connection: ExpressionBuilder<Tables, "connections">) {
  return connection("connections.removed_at", "is", null);
}

/** For `$narrowType`: a connection that was not removed has an owner. */
export interface Owned {
  userId: NotNull;
}

/** Removes a connection with its grant, its job and its map; its graph is left to `deleteSomeRemoved`. */
export async function removeConnection(
  trx: WriteTransaction,
  connectionId: number,
  now: number,
): Promise<void> {
  const none = new Uint8Array();
  await updateConnection(trx, connectionId)
    .set({
      user_id: null,
      removed_at: now,
      workspace_id: "",
      name: null,
      icon: null,
      bot_id: "",
      granted_email: null,
      access_token: none,
      refresh_token: null,
      status: "needs_reauth",
      withdrawn_at: null,
    })
    .execute();
  await deleteJob(trx, connectionId);
  await deleteMap(trx, connectionId);
}

/** The removed connections that still have rows, or were removed a moment ago: the first that was removed first. */
export async function removedIds(db: ReadHandle): Promise<number[]> {
  const rows = await db
    .selectFrom("connections")
    .select("id")
    .where("removed_at", "is not", null)
    .orderBy("removed_at")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes at most `limit` rows of removed connections, of the one that was removed first; false if none has any. */
export async function deleteSomeRemoved(trx: WriteTransaction, limit: number): Promise<boolean> {
  for (const id of await removedIds(trx)) {
    const deleted = (await deleteNodes(trx, id, limit)) || (await deleteTombstones(trx, id, limit));
    if (deleted > 0) return true;
  }
  return false;
}

/** Deletes the connections that were removed by this time and have no nodes and tombstones any more. Returns how many. */
export function deleteEmptied(trx: WriteTransaction, removedBy: number): Promise<number> {
  const emptied = trx
    .deleteFrom("connections")
    .where("removed_at", "<=", removedBy)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("nodes").select("id").whereRef("nodes.connection_id", "=", "connections.id"))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("tombstones")
            .select("node_id")
            .whereRef("tombstones.connection_id", "=", "connections.id"),
        ),
      ),
    );
  return countChanged(emptied);
}

/** Texts and references are deleted with their nodes. */
function deleteNodes(trx: WriteTransaction, connectionId: number, limit: number): Promise<number> {
  const some = trx.selectFrom("nodes").select("id").where("connection_id", "=", connectionId).limit(limit);
  return countChanged(
    trx.deleteFrom("nodes").where("connection_id", "=", connectionId).where("id", "in", some),
  );
}

function deleteTombstones(trx: WriteTransaction, connectionId: number, limit: number): Promise<number> {
  const some = trx
    .selectFrom("tombstones")
    .select(["revision", "node_id"])
    .where("connection_id", "=", connectionId)
    .limit(limit)
    .$asTuple("revision", "node_id");
  return countChanged(
    trx
      .deleteFrom("tombstones")
      .where("connection_id", "=", connectionId)
      .where((where) => where(where.refTuple("revision", "node_id"), "in", some)),
  );
}
