import { connectionsOf } from "../store/queries/connections.ts";
import { deleteUser } from "../store/queries/users.ts";
import { type RemovalParts, releaseLocally, remove } from "./remove.ts";

/**
 * Deletes a user with everything that is theirs: sessions, service tokens, grants and graphs (SESS-9). From the commit on
 * nothing of it is accepted or readable on any instance; the provider is told, and what remains
 * in the files is overwritten, in the background.
 */
export async function deleteAccount(parts: RemovalParts, userId: string): Promise<void> {
  const removed = await parts.database.transaction(async (trx) => {
    const own = await connectionsOf(trx, userId);
    for (const connection of own) await remove(trx, connection, parts);
    await deleteUser(trx, userId);
    return own;
  });
  parts.database.upkeep.noteErasure();
  await releaseLocally(removed, parts);
}
