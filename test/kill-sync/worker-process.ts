import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../packages/server/src/store/port.ts";
import { openSyncing } from "../../packages/server/src/sync/testing/syncing.ts";
import { holdingsOf } from "./holdings.ts";

// Goes on with the sync of a connection wherever it is, says what it has committed after each transaction, and ends with it.
const [path = "", apiUrl = "", key = "", connection = "", ahead = ""] = process.argv.slice(2);
const connectionId = Number(connection);

/** Every commit is told to the parent once it is there. */
const told = (database: Database): Database => ({
  ...database,
  async transaction(work) {
    const result = await database.transaction(work);
    process.send?.(await holdingsOf(database, connectionId));
    return result;
  },
});

const syncing = await openSyncing({
  path,
  apiUrl,
  key: Buffer.from(key, "hex"),
  wrapDatabase: told,
  // The leases of those before have expired.
  clock: () => Date.now() + Number(ahead),
});
syncing.sync.start();
// The job is there until its sync has ended.
while (await syncing.database.read.selectFrom("sync_jobs").select("connection_id").executeTakeFirst())
  await sleep(5);
await syncing.close();
process.disconnect();
