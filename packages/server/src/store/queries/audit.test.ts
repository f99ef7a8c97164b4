import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditedEvent } from "../../model/audit.ts";
import type { ServiceToken } from "../../model/service-token.ts";
import { scratchDatabase, someToken, someUser } from "../testing/scratch.ts";
import { forgetMiddleRefusals, insertAudit, listAudit } from "./audit.ts";

test("TOK-12: of a token's refused uses the first hundred and the latest 900 are kept, and all of its other events", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const [busy, quiet] = [await someToken(database, userId), await someToken(database, userId)];
  const eventOf = (token: ServiceToken, event: AuditedEvent["event"], at: number) =>
    ({ userId, at, event, token, ...(event === "token_refused" && { reason: "token_revoked" }) }) as const;
  const refusals = (token: ServiceToken, count: number) =>
    Array.from({ length: count }, (_, at) => eventOf(token, "token_refused", at));
  await database.transaction((trx) =>
    insertAudit(trx, [
      ...refusals(busy, 200),
      eventOf(busy, "token_revoked", 200),
      ...refusals(quiet, 3),
      ...refusals(busy, 1_000),
    ]),
  );
  await database.transaction((trx) => forgetMiddleRefusals(trx, [busy.id, quiet.id]));
  const kept = await database.read
    .selectFrom("audit")
    .select(["token_id", "event", "at"])
    .orderBy("id")
    .execute();
  const ofBusy = kept.filter(({ token_id }) => token_id === busy.id);
  const times = ofBusy.filter(({ event }) => event === "token_refused").map(({ at }) => at);
  assert.equal(times.length, 1_000);
  assert.deepEqual([times[99], times[100], times.at(-1)], [99, 100, 999]);
  assert.equal(ofBusy.filter(({ event }) => event === "token_revoked").length, 1);
  assert.equal(kept.length - ofBusy.length, 3);
});

test("TOK-12: the trail is listed in parts, the latest event first", async (t) => {
  const { database } = await scratchDatabase(t);
  const [userId, other] = [await someUser(database), await someUser(database)];
  const event = (user: string, at: number) => ({ userId: user, at, event: "signed_in" as const });
  await database.transaction((trx) =>
    insertAudit(trx, [event(userId, 1), event(other, 2), event(userId, 3), event(userId, 4)]),
  );
  const part = async (beforeId?: number) => {
    const lines = await listAudit(database.read, userId, { limit: 2, beforeId });
    return { times: lines.map(({ at }) => at), last: lines.at(-1)?.id };
  };
  const first = await part();
  assert.deepEqual(first.times, [4, 3]);
  assert.deepEqual((await part(first.last)).times, [1]);
});
