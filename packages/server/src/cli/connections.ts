import { formatBytes, plainText, table } from "@clew/cli";
import type { Config } from "../config/config.ts";
import { disconnectByOperator } from "../connections/remove.ts";
import { requestJob } from "../connections/request-sync.ts";
import { allowsWorkspace } from "../model/allow-list.ts";
import { type Connection, isUnderWay } from "../model/connection.ts";
import { formatOptionalTimestamp } from "../present/values.ts";
import type { ReadHandle } from "../store/port.ts";
import { allowedConnections } from "../store/queries/callers.ts";
import { type ListedConnection, listConnections } from "../store/queries/connection-list.ts";
import { findConnection } from "../store/queries/connections.ts";
import {
  type CliContext,
  CommandError,
  firstOf,
  type Installation,
  removalServices,
  withBuckets,
} from "./installation.ts";

/** Lists the connections of all users with their sizes and syncs; only those that need attention if `failing` is set. */
export async function printConnections(
  context: CliContext,
  { failing = false, json = false }: { readonly failing?: boolean; readonly json?: boolean },
): Promise<void> {
  const { print } = context;
  await withBuckets(context, async (buckets) => {
    const listed = await Promise.all(
      buckets.map(async ({ config, database }) => {
        const ofBucket = await listConnections(database.read);
        return ofBucket.filter((each) => !failing || isFailing(each)).map((each) => describe(each, config));
      }),
    );
    const lines = listed.flat();
    if (json) return print(JSON.stringify(lines, null, 2));
    if (lines.length === 0) return print("There are no connections to list.");
    const rows = lines.map((line) => ({
      id: String(line.id),
      owner: line.owner,
      source: line.provider,
      workspace: line.workspace_name ?? line.workspace_id,
      status: line.status,
      pages: String(line.pages),
      stored: formatBytes(line.stored_bytes),
      "last sync": line.last_synced_at ?? "never",
      outcome: line.outcome ?? "-",
      next: line.state === "running" || line.state === "waiting" ? line.state : (line.next_sync_at ?? "-"),
      error: line.error ?? "",
    }));
    for (const text of table(rows)) print(text);
  });
}

/** Requests a sync, as its owner can (GRAPH-15). A running Clew, or the next to start, begins it. */
export async function requestConnectionSync(
  context: CliContext,
  id: string,
  { full = false }: { readonly full?: boolean },
): Promise<void> {
  await withBuckets(context, async (buckets) => {
    const { bucket } = await requireConnection(buckets, id);
    const { config, database, clock } = bucket;
    const connection = await database.transaction(async (trx) => {
      const connection = await findByText(trx, id);
      if (connection === null) throw unknownConnection(id);
      if (connection.status === "needs_reauth")
        throw new CommandError(
          `The provider no longer accepts Clew's access to ${nameOf(connection)}: its owner has to sign in again.`,
        );
      const usable = await allowedConnections(trx, config.allowed, connection.userId);
      if (!usable?.some((each) => each.id === connection.id))
        throw new CommandError(`The allow lists do not permit the owner of ${nameOf(connection)} to use it.`);
      await requestJob(trx, connection.id, { by: "person", full }, clock());
      return connection;
    });
    context.print(`A sync of ${nameOf(connection)} is requested: a running Clew begins it within seconds.`);
  });
}

/** Disconnects a workspace, as its owner can (GRAPH-15). A running Clew, or the next to start, revokes its grant. */
export async function disconnectConnection(context: CliContext, id: string): Promise<void> {
  const { print } = context;
  await withBuckets(context, async (buckets) => {
    const { connection, bucket } = await requireConnection(buckets, id);
    const services = await removalServices(context, bucket);
    if (!(await disconnectByOperator(services, connection.id))) throw unknownConnection(id);
    print(
      `The ${nameOf(connection)} is disconnected: its graph is gone, and it is removed from service tokens.`,
    );
    print(
      "Clew revokes its access at the provider within seconds if it is running, otherwise after its next start.",
    );
  });
}

function describe(listed: ListedConnection, config: Config) {
  const { connection, pages, storedBytes } = listed;
  const { id, userId, provider, workspaceId, name, status, lastSyncedAt, sync } = connection;
  return {
    id,
    owner: userId,
    provider,
    workspace_id: workspaceId,
    workspace_name: name,
    status,
    pages,
    stored_bytes: storedBytes,
    state: sync.state,
    last_synced_at: formatOptionalTimestamp(sync.finishedAt ?? lastSyncedAt),
    outcome: sync.outcome,
    error: sync.error,
    next_sync_at: formatOptionalTimestamp(nextSyncAt(listed, config)),
  };
}

/** When the connection's next sync may begin; null for one that runs, and for a connection that none is due for. */
function nextSyncAt(listed: ListedConnection, config: Config): number | null {
  const { connection, dueAt } = listed;
  if (connection.status !== "active" || isUnderWay(connection) || !isAllowed(listed, config)) return null;
  if (dueAt !== null) return dueAt;
  const { finishedAt } = connection.sync;
  return config.syncInterval === 0 || finishedAt === null ? null : finishedAt + config.syncInterval;
}

const isAllowed = ({ connection, owner }: ListedConnection, { allowed }: Config) =>
  allowsWorkspace(allowed, { ...connection, email: connection.grantedEmail ?? owner.email });

/** Whether its owner has to sign in again, or its last sync failed. A failed sync that is tried again still counts. */
const isFailing = ({ connection: { status, sync } }: ListedConnection) =>
  status === "needs_reauth" || sync.state === "failed" || sync.outcome === "failed";

/** Finds a connection and its bucket. Throws `CommandError` for an id that `connections list` does not show. */
async function requireConnection(
  buckets: readonly Installation[],
  id: string,
): Promise<{ readonly connection: Connection; readonly bucket: Installation }> {
  const found = await firstOf(buckets, async (bucket) => {
    const connection = await findByText(bucket.database.read, id);
    return connection && { connection, bucket };
  });
  if (found === null) throw unknownConnection(id);
  return found;
}

async function findByText(db: ReadHandle, id: string): Promise<Connection | null> {
  return /^[1-9]\d{0,14}$/.test(id) ? findConnection(db, Number(id)) : null;
}

const unknownConnection = (id: string) =>
  new CommandError(`There is no connection ${plainText(id)}. \`clew connections list\` shows the ids.`);

const nameOf = ({ id, name, workspaceId }: Connection) =>
  `connection ${id} (${plainText(name ?? workspaceId)})`;
