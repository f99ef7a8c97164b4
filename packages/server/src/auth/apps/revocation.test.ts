import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { listAudit } from "../../store/queries/audit.ts";
import { findServiceToken, insertServiceToken, recordTokenUse } from "../../store/queries/service-tokens.ts";
import { hashSecret } from "../browser-cookies.ts";
import { type AuthFixture, createAuthFixture, day } from "../testing/auth-fixture.ts";
import { endUnusedTokens, revokeAppToken } from "./revocation.ts";

/** A token of a connected app. */
async function appToken({ database, clock }: AuthFixture, userId: string, name: string) {
  const client = {
    ...{ name, redirectUri: "https://app.example/", resource: "mcp" as const },
    ...{ idHash: hashSecret("an app"), codeHash: hashSecret(name) },
  };
  const token = {
    ...{ userId, name, hash: hashSecret(`token ${name}`), prefix: "svc_abcdefgh", client },
    ...{ scopes: ["graph:read" as const], workspaceIds: ["workspace"], expiresInDays: 365 },
    ...{ createdAt: clock(), expiresAt: clock() + 365 * day },
  };
  return database.transaction((trx) => insertServiceToken(trx, token));
}

async function open(t: TestContext) {
  const fixture = await createAuthFixture(t);
  const { id: userId } = await fixture.signUp("someone");
  const revokedAt = async (id: number) =>
    (await findServiceToken(fixture.database.read, userId, id))?.revokedAt ?? null;
  return { fixture, userId, revokedAt };
}

test("APP-7: a connected app's token ends after 30 days without use, with a line in the audit trail", async (t) => {
  const { fixture, userId, revokedAt } = await open(t);
  const { clock, database } = fixture;
  const [unused, used, made] = [
    await appToken(fixture, userId, "unused"),
    await appToken(fixture, userId, "used"),
    await fixture.serviceToken(userId),
  ];
  clock.advance(20 * day);
  await database.transaction((trx) => recordTokenUse(trx, new Map([[used.id, clock()]])));
  clock.advance(10 * day);
  assert.equal(await endUnusedTokens(fixture), 0, "30 days are not over");
  clock.advance(1);
  assert.equal(await endUnusedTokens(fixture), 1);
  assert.deepEqual(
    [await revokedAt(unused.id), await revokedAt(used.id), await revokedAt(made.id)],
    [clock(), null, null],
  );
  assert.equal(await endUnusedTokens(fixture), 0);
  clock.advance(20 * day);
  assert.equal(await endUnusedTokens(fixture), 1);
  const lines = await listAudit(database.read, userId, { limit: 10 });
  assert.deepEqual(
    lines.map(({ event, reason, token }) => [event, reason, token?.name]),
    [
      ["token_revoked", "unused", "used"],
      ["token_revoked", "unused", "unused"],
    ],
  );
});

test("APP-5: a program that ends its token gets it back, and nothing the second time", async (t) => {
  const { fixture, userId } = await open(t);
  const { id } = await appToken(fixture, userId, "mine");
  const form = new URLSearchParams({ token: "token mine", client_id: "an app" });
  const end = () => revokeAppToken(fixture, { form, origin: { address: null, userAgent: null } });
  assert.equal((await end())?.id, id);
  assert.equal(await end(), null);
});
