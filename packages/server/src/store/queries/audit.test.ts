import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditedEvent } from "../../model/audit.ts";
import { scratchDatabase, someUser } from "../testing/scratch.ts";
import { forgetMiddleRefusals, insertAudit } from "./audit.ts";
import { insertServiceToken } from "./service-tokens.ts";

test("TOK-12: of a token's refused uses the first hundred and the latest 900 are kept, and all of its other events", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const tokens = await Promise.all(
    [1, 2].map((number) =>
      database.transaction((trx) =>
        insertServiceToken(trx, {
          userId,
          hash: new Uint8Array(32).fill(number),
          name: `token ${number}`,
          prefix: "svc_",
          scopes: ["graph:read"],
          workspaceIds: ["w"],
          createdAt: 1,
          expiresInDays: null,
          expiresAt: null,
        }),
      ),
    ),
  );
  const eventOf = (token: (typeof tokens)[number], event: AuditedEvent["event"], at: number) =>
    ({ userId, at, event, token, ...(event === "token_refused" && { reason: "token_revoked" }) }) as const;
  const refusals = (token: (typeof tokens)[number], count: number) =>
    Array.from({ length: count }, (_, at) => eventOf(token, "token_refused", at));
  const [busy, quiet] = tokens;
  assert.ok(busy && quiet);
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
