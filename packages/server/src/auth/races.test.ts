import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { tokenLimits } from "@clew/contract";
import { pino } from "pino";
import { openForRevocation, openGrant, sealForRevocation, sealTokens } from "../connections/grant.ts";
import { disconnect } from "../connections/remove.ts";
import { renewGrant } from "../connections/renew-grant.ts";
import { revokeDueGrants } from "../connections/revoke-grants.ts";
import { statusOf } from "../model/service-token.ts";
import { actorOf } from "../model/testing/actor.ts";
import { Sources } from "../providers/sources.ts";
import { newId } from "../secrets/new-id.ts";
import { verifyKey } from "../secrets/open-secrets.ts";
import { createSecrets } from "../secrets/secrets.ts";
import type { Database } from "../store/port.ts";
import { listAudit } from "../store/queries/audit.ts";
import { sealedGrant, upsertConnection } from "../store/queries/connections.ts";
import { insertRevocation } from "../store/queries/revocations.ts";
import { countUsableTokens, findServiceToken } from "../store/queries/service-tokens.ts";
import { openSession } from "../store/queries/sessions.ts";
import { signingKeys } from "../store/queries/signing-keys.ts";
import { needsServer, testRace } from "../store/testing/interleave.ts";
import { someUser } from "../store/testing/scratch.ts";
import { createServiceToken, revokeServiceToken, rotateServiceToken } from "./service-tokens.ts";
import { createSigningKeys } from "./signing-keys.ts";

const random = randomBytes;
const secrets = createSecrets(randomBytes(32), random);
const workspaceId = "workspace";
const never = new AbortController().signal;
const log = pino({ level: "silent" });

/** A new person at two instances, and the uses of their tokens. */
async function person(one: Database, other: Database) {
  const userId = await someUser(one);
  const session = { id: newId(random), userId, userAgent: null };
  const owner = { userId, workspaceId };
  const grantOf = (tokens: { accessToken: string; refreshToken: string | null }) => ({
    ...{ ...owner, ...sealTokens(secrets, owner, tokens) },
    ...{ name: null, icon: null, provider: "some", grantId: "grant" },
  });
  const granted = { accessToken: "granted", refreshToken: "refresh" };
  const { id: connectionId } = await one.transaction(async (trx) => {
    const now = one.clock();
    await openSession(trx, { ...session, createdAt: now, refreshExpiresAt: now + 600_000 });
    return upsertConnection(trx, grantOf(granted), now);
  });
  const actor = actorOf({ userId, sessionId: session.id });
  const at = (database: Database) => ({ database, clock: database.clock, random });
  const body = { name: "a token", scopes: ["graph:read" as const], workspace_ids: [workspaceId] };
  const create = async (database: Database) =>
    (await createServiceToken(at(database), actor, { body, shapeErrors: [] })).token;
  return {
    one,
    other,
    userId,
    connectionId,
    granted,
    create,
    rotate: (database: Database, id: number, overlapHours: number) =>
      rotateServiceToken(at(database), actor, { id: String(id), overlapHours }),
    revoke: (database: Database, id: number) => revokeServiceToken(at(database), actor, String(id)),
    disconnect: (database: Database) =>
      disconnect(
        {
          ...at(database),
          ...{ secrets, log, sync: { abandon: async () => {} }, graphs: { forget() {} } },
        },
        actor,
        workspaceId,
      ),
    /** Renews the grant as a sync does: the provider has new tokens, and accepts no older ones. */
    renew: (database: Database) =>
      renewGrant(
        {
          ...at(database),
          secrets,
          provider: {
            slug: "some",
            refresh: async () => ({ accessToken: "renewed", refreshToken: "next" }),
          },
        },
        connectionId,
        granted,
      ),
    signIn: (database: Database, accessToken: string) =>
      database.transaction((trx) =>
        upsertConnection(trx, grantOf({ accessToken, refreshToken: "of sign-in" }), database.clock()),
      ),
    accessToken: async () => {
      const grant = await sealedGrant(one.read, connectionId);
      return grant === null ? null : openGrant(secrets, grant).accessToken;
    },
    usable: () => countUsableTokens(one.read, userId, one.clock()),
    events: async (event: string) =>
      (await listAudit(one.read, userId, { limit: 50 })).filter((line) => line.event === event).length,
  };
}

/** A person with one token. */
async function withToken(one: Database, other: Database) {
  const owner = await person(one, other);
  return { ...owner, token: await owner.create(one) };
}

const succeeded = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === "fulfilled").length;

/** Fails where an act was refused for another reason than an `ApiError` with this code. */
function refusedWith(results: readonly PromiseSettledResult<unknown>[], code: string): void {
  for (const result of results)
    if (result.status === "rejected") assert.equal(result.reason.code, code, String(result.reason));
}

test("TOK-6: of two creations at the same time at nine tokens one is refused", needsServer, (t) =>
  testRace(t, {
    stage: async (one, other) => {
      const owner = await person(one, other);
      for (let count = 1; count < tokenLimits.usablePerUser; count += 1) await owner.create(one);
      return owner;
    },
    acts: [({ create, one }) => create(one), ({ create, other }) => create(other)],
    verify: async ({ usable }, results) => {
      refusedWith(results, "token_limit_reached");
      assert.equal(succeeded(results), 1);
      assert.equal(await usable(), tokenLimits.usablePerUser);
    },
  }),
);

test("TOK-9: of two rotations of a token at the same time one is refused", needsServer, (t) =>
  testRace(t, {
    stage: withToken,
    acts: [
      ({ rotate, one, token }) => rotate(one, token.id, 0),
      ({ rotate, other, token }) => rotate(other, token.id, 24),
    ],
    verify: async ({ events }, results) => {
      refusedWith(results, "conflict");
      assert.equal(succeeded(results), 1);
      assert.equal(await events("token_rotated"), 1);
    },
  }),
);

test("TOK-8: a rotation at the same time does not undo a revocation", needsServer, (t) =>
  testRace(t, {
    stage: withToken,
    acts: [
      ({ rotate, one, token }) => rotate(one, token.id, 24),
      ({ revoke, other, token }) => revoke(other, token.id),
    ],
    verify: async ({ one, userId, token, usable }, [rotation, revocation]) => {
      assert.equal(revocation?.status, "fulfilled");
      const old = await findServiceToken(one.read, userId, token.id);
      // The clock of the other instance may be a little ahead.
      assert.equal(old && statusOf(old, one.clock()), "revoked");
      assert.equal(await usable(), rotation?.status === "fulfilled" ? 1 : 0);
    },
  }),
);

test("TOK-12: two revocations of a token at the same time are one line", needsServer, (t) =>
  testRace(t, {
    stage: withToken,
    acts: [
      ({ revoke, one, token }) => revoke(one, token.id),
      ({ revoke, other, token }) => revoke(other, token.id),
    ],
    verify: async ({ events }, results) => {
      assert.equal(succeeded(results), 2);
      assert.equal(await events("token_revoked"), 1);
    },
  }),
);

test(
  "GRAPH-15: a token that is created while its workspace is disconnected does not have it",
  needsServer,
  (t) =>
    testRace(t, {
      stage: person,
      acts: [({ create, one }) => create(one), ({ disconnect, other }) => disconnect(other)],
      verify: async ({ usable }, results) => {
        refusedWith(results, "invalid_request");
        assert.equal(await usable(), 0);
      },
    }),
);

test("GRAPH-15: a grant that is renewed while it is disconnected is revoked", needsServer, (t) =>
  testRace(t, {
    stage: async (one, other) => {
      await one.transaction((trx) => trx.deleteFrom("revocations").execute());
      return person(one, other);
    },
    acts: [({ renew, one }) => renew(one), ({ disconnect, other }) => disconnect(other)],
    verify: async ({ one }, results) => {
      assert.equal(succeeded(results), 2);
      const queued = await one.read.selectFrom("revocations").selectAll().execute();
      const tokens = queued.map(({ sealed_token }) => openForRevocation(secrets, "some", sealed_token));
      assert.ok(tokens.includes("renewed"), `${tokens}`);
    },
  }),
);

test("SYNC-8: a renewal at the same time does not replace the grant of a sign-in", needsServer, (t) =>
  testRace(t, {
    stage: person,
    acts: [({ renew, one }) => renew(one), ({ signIn, other }) => signIn(other, "of sign-in")],
    verify: async ({ accessToken }, results) => {
      assert.equal(succeeded(results), 2);
      assert.equal(await accessToken(), "of sign-in");
    },
  }),
);

test("GRAPH-15: two instances do not revoke a grant at the provider twice", needsServer, (t) =>
  testRace(t, {
    stage: async (one, other) => {
      const sealedToken = sealForRevocation(secrets, "some", "a grant");
      await one.transaction(async (trx) => {
        await trx.deleteFrom("revocations").execute();
        await insertRevocation(trx, { provider: "some", sealedToken, dueAt: 0 });
      });
      const revoked: string[] = [];
      const sources = new Sources({
        slug: "some",
        revoke: async (token: string) => void revoked.push(token),
      });
      const work = (database: Database) =>
        revokeDueGrants({ database, secrets, sources, clock: database.clock, log }, never);
      return { one, other, revoked, work };
    },
    acts: [({ work, one }) => work(one), ({ work, other }) => work(other)],
    verify: async ({ revoked }) => assert.deepEqual(revoked, ["a grant"]),
  }),
);

/** Instances without a signing key. */
async function keyless(one: Database, other: Database) {
  await one.transaction((trx) => trx.deleteFrom("signing_keys").execute());
  const open = (database: Database) =>
    createSigningKeys({ database, secrets, clock: database.clock, random });
  return { one, other, open };
}

const currentKeys = async ({ read }: Database) =>
  (await signingKeys(read)).filter(({ retiredAt }) => retiredAt === null).length;

test("SESS-7: instances that start together create one signing key", needsServer, (t) =>
  testRace(t, {
    stage: keyless,
    acts: [({ open, one }) => open(one), ({ open, other }) => open(other)],
    verify: async ({ one }, results) => {
      assert.equal(succeeded(results), 2);
      assert.equal(await currentKeys(one), 1);
    },
  }),
);

test("SESS-7: after two rotations at the same time one key signs", needsServer, (t) =>
  testRace(t, {
    stage: async (one, other) => {
      const { open } = await keyless(one, other);
      return { one, keys: [await open(one), await open(other)] as const };
    },
    acts: [({ keys }) => keys[0].rotate(), ({ keys }) => keys[1].rotate()],
    verify: async ({ one }, results) => {
      assert.equal(succeeded(results), 2);
      assert.equal(await currentKeys(one), 1);
    },
  }),
);

test("SIGN-8: of two instances that start together with different keys one is refused", needsServer, (t) =>
  testRace(t, {
    stage: async (one, other) => {
      await one.transaction((trx) => trx.deleteFrom("installation").execute());
      return { one, other, another: createSecrets(randomBytes(32), random) };
    },
    acts: [({ one }) => verifyKey(one, secrets), ({ other, another }) => verifyKey(other, another)],
    verify: async (_, results) => {
      refusedWith(results, "wrong_key");
      assert.equal(succeeded(results), 1);
    },
  }),
);
