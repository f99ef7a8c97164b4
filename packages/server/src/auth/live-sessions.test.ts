import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { actorOf } from "../model/testing/actor.ts";
import { listServiceTokens } from "../store/queries/service-tokens.ts";
import { findUser } from "../store/queries/users.ts";
import { endOtherSessions, endOwnSession, withLiveSession } from "./live-sessions.ts";
import { createServiceToken, revokeServiceToken, rotateServiceToken } from "./service-tokens.ts";
import { createAuthFixture } from "./testing/auth-fixture.ts";

test("SESS-4: a transaction in an ended, foreign or unknown session writes nothing", async (t) => {
  const fixture = await createAuthFixture(t);
  const { database, clock, sessions } = fixture;
  const [owner, stranger] = [await fixture.signUp("owner"), await fixture.signUp("stranger")];
  const opened = await fixture.signIn(owner.id);
  const actor = actorOf(await sessions.verifyAccess(opened.access));
  const rename = (as: typeof actor, name: string) =>
    withLiveSession(database, as, clock).transaction((trx) =>
      trx.updateTable("users").set({ name }).where("id", "=", owner.id).execute(),
    );

  await rename(actor, "while it lives");
  const isRefused = { code: "token_revoked" };
  await assert.rejects(rename({ ...actor, userId: stranger.id }, "another's"), isRefused);
  await assert.rejects(rename({ ...actor, sessionId: "none" }, "none"), isRefused);
  await sessions.logout(actor, opened.refresh);
  await assert.rejects(rename(actor, "after its end"), isRefused);
  assert.equal((await findUser(database.read, owner.id))?.name, "while it lives");
});

test("SESS-4: a session that ends during a request cannot create, rotate, revoke or end anything", async (t) => {
  const fixture = await createAuthFixture(t);
  const { database, clock, sessions } = fixture;
  const services = { database, clock, random: randomBytes };
  const { id: userId } = await fixture.signUp("owner");
  const [ended, kept] = [await fixture.signIn(userId), await fixture.signIn(userId)];
  const actor = actorOf(await sessions.verifyAccess(ended.access));
  const token = await fixture.serviceToken(userId);
  await sessions.logout(actor, ended.refresh);

  const body = { name: "x", scopes: ["graph:read" as const], workspace_ids: token.workspaceIds.slice() };
  const id = String(token.id);
  const writes: Readonly<Record<string, () => Promise<unknown>>> = {
    create: () => createServiceToken(services, actor, { body, shapeErrors: [] }),
    rotate: () => rotateServiceToken(services, actor, { id, overlapHours: 0 }),
    revoke: () => revokeServiceToken(services, actor, id),
    "end one": () => endOwnSession(services, actor, kept.sessionId),
    "end others": () => endOtherSessions(services, actor),
    logout: () => sessions.logout(actor, kept.refresh),
  };
  for (const [name, write] of Object.entries(writes))
    await assert.rejects(write(), { code: "token_revoked" }, name);
  const tokens = await listServiceTokens(database.read, userId, { now: clock(), isActive: true, limit: 10 });
  assert.deepEqual(
    tokens.map(({ id: tokenId }) => tokenId),
    [token.id],
  );
  await sessions.verifyAccess(kept.access);
});
