import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openDatabase } from "../database.ts";
import { connectionIds } from "../queries/connections.ts";
import { findJob } from "../queries/jobs.ts";
import { deleteEmptied, deleteSomeRemoved } from "../queries/removed-connections.ts";
import { listUsers } from "../queries/users.ts";
import { newLocation, released } from "../testing/location.ts";
import { queues } from "./0017-queues.ts";

test("OPS-4: queued removals and syncs of an earlier program go on", async (t) => {
  const { location, remove } = await newLocation({ isEmpty: true });
  t.after(remove);
  const before = released.filter(({ version }) => version < queues.version);
  const earlier = await openDatabase({ location, migrations: before });
  // In tests each transaction runs twice, and the first time takes ids that the second does not get.
  const [kept = 0, removedId = 0] = await earlier.transaction(async (trx) => {
    const ids: number[] = [];
    for (const user of ["someone", "nobody"]) {
      await sql`insert into users (id, provider, provider_user_id, created_at, last_sign_in_at)
        values (${user}, 'some', ${user}, 1, 1)`.execute(trx);
      const inserted = await sql<{ readonly id: number }>`insert into connections
        (user_id, workspace_id, bot_id, access_token, connected_at, sync_state, sync_done, sync_finished_at)
        values (${user}, 'workspace', 'bot', ${Uint8Array.of(1)}, 5, 'idle', 0, 7) returning id`.execute(trx);
      ids.push(...inserted.rows.map(({ id }) => id));
    }
    await sql`insert into sync_jobs (connection_id, priority, due_at, asked_again)
      values (${ids[0]}, 1, 9, 0)`.execute(trx);
    return ids;
  });
  await earlier.close();

  const database = await openDatabase({ location, backUp: false });
  t.after(() => database.close());
  const { read } = database;
  assert.equal((await findJob(read, kept))?.followUp?.priority, 0);
  assert.deepEqual(
    (await listUsers(read, 9)).map(({ user }) => user.id),
    ["someone"],
  );
  assert.deepEqual(await connectionIds(read), [kept]);
  const removed = read
    .selectFrom("connections")
    .select(["id", "user_id", "removed_at"])
    .where("id", "=", removedId);
  assert.deepEqual(await removed.execute(), [{ id: removedId, user_id: null, removed_at: 7 }]);
  await database.transaction((trx) => deleteSomeRemoved(trx, 10));
  assert.equal(await database.transaction((trx) => deleteEmptied(trx, 7)), 1);
  assert.deepEqual(await removed.execute(), []);
});
