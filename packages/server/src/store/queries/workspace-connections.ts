import { type AllowList, allowsWorkspace } from "../../model/allow-list.ts";
import type { ReadHandle } from "../port.ts";

interface ProviderWorkspace {
  readonly provider: string;
  readonly workspaceId: string;
  readonly allowed: AllowList;
}

/** The connections of all people of a provider's workspace who may use it and whose grants count, oldest first. */
export async function connectionsOfWorkspace(
  db: ReadHandle,
  { provider, workspaceId, allowed }: ProviderWorkspace,
): Promise<number[]> {
  const rows = await db
    .selectFrom("connections")
    .innerJoin("users", "users.id", "connections.user_id")
    .select(["connections.id", "users.email"])
    .where("users.provider", "=", provider)
    .where("connections.workspace_id", "=", workspaceId)
    .where("connections.status", "=", "active")
    .orderBy("connections.id")
    .execute();
  return rows.filter(({ email }) => allowsWorkspace(allowed, { email, workspaceId })).map(({ id }) => id);
}
