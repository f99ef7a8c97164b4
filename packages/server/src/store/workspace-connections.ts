import type { Db } from "./database.ts";

/** The connections of all people of a provider's workspace whose grants count, oldest first. */
export async function connectionsOfWorkspace(
  db: Db,
  provider: string,
  workspaceId: string,
): Promise<number[]> {
  const rows = await db
    .selectFrom("connections")
    .innerJoin("users", "users.id", "connections.user_id")
    .select("connections.id")
    .where("users.provider", "=", provider)
    .where("connections.workspace_id", "=", workspaceId)
    .where("connections.status", "=", "active")
    .orderBy("connections.id")
    .execute();
  return rows.map(({ id }) => id);
}
