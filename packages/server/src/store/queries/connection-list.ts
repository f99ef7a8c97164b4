import type { User } from "../../model/caller.ts";
import type { Connection } from "../../model/connection.ts";
import type { ReadHandle } from "../port.ts";
import { connectionColumns, connectionOf } from "./connections.ts";
import { isLive, type Owned } from "./removed-connections.ts";

/** A connection as the operator sees it: whose it is, how much it stores, and its waiting or running sync. */
export interface ListedConnection {
  readonly connection: Connection;
  readonly owner: Pick<User, "provider" | "email">;
  /** Pages and databases of its graph. */
  readonly pages: number;
  readonly storedBytes: number;
  /** When its job may start, in milliseconds since the Unix epoch; null if no sync waits or runs. */
  readonly dueAt: number | null;
}

/** The connections of all users, oldest first. Counts their pages: for commands, not for requests. */
export async function listConnections(db: ReadHandle): Promise<ListedConnection[]> {
  const rows = await db
    .selectFrom("connections")
    .innerJoin("users", "users.id", "connections.user_id")
    .leftJoin("sync_jobs", "sync_jobs.connection_id", "connections.id")
    .select(connectionColumns)
    .select(["users.provider as people", "users.email", "connections.stored_bytes as storedBytes"])
    .select("sync_jobs.due_at as dueAt")
    .select((of) =>
      of
        .selectFrom("nodes")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("nodes.connection_id", "=", "connections.id")
        .as("pages"),
    )
    .$narrowType<Owned>()
    .where(isLive)
    .orderBy("connections.id")
    .execute();
  return rows.map(({ people, email, pages, storedBytes, dueAt, ...row }) => ({
    connection: connectionOf(row),
    owner: { provider: people, email },
    pages: pages ?? 0,
    storedBytes,
    dueAt,
  }));
}
