import { setTimeout } from "node:timers/promises";
import type { Actor } from "../model/caller.ts";
import type { Connection } from "../model/connection.ts";
import type { Log } from "../model/log.ts";
import type { Clock } from "../model/runtime.ts";
import { type Secrets, SecretsError } from "../secrets/secrets.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import { deleteActivityOf } from "../store/queries/activity.ts";
import { removeWorkspaceFromCodes } from "../store/queries/apps.ts";
import { insertAudit } from "../store/queries/audit.ts";
import { connectionsOf, findConnection, withdrawnConnections } from "../store/queries/connections.ts";
import {
  deleteEmptied,
  deleteSomeRemoved,
  removeConnection,
  removedIds,
} from "../store/queries/removed-connections.ts";
import { insertRevocation } from "../store/queries/revocations.ts";
import { removeWorkspaceFromTokens } from "../store/queries/service-tokens.ts";
import { deleteUser } from "../store/queries/users.ts";
import { openTokens, sealForRevocation } from "./grant.ts";

/** The services that remove connections. */
export interface RemovalServices {
  readonly database: Database;
  readonly secrets: Secrets;
  /** Stops a sync that may be running. */
  readonly sync: { abandon(connectionId: number): Promise<void> };
  /** Drops graphs that may be in memory. */
  readonly graphs: { forget(connectionId: number): void };
  readonly clock: Clock;
  readonly log: Log;
}

/** Nodes that one transaction deletes: it blocks other writers for some tens of milliseconds. */
const deletedNodesPerTransaction = 200;

/** Milliseconds for which a removed connection keeps a row without content, in which the thread that indexes texts notices it. */
const noticedWithinMs = 30_000;

/** Pause between two such transactions, for other writers. */
const deletionPauseMs = 20;

/**
 * Disconnects a user from a workspace, of one source if it is given (GRAPH-15); false if they are not connected to it. From the commit on the
 * connection is refused on every instance, whether or not the provider can be reached.
 */
export async function disconnect(
  services: RemovalServices,
  { userId, sessionId, ...origin }: Actor,
  workspaceId: string,
  source?: string,
): Promise<boolean> {
  const event = { userId, sessionId, workspaceId, origin, event: "workspace_disconnected" } as const;
  const removed = await removeAll(
    services,
    async (trx) =>
      (await connectionsOf(trx, userId)).filter(
        (each) => each.workspaceId === workspaceId && (source === undefined || each.provider === source),
      ),
    (trx, own) =>
      insertAudit(
        trx,
        own.map(() => ({ ...event, at: services.clock() })),
      ),
  );
  return removed.length > 0;
}

/**
 * Disconnects a connection on behalf of the operator, as `disconnect` does; false if there is none. Its owner's audit trail
 * names the operator.
 */
export async function disconnectByOperator(
  services: RemovalServices,
  connectionId: number,
): Promise<boolean> {
  const event = { event: "workspace_disconnected", reason: "operator" } as const;
  const removed = await removeAll(
    services,
    async (trx) => [await findConnection(trx, connectionId)].filter((each) => each !== null),
    (trx, own) =>
      insertAudit(
        trx,
        own.map(({ userId, workspaceId }) => ({ ...event, userId, workspaceId, at: services.clock() })),
      ),
  );
  return removed.length > 0;
}

/**
 * Deletes a user with their sessions, service tokens, grants and graphs (SESS-9). From the commit on
 * nothing of it is accepted or readable on any instance. Grants are revoked at the provider, and the files overwritten,
 * in the background.
 */
export async function deleteAccount(services: RemovalServices, userId: string): Promise<void> {
  await removeAll(
    services,
    (trx) => connectionsOf(trx, userId),
    (trx) => deleteUser(trx, userId),
  );
  const { database, log } = services;
  try {
    await database.activity.write((trx) => deleteActivityOf(trx, userId));
    await database.activity.erase();
  } catch (err) {
    // The account is gone; `tendActivity` deletes what is left.
    log.error({ err }, "failed to delete what the tokens of a deleted account have read");
  }
}

/** Removes connections whose grants were withdrawn `retentionMs` ago and have not been renewed since (SYNC-8). */
export async function expireWithdrawn(services: RemovalServices, retentionMs: number): Promise<void> {
  const { database, clock, log } = services;
  const withdrawnBy = () => clock() - retentionMs;
  if ((await withdrawnConnections(database.read, withdrawnBy())).length === 0) return;
  const removed = await removeAll(services, (trx) => withdrawnConnections(trx, withdrawnBy()));
  for (const { id } of removed)
    log.info({ connectionId: id }, "removed a connection whose grant was withdrawn long ago");
}

/** Deletes the graphs of removed connections, some nodes at a time, until none is left. */
export async function clearRemoved(database: Database, signal: AbortSignal): Promise<void> {
  if ((await removedIds(database.read)).length === 0) return;
  while (
    !signal.aborted &&
    (await database.transaction((trx) => deleteSomeRemoved(trx, deletedNodesPerTransaction)))
  ) {
    database.upkeep?.noteErasure();
    await setTimeout(deletionPauseMs);
  }
  if (signal.aborted) return;
  const removedBy = database.clock() - noticedWithinMs;
  if ((await database.transaction((trx) => deleteEmptied(trx, removedBy))) > 0)
    database.upkeep?.noteErasure();
}

/**
 * Removes the connections that `select` returns, then runs `finish`, all in one transaction. After the commit, stops
 * their syncs and graphs in this process. Returns the removed connections.
 */
async function removeAll(
  services: RemovalServices,
  select: (trx: WriteTransaction) => Promise<readonly Connection[]>,
  finish: (trx: WriteTransaction, removed: readonly Connection[]) => Promise<void> = async () => {},
): Promise<readonly Connection[]> {
  const { database, sync, graphs, log } = services;
  const { connections, unopened } = await database.transaction(async (trx) => {
    const connections = await select(trx);
    const unopened: { connectionId: number; err: unknown }[] = [];
    for (const connection of connections) {
      const err = await remove(trx, connection, services);
      if (err !== null) unopened.push({ connectionId: connection.id, err });
    }
    await finish(trx, connections);
    return { connections, unopened };
  });
  database.upkeep?.noteErasure();
  for (const failure of unopened)
    log.error(failure, "cannot revoke the grant of a removed connection: failed to decrypt it");
  await Promise.all(
    connections.map(async ({ id }) => {
      await sync.abandon(id);
      graphs.forget(id);
    }),
  );
  return connections;
}

/**
 * Removes a connection: queues its grant to be revoked, and permanently removes its workspace from its user's service
 * tokens and from codes of apps (GRAPH-15). If the grant cannot be decrypted, the connection is removed without revoking it, and the error is
 * returned.
 */
async function remove(
  trx: WriteTransaction,
  { id, userId, provider, workspaceId }: Connection,
  { secrets, clock }: Pick<RemovalServices, "secrets" | "clock">,
): Promise<unknown> {
  const now = clock();
  let failure: unknown = null;
  try {
    const tokens = await openTokens(trx, secrets, id);
    if (tokens !== null) {
      const sealedToken = sealForRevocation(secrets, provider, tokens.accessToken);
      await insertRevocation(trx, { provider, sealedToken, dueAt: now });
    }
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
    failure = error;
  }
  await removeWorkspaceFromCodes(trx, userId, workspaceId);
  const revoked = await removeWorkspaceFromTokens(trx, userId, workspaceId, now);
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
  await removeConnection(trx, id, now);
  return failure;
}
