import { type AllowList, allowsPerson, allowsWorkspace } from "../../model/allow-list.ts";
import type { Connection } from "../../model/connection.ts";
import type { ReadHandle } from "../port.ts";
import { connectionsOf } from "./connections.ts";

/**
 * The connections that a user may use, oldest first: all of them where the user is allowed, otherwise those to an allowed
 * workspace. null where the user is off the lists (SIGN-10): neither allowed nor connected to an allowed workspace.
 */
export async function allowedConnections(
  db: ReadHandle,
  allowed: AllowList,
  userId: string,
): Promise<readonly Connection[] | null> {
  const connections = await connectionsOf(db, userId);
  if (allowed.anyone) return connections;
  const email = await emailOf(db, userId);
  if (allowsPerson(allowed, email)) return connections;
  const usable = connections.filter(({ workspaceId }) => allowsWorkspace(allowed, { email, workspaceId }));
  return usable.length > 0 ? usable : null;
}

async function emailOf(db: ReadHandle, userId: string): Promise<string | null> {
  const user = await db.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst();
  return user?.email ?? null;
}
