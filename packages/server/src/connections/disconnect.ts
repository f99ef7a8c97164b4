import type { Actor } from "../model/caller.ts";
import { insertAudit } from "../store/queries/audit.ts";
import { connectionsOf } from "../store/queries/connections.ts";
import { type RemovalParts, releaseLocally, remove } from "./remove.ts";

/**
 * Ends a user's connection to a workspace (GRAPH-15); false where they have none. From the commit on it is refused on
 * every instance, whether or not the provider can be reached. Connecting again begins afresh.
 */
export async function disconnect(
  parts: RemovalParts,
  { userId, sessionId, ...origin }: Actor,
  workspaceId: string,
): Promise<boolean> {
  const removed = await parts.database.transaction(async (trx) => {
    const own = (await connectionsOf(trx, userId)).filter((each) => each.workspaceId === workspaceId);
    for (const connection of own) {
      await remove(trx, connection, parts);
      const line = { userId, at: parts.clock(), event: "workspace_disconnected", sessionId } as const;
      await insertAudit(trx, [{ ...line, workspaceId, origin }]);
    }
    return own;
  });
  await releaseLocally(removed, parts);
  return removed.length > 0;
}
