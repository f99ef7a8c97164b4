import assert from "node:assert/strict";
import { test } from "node:test";
import { insertAudit } from "../store/queries/audit.ts";
import { scratchDatabase, someUser } from "../store/testing/scratch.ts";
import { deleteOldEvents } from "./audit-retention.ts";

test("TOK-12: events of all people from before a time are deleted, some at a time, and no others", async (t) => {
  const { database } = await scratchDatabase(t);
  const people = [await someUser(database), await someUser(database)];
  const events = Array.from({ length: 1_203 }, (_, at) => ({
    userId: people[at % 2] ?? "",
    at,
    event: "signed_in" as const,
  }));
  await database.transaction((trx) => insertAudit(trx, events));
  const left = async () =>
    (await database.read.selectFrom("audit").select("at").orderBy("id").execute()).map(({ at }) => at);
  const { signal } = new AbortController();
  assert.equal(await deleteOldEvents(database, 1_201, signal), 1_201);
  assert.deepEqual(await left(), [1_201, 1_202]);
  assert.equal(await deleteOldEvents(database, 1_201, signal), 0);
  assert.equal(await deleteOldEvents(database, 2_000, AbortSignal.abort()), 0);
  assert.deepEqual(await left(), [1_201, 1_202]);
});
