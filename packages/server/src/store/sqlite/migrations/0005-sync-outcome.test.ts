import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { openDatabase } from "../../database.ts";
import { connectionsOf } from "../../queries/connections.ts";
import { scratchFolder, someUser } from "../../testing/scratch.ts";
import { syncOutcome } from "./0005-sync-outcome.ts";
import { released } from "./released.ts";

test("GRAPH-1: what an earlier program called complete counts as complete only after another sync", async (t) => {
  const path = join(await scratchFolder(t), "clew.sqlite");
  const before = await openDatabase({
    location: path,
    migrations: released.slice(0, syncOutcome.version - 1),
  });
  const userId = await someUser(before);
  await before.transaction((trx) =>
    sql`insert into connections
      (user_id, workspace_id, bot_id, access_token, connected_at, sync_state, sync_done, last_synced_at, swept_at)
      values (${userId}, 'workspace', 'bot', x'01', 1, 'idle', 0, 1000, 1000)`.execute(trx),
  );
  await before.close();

  const database = await openDatabase({ location: path, backUp: false });
  t.after(() => database.close());
  const [connection] = await connectionsOf(database.read, userId);
  assert.equal(connection?.lastSyncedAt, 1000);
  assert.deepEqual(
    [connection?.sweptAt, connection?.completeAsOf, connection?.sync.outcome],
    [null, null, null],
  );
});
