import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { everybody } from "../../model/testing/allow-lists.ts";
import { indexPlans } from "../testing/plans.ts";
import { scratchDatabase, someConnection, someUser } from "../testing/scratch.ts";
import {
  connectionsDue,
  connectionsOfWorkspace,
  publicationsSince,
  withdrawnConnections,
} from "./connections.ts";
import { removedIds } from "./removed-connections.ts";
import { dueRevocation } from "./revocations.ts";

/** Connections for which nothing is due. */
const others = 2_000;

/** When they ended their last sync, and published their graphs. */
const recently = 10_000;

test("SYNC-9: a connection is due that never ended a sync, or by the given time", async (t) => {
  const { database, never, early } = await setUp(t);
  const search = { provider: "some", allowed: everybody };
  assert.deepEqual(await connectionsDue(database.read, { ...search, endedBefore: 999 }), [never]);
  assert.deepEqual(await connectionsDue(database.read, { ...search, endedBefore: 1_000 }), [never, early]);
  assert.equal(
    (await connectionsDue(database.read, { ...search, endedBefore: recently })).length,
    others + 2,
  );
});

test("OPS-8: what is due is found by an index, however many connections there are", async (t) => {
  const due = await setUp(t);
  const { database } = due;
  const search = { provider: "some", allowed: everybody };
  const queries: Readonly<Record<string, () => Promise<unknown>>> = {
    connections_by_last_sync: () => connectionsDue(database.read, { ...search, endedBefore: 1_000 }),
    connections_withdrawn: () => withdrawnConnections(database.read, 1_000),
    connections_removed: () => removedIds(database.read),
    connections_by_publication: () => publicationsSince(database.read, recently),
    connections_of_workspace: () =>
      connectionsOfWorkspace(database.read, { ...search, workspaceId: "elsewhere" }),
    revocations_by_turn: () => dueRevocation(database.read, "some", 1_000),
  };
  for (const [index, query] of Object.entries(queries)) {
    const plans = await indexPlans(t, due, ["connections", "revocations"], query);
    for (const plan of plans) assert.ok(plan.includes(index), `${index} is not used: ${plan}`);
  }
});

/** Many connections that are not due, one that was never synced, one whose sync ended early, and many later revocations. */
async function setUp(t: TestContext) {
  const { database, url } = await scratchDatabase(t);
  const [never, early] = [await someConnection(database), await someConnection(database)];
  const owner = await someUser(database);
  await database.transaction(async (trx) => {
    await trx.updateTable("connections").set({ sync_state: "idle" }).execute();
    await trx.updateTable("connections").set({ sync_finished_at: 1_000 }).where("id", "=", early).execute();
    await sql`insert into connections (user_id, workspace_id, bot_id, access_token, connected_at, sync_state, sync_done,
        sync_finished_at, published_at)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(others)})
      select ${owner}, 'workspace ' || n, '', ${Buffer.of(1)}, 1, 'idle', 0, ${sql.lit(recently)}, ${sql.lit(recently)}
      from numbers`.execute(trx);
    await sql`insert into revocations (provider, sealed_token, due_at)
      select 'some', access_token, ${sql.lit(recently)} from connections`.execute(trx);
  });
  return { database, url, never, early };
}
