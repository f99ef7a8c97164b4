import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Database } from "../store/port.ts";
import { listAudit } from "../store/queries/audit.ts";
import { setMark } from "../store/queries/moving.ts";
import { deleteUser } from "../store/queries/users.ts";
import { createAuthFixture } from "./testing/auth-fixture.ts";
import { createRefusedUse, createTokenUse } from "./token-use.ts";

const origin = { address: "192.0.2.1", userAgent: "A program" };

/** A person with two tokens in the second of two buckets, and the writers of an instance that looks at the first one first. */
async function open(t: TestContext) {
  const [first, second] = [await createAuthFixture(t), await createAuthFixture(t)];
  const { clock } = first;
  const database = second.database;
  const { id: userId } = await second.signUp("someone");
  const [one, two] = [await second.serviceToken(userId), await second.serviceToken(userId)];
  /** Read transactions that the writers begin in the second bucket. */
  const calls = { read: 0 };
  const counted: Database = Object.create(database, {
    read: {
      get() {
        calls.read += 1;
        return database.read;
      },
    },
  });
  const services = { database: first.database, others: () => [counted], clock, onError: assert.ifError };
  const refusedUse = createRefusedUse(services);
  const tokenUse = createTokenUse(services);
  t.after(() => Promise.all([refusedUse.close(), tokenUse.close()]));
  return {
    ...{ database, clock, userId, one, two, calls, refusedUse, tokenUse },
    refuse: (tokenId: number) => refusedUse.record({ tokenId, at: clock(), reason: "token_expired", origin }),
    recorded: async () => (await listAudit(database.read, userId, { limit: 10 })).map(({ event }) => event),
    mark: (from: number | null, to: number | null) =>
      database.transaction((trx) => setMark(trx, userId, { from, to })),
  };
}

test("TOK-12, OPS-13: refused uses of a person who is being moved are recorded once the move has ended", async (t) => {
  const { one, two, refuse, recorded, refusedUse, mark } = await open(t);
  await mark(null, 2);
  refuse(one.id);
  refuse(two.id);
  await refusedUse.flush();
  assert.deepEqual(await recorded(), []);
  await mark(2, null);
  await refusedUse.flush();
  assert.deepEqual(await recorded(), ["token_refused", "token_refused"]);
  await refusedUse.flush();
  assert.equal((await recorded()).length, 2, "each is recorded once");
});

test("TOK-12: a use that is refused while earlier ones are written is recorded too", async (t) => {
  const { database, one, refuse, recorded, refusedUse } = await open(t);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const earlier = database.transaction(() => released);
  refuse(one.id);
  const written = refusedUse.flush();
  await new Promise(setImmediate);
  refuse(one.id);
  release();
  await Promise.all([earlier, written]);
  await refusedUse.flush();
  assert.equal((await recorded()).length, 2);
});

test("TOK-10, OPS-13: uses by a person who is being moved are recorded once the move has ended", async (t) => {
  const { one, clock, tokenUse, mark, database } = await open(t);
  const lastUse = async () => {
    const rows = database.read.selectFrom("service_tokens").select("last_used_at").where("id", "=", one.id);
    return (await rows.executeTakeFirstOrThrow()).last_used_at;
  };
  await mark(null, 2);
  tokenUse.record(one.id);
  await tokenUse.flush();
  assert.equal(await lastUse(), null);
  await mark(2, null);
  await tokenUse.flush();
  assert.equal(await lastUse(), clock());
});

test("TOK-12: uses of tokens that were deleted are forgotten", async (t) => {
  const { database, userId, one, two, calls, refuse, refusedUse, tokenUse } = await open(t);
  await database.transaction((trx) => deleteUser(trx, userId));
  refuse(one.id);
  tokenUse.record(two.id);
  await Promise.all([refusedUse.flush(), tokenUse.flush()]);
  const { read } = calls;
  assert.ok(read > 0, "they are looked for");
  await Promise.all([refusedUse.flush(), tokenUse.flush()]);
  assert.equal(calls.read, read, "and not once more");
});
