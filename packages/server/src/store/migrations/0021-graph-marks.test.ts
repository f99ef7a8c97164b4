import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openDatabase } from "../database.ts";
import { storedVersion } from "../queries/changes.ts";
import { newLocation, released } from "../testing/location.ts";
import { graphMarks } from "./0021-graph-marks.ts";

test("OPS-4: each graph of an earlier program gets a mark of its own", async (t) => {
  const { location, remove } = await newLocation({ isEmpty: true });
  t.after(remove);
  const before = released.filter(({ version }) => version < graphMarks.version);
  const earlier = await openDatabase({ location, migrations: before });
  const ids = await earlier.transaction(async (trx) => {
    await sql`insert into users (id, provider, provider_user_id, created_at, last_sign_in_at)
      values ('someone', 'some', 'someone', 1, 1)`.execute(trx);
    const inserted = await sql<{ readonly id: number }>`insert into connections
      (user_id, workspace_id, bot_id, access_token, connected_at, sync_state, sync_done, revision)
      values ('someone', 'w1', 'bot', ${Uint8Array.of(1)}, 5, 'idle', 0, 3),
        ('someone', 'w2', 'bot', ${Uint8Array.of(1)}, 5, 'idle', 0, 3) returning id`.execute(trx);
    return inserted.rows.map(({ id }) => id);
  });
  await earlier.close();

  const database = await openDatabase({ location, backUp: false });
  t.after(() => database.close());
  const [first, second] = await Promise.all(ids.map((id) => storedVersion(database.read, id)));
  assert.deepEqual([first?.revision, second?.revision], [3, 3]);
  assert.ok(first?.mark && second?.mark && first.mark !== second.mark);
});
