import { randomUUID } from "node:crypto";
import type { DatabaseLocation } from "../../../packages/server/src/model/database-location.ts";
import { openDatabase } from "../../../packages/server/src/store/database.ts";
import type { Database } from "../../../packages/server/src/store/port.ts";
import {
  finishSync,
  publishRevision,
  setSwept,
  upsertConnection,
} from "../../../packages/server/src/store/queries/connections.ts";
import { upsertUser } from "../../../packages/server/src/store/queries/users.ts";
import { insertRows } from "./insert.ts";
import type { Workspace } from "./workspace.ts";

/** The owner of the workspace in a database. */
export interface Stored {
  readonly userId: string;
  readonly workspaceId: string;
  readonly connectionId: number;
}

/**
 * Writes a workspace into a Clew database at `location`, in the state after a complete sync, for a new user of this provider.
 * It has no texts, because the graph is not built from them. Of several workspaces in one database each has another `number`.
 */
export async function storeWorkspace(
  workspace: Workspace,
  location: DatabaseLocation,
  provider: string,
  number = 0,
): Promise<Stored> {
  const database = await openDatabase({ location });
  try {
    const stored = await connect(database, provider, number);
    await insertRows(workspace, location, stored.connectionId);
    await database.transaction(async (trx) => {
      const now = Date.now();
      await trx
        .updateTable("connections")
        .set({ revision: 1, graph_mark: randomUUID() })
        .where("id", "=", stored.connectionId)
        .execute();
      await finishSync(trx, stored.connectionId, { startedAt: now, now, isComplete: true });
      await setSwept(trx, stored.connectionId, now);
      await publishRevision(trx, stored.connectionId, 1);
    });
    return stored;
  } finally {
    await database.close();
  }
}

async function connect(database: Database, provider: string, number: number): Promise<Stored> {
  const suffix = number.toString(16).padStart(4, "0");
  const userId = `1d7bd3a4-2c3e-4d0a-8b6f-0d6c7a3f${suffix}`;
  const workspaceId = `8e1f6f0e-97a5-4a52-9f0b-5a7b5e0c${suffix}`;
  const person = {
    newId: userId,
    provider,
    providerUserId: userId,
    name: "Bench",
    email: null,
    avatarUrl: null,
  };
  const grant = {
    userId,
    workspaceId,
    name: "Bench",
    icon: null,
    provider,
    grantId: "bench",
    // Never decrypted: no call to the provider is made.
    accessToken: Uint8Array.of(1),
    refreshToken: null,
  };
  const { id } = await database.transaction(async (trx) => {
    await upsertUser(trx, person, Date.now());
    return upsertConnection(trx, grant, Date.now());
  });
  return { userId, workspaceId, connectionId: id };
}
