import type { ExpressionBuilder } from "kysely";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { deleteJob } from "./jobs.ts";
import { countChanged, updateConnection } from "./statements.ts";

/*
 * A removed connection is moved to an owner who cannot sign in, so that no user's reads find it and its user can be
 * deleted. Its rows are then deleted in small batches, since deleting a large graph at once would block other writers for
 * seconds. Until then it is a row of `connections`: whatever reads connections of all users starts from
 * `liveConnections`.
 */

/** The id of the user who owns removed connections. No provider has users of that name. */
export const removedOwner = "nobody";

/** The connections that were not removed. */
export function liveConnections(db: ReadHandle) {
  return db.selectFrom("connections").where(isLive);
}

/** The same as a condition, for a write. */
export function isLive(connection: ExpressionBuilder<Tables, "connections">) {
  return connection("connections.user_id", "!=", removedOwner);
}

/** Removes a connection with its grant and its job; its graph is left to `deleteSomeRemoved`. */
export async function removeConnection(trx: WriteTransaction, connectionId: number): Promise<void> {
  const empty = { name: null, email: null, avatar_url: null, created_at: 0, last_sign_in_at: 0 };
  await trx
    .insertInto("users")
    .values({ id: removedOwner, provider: removedOwner, provider_user_id: removedOwner, ...empty })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const none = new Uint8Array();
  await updateConnection(trx, connectionId)
    .set({
      user_id: removedOwner,
      // Unique for each owner.
      workspace_id: `removed ${connectionId}`,
      name: null,
      icon: null,
      bot_id: "",
      access_token: none,
      refresh_token: null,
      status: "needs_reauth",
      withdrawn_at: null,
    })
    .execute();
  await deleteJob(trx, connectionId);
}

/** Deletes at most `limit` rows of removed connections; false where nothing is left of them. */
export async function deleteSomeRemoved(trx: WriteTransaction, limit: number): Promise<boolean> {
  const removed = await trx
    .selectFrom("connections")
    .select("id")
    .where("user_id", "=", removedOwner)
    .orderBy("id")
    .executeTakeFirst();
  if (removed === undefined) return false;
  const deleted =
    (await deleteNodes(trx, removed.id, limit)) || (await deleteTombstones(trx, removed.id, limit));
  if (deleted === 0) await trx.deleteFrom("connections").where("id", "=", removed.id).execute();
  return true;
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
