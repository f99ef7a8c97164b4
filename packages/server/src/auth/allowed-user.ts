import { usableConnections } from "../graph-cache/readable.ts";
import type { AllowList } from "../model/allow-list.ts";
import type { Database } from "../store/port.ts";
import { userNotAllowed } from "./credentials.ts";

/**
 * Refuses with 401 a user who is off the lists (SIGN-10). It asks for the connections that whatever reads a graph asks
 * for as well, so it costs a request nothing.
 */
export async function requireAllowedUser(
  database: Pick<Database, "read" | "memory">,
  allowed: AllowList,
  userId: string,
): Promise<void> {
  if (allowed.anyone) return;
  if ((await usableConnections(database, allowed, userId)) === null) throw userNotAllowed();
}
