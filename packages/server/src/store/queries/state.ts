import { schemaVersion } from "../migrate.ts";
import type { ReadHandle } from "../port.ts";
import { readLastBackup } from "./installation.ts";
import { liveConnections } from "./removed-connections.ts";
import { countUsableTokens } from "./service-tokens.ts";
import { isLiveSession } from "./sessions.ts";
import { countRows } from "./statements.ts";

/** Counts for the operator. */
interface StoredState {
  readonly connections: readonly { readonly status: string; readonly count: number }[];
  readonly awaitedSyncs: number;
  readonly syncsUnderWay: number;
  /** The oldest last sync of an active connection; null if there was none. */
  readonly oldestSync: number | null;
  readonly usableTokens: number;
  readonly liveSessions: number;
  readonly schema: number;
  /** When the last good backup was made that Clew knows of; null for none. */
  readonly backedUpAt: number | null;
}

/** Reads in several statements: give it a snapshot. `now` decides what has expired. */
export async function readState(db: ReadHandle, now: number): Promise<StoredState> {
  const connections = await liveConnections(db)
    .select(({ fn }) => ["status", fn.countAll<number>().as("count"), fn.min("last_synced_at").as("oldest")])
    .groupBy("status")
    .execute();
  const jobs = await db
    .selectFrom("sync_jobs")
    .select(({ fn }) => [
      fn.countAll<number>().as("all"),
      fn.countAll<number>().filterWhere("leased_until", ">", now).as("leased"),
    ])
    .executeTakeFirstOrThrow();
  return {
    connections: connections.map(({ status, count }) => ({ status, count })),
    awaitedSyncs: jobs.all - jobs.leased,
    syncsUnderWay: jobs.leased,
    oldestSync: connections.find(({ status }) => status === "active")?.oldest ?? null,
    usableTokens: await countUsableTokens(db, null, now),
    liveSessions: await countRows(db.selectFrom("sessions").where(isLiveSession(now))),
    schema: await schemaVersion(db),
    backedUpAt: await readLastBackup(db),
  };
}
