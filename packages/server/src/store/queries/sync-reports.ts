import { sql } from "kysely";
import type { FailedPage, SyncReport } from "../../model/sync-report.ts";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import { unresolvedReferences } from "./references.ts";
import { countRows, nodeIdOf, nodesOf } from "./statements.ts";

/** Fields that reports of earlier versions lack. */
const later = { unsupported: [], notShared: 0, source: null };

/** Reports that are kept of each connection. */
const maxReports = 20;

/** Stores the report of a sync, and deletes all but the latest reports. */
export async function insertSyncReport(
  trx: WriteTransaction,
  connectionId: number,
  report: SyncReport,
): Promise<void> {
  await trx
    .insertInto("sync_reports")
    .values({
      connection_id: connectionId,
      finished_at: report.finishedAt,
      report: JSON.stringify(report),
    })
    .execute();
  const oldest = trx
    .selectFrom("sync_reports")
    .select("id")
    .where("connection_id", "=", connectionId)
    .orderBy("id", "desc")
    .limit(1)
    .offset(maxReports - 1);
  await trx
    .deleteFrom("sync_reports")
    .where("connection_id", "=", connectionId)
    .where("id", "<", oldest)
    .execute();
}

/** The latest reports of a connection, newest first. */
export async function syncReportsOf(
  db: ReadHandle,
  connectionId: number,
  limit = maxReports,
): Promise<SyncReport[]> {
  const rows = await db
    .selectFrom("sync_reports")
    .select("report")
    .where("connection_id", "=", connectionId)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  // Written by `insertSyncReport`.
  return rows.map(({ report }) => ({ ...later, ...(JSON.parse(report) as SyncReport) }));
}

/** Pages whose texts could not be read: up to `limit` of them by title, and how many there are. */
export async function failedPages(
  db: ReadHandle,
  connectionId: number,
  limit: number,
): Promise<{ items: FailedPage[]; total: number }> {
  const failed = nodesOf(db, connectionId)
    // A literal, so that SQLite uses the partial index of failed nodes.
    .where("content_state", "=", sql.lit("failed"));
  const rows = await failed
    .select(["id", "title", "content_error"])
    .orderBy("title")
    .orderBy("id")
    .limit(limit)
    .execute();
  const items = rows.map(({ id, title, content_error }) => ({
    id: nodeIdOf(id),
    title,
    reason: content_error ?? "",
  }));
  if (items.length < limit) return { items, total: items.length };
  return { items, total: await countRows(failed) };
}

/** Counts references to pages that are not shared, and nodes at the root whose container is not shared. */
export async function countUnshared(
  db: ReadHandle,
  connectionId: number,
): Promise<{ unresolved: number; orphans: number }> {
  const orphans = nodesOf(db, connectionId)
    .where("container_id", "is not", null)
    .where("parent_id", "is", null);
  return {
    unresolved: await countRows(unresolvedReferences(db, [connectionId])),
    orphans: await countRows(orphans),
  };
}
