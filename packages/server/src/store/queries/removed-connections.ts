import { sql } from "kysely";
import type { WriteTransaction } from "../port.ts";
import { deleteJob } from "./jobs.ts";

/*
 * A connection that is removed belongs to nobody from that moment on, and nobody can sign in: nothing of it can be read,
 * written or synced any more. What it held is deleted bit by bit afterwards, for to delete a large graph in one go
 * holds everybody up for seconds.
 */

/** The owner of what is removed: no provider vouches for them. */
export const removedOwner = "nobody";

/** Takes a connection from its owner, with its grant and its job. */
export async function removeConnection(trx: WriteTransaction, connectionId: number): Promise<void> {
  const empty = { name: null, email: null, avatar_url: null, created_at: 0, last_sign_in_at: 0 };
  await trx
    .insertInto("users")
    .values({ id: removedOwner, provider: removedOwner, provider_user_id: removedOwner, ...empty })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const none = new Uint8Array();
  await trx
    .updateTable("connections")
    .set({
      user_id: removedOwner,
      // A user has a workspace once; nobody has many.
      workspace_id: `removed ${connectionId}`,
      name: null,
      icon: null,
      bot_id: "",
      access_token: none,
      refresh_token: null,
      status: "needs_reauth",
      withdrawn_at: null,
    })
    .where("id", "=", connectionId)
    .execute();
  await deleteJob(trx, connectionId);
}

/** Deletes at most so many rows of what removed connections held; false where nothing is left of them. */
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
  if (!deleted) await trx.deleteFrom("connections").where("id", "=", removed.id).execute();
  return true;
}

/** Their texts and references go with them. */
async function deleteNodes(trx: WriteTransaction, connectionId: number, limit: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("nodes")
    .where("connection_id", "=", connectionId)
    .where("id", "in", (some) =>
      some.selectFrom("nodes").select("id").where("connection_id", "=", connectionId).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

async function deleteTombstones(
  trx: WriteTransaction,
  connectionId: number,
  limit: number,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from tombstones where connection_id = ${connectionId} and (revision, node_id) in (
      select revision, node_id from tombstones where connection_id = ${connectionId} limit ${limit}
    )`.execute(trx);
  return numAffectedRows > 0n;
}
