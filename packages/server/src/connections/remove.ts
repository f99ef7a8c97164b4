import type { FastifyBaseLogger } from "fastify";
import type { Connection } from "../model/connection.ts";
import type { Clock } from "../model/runtime.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import { insertAudit } from "../store/queries/audit.ts";
import { removeConnection } from "../store/queries/removed-connections.ts";
import { insertRevocation } from "../store/queries/revocations.ts";
import { withdrawWorkspace } from "../store/queries/service-tokens.ts";
import { findUser } from "../store/queries/users.ts";
import { openTokens } from "./grant.ts";
import { sealForRevocation } from "./revocation-seal.ts";

/** What removing a connection takes. */
export interface RemovalParts {
  readonly database: Database;
  readonly secrets: Secrets;
  /** Syncs that may be under way. */
  readonly sync: { abandon(connectionId: number): Promise<void> };
  /** Graphs that may be in memory. */
  readonly graphs: { forget(connectionId: number): void };
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

/**
 * Takes a connection out of everybody's reach: its grant is to be given back, its graph belongs to nobody, its workspace
 * leaves the service tokens of its user for good (GRAPH-15). It holds from the commit on, on every instance.
 */
export async function remove(
  trx: WriteTransaction,
  { id, userId, workspaceId }: Connection,
  { secrets, clock, log }: Pick<RemovalParts, "secrets" | "clock" | "log">,
): Promise<void> {
  const now = clock();
  const user = await findUser(trx, userId);
  const token = await accessToken(trx, id, secrets, log);
  if (user !== null && token !== null) {
    const { provider } = user;
    await insertRevocation(trx, {
      provider,
      sealedToken: sealForRevocation(secrets, provider, token),
      dueAt: now,
    });
  }
  const revoked = await withdrawWorkspace(trx, userId, workspaceId, now);
  await insertAudit(
    trx,
    revoked.map((token) => ({
      userId,
      at: now,
      event: "token_revoked",
      token,
      reason: "workspace_disconnected",
    })),
  );
  await removeConnection(trx, id);
}

/** Lets go of what this process still does with and holds of connections that were removed. */
export async function releaseLocally(
  connections: readonly Pick<Connection, "id">[],
  { sync, graphs }: Pick<RemovalParts, "sync" | "graphs">,
): Promise<void> {
  await Promise.all(
    connections.map(async ({ id }) => {
      await sync.abandon(id);
      graphs.forget(id);
    }),
  );
}

/** A grant that cannot be opened any more cannot be given back, which is no reason to keep its graph. */
async function accessToken(
  trx: WriteTransaction,
  connectionId: number,
  secrets: Secrets,
  log: FastifyBaseLogger,
): Promise<string | null> {
  try {
    return (await openTokens(trx, secrets, connectionId))?.accessToken ?? null;
  } catch (error) {
    log.error({ connectionId, err: error }, "the grant of a removed connection cannot be given back");
    return null;
  }
}
