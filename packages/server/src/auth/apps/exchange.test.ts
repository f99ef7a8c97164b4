import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { ServiceToken } from "../../model/service-token.ts";
import { onLists, onlyAt } from "../../model/testing/allow-lists.ts";
import { insertAppCode } from "../../store/queries/apps.ts";
import { hashSecret } from "../browser-cookies.ts";
import { createAuthFixture } from "../testing/auth-fixture.ts";
import { exchangeCode } from "./exchange.ts";

const verifier = "v".repeat(43);
const random = (size: number) => new Uint8Array(randomBytes(size));
const nobody = onLists({ emails: ["someone@else.example"] });

/** A person who has allowed an app, and the app's code. */
async function open(t: TestContext) {
  const fixture = await createAuthFixture(t);
  const { database, clock } = fixture;
  const { id: userId } = await fixture.signUp("someone");
  const { sessionId } = await fixture.signIn(userId);
  for (const workspaceId of ["one", "two"]) await fixture.connect(userId, workspaceId);
  const code = {
    ...{ codeHash: hashSecret("the code"), userId, sessionId, clientId: "an app", clientName: "An app" },
    ...{ redirectUri: "https://app.example/", resource: "mcp" as const, scopes: ["graph:read" as const] },
    ...{ challenge: createHash("sha256").update(verifier).digest("base64url"), workspaceIds: ["one", "two"] },
    ...{ expiresInDays: 30, createdByBrowser: null, expiresAt: clock() + 60_000 },
  };
  await database.transaction((trx) => insertAppCode(trx, code, clock()));
  /** The tokens that a second use of the code has revoked. */
  const revoked: ServiceToken[] = [];
  const exchange = ({ allowed = onlyAt("notion") } = {}) => {
    const form = new URLSearchParams({
      ...{ grant_type: "authorization_code", code: "the code", client_id: "an app" },
      ...{ redirect_uri: "https://app.example/", code_verifier: verifier },
    });
    const origin = { address: null, userAgent: null };
    const services = {
      ...{ database, clock, random, clients: { isKnown: async () => true } },
      config: { publicUrl: new URL("https://clew.example"), allowed },
    };
    return exchangeCode(
      services,
      { form, isAuthorized: false, reachedHost: "clew.example", origin },
      (token) => revoked.push(token),
    );
  };
  return { fixture, userId, sessionId, exchange, revoked };
}

const refused = { name: "OAuthFault", code: "invalid_grant" };

test("APP-5: the code of a live session gives a token for the workspaces that are still connected", async (t) => {
  const { fixture, exchange } = await open(t);
  await fixture.database.transaction(async (trx) => {
    await trx.deleteFrom("connections").where("workspace_id", "=", "one").execute();
  });
  const { token } = await exchange();
  assert.deepEqual(token.workspaceIds, ["two"]);
});

test("SIGN-10: a person who is on no list any more gets no token for the code", async (t) => {
  const { exchange } = await open(t);
  await assert.rejects(exchange({ allowed: nobody }), refused);
  await assert.rejects(exchange(), refused, "the code is used up");
});

test("SIGN-11: nor does a person of another provider", async (t) => {
  const { exchange } = await open(t);
  await assert.rejects(exchange({ allowed: onlyAt("stand-in") }), refused);
});

test("APP-4: nor does one whose session has ended or expired", async (t) => {
  for (const end of ["ended", "expired"]) {
    const { fixture, sessionId, exchange } = await open(t);
    const { database, clock } = fixture;
    const change = end === "ended" ? { ended_at: clock() } : { refresh_expires_at: clock() };
    await database.transaction(async (trx) => {
      await trx.updateTable("sessions").set(change).where("id", "=", sessionId).execute();
    });
    await assert.rejects(exchange(), refused, end);
  }
});

test("APP-4: a code that has expired gives no token, and neither does one without workspaces", async (t) => {
  const { fixture, exchange } = await open(t);
  fixture.clock.advance(60_000);
  await assert.rejects(exchange(), refused);
  const other = await open(t);
  await other.fixture.database.transaction(async (trx) => {
    await trx.deleteFrom("connections").execute();
  });
  await assert.rejects(other.exchange(), refused);
});

test("APP-4: the second use of a code revokes what the first gave, and the third finds nothing to revoke", async (t) => {
  const { exchange, revoked } = await open(t);
  const { token } = await exchange();
  for (let uses = 2; uses <= 3; uses += 1) await assert.rejects(exchange(), refused);
  assert.deepEqual(
    revoked.map(({ id }) => id),
    [token.id],
  );
});
