import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../packages/server/src/store/port.ts";
import { wrapWrites } from "../../packages/server/src/store/testing/wrap-writes.ts";
import { openSyncing } from "../../packages/server/src/sync/testing/syncing.ts";
import { countRows } from "./row-counts.ts";

// Resumes the sync of a connection, reports what is stored after each commit, and ends with the sync.
const [path = "", apiUrl = "", key = "", connection = "", ahead = ""] = process.argv.slice(2);
const connectionId = Number(connection);

/** Reports every commit to the parent. */
const reportCommits = (database: Database): Database =>
  wrapWrites(database, async (write) => {
    const result = await write();
    process.send?.(await countRows(database, connectionId));
    return result;
  });

const syncing = await openSyncing({
  location: { kind: "sqlite", path },
  apiUrl,
  key: Buffer.from(key, "hex"),
  wrapDatabase: reportCommits,
  // The clock is ahead, so that the leases of earlier workers have expired.
  clock: () => Date.now() + Number(ahead),
});
syncing.sync.start();
// The job exists until its sync has ended.
while (await syncing.database.read.selectFrom("sync_jobs").select("connection_id").executeTakeFirst())
  await sleep(5);
await syncing.close();
process.disconnect();
