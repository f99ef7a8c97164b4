import assert from "node:assert/strict";
import { test } from "node:test";
import { ProviderError } from "@clew/provider";
import { actorOf } from "../model/testing/actor.ts";
import { Sources } from "../providers/sources.ts";
import { openDatabase } from "../store/database.ts";
import { disconnect } from "./remove.ts";
import { revokeDueGrants } from "./revoke-grants.ts";
import { createRemovalFixture } from "./testing/removal.ts";

const at = (userId: string) => actorOf({ userId, sessionId: "a session" });

const minute = 60_000;
const never = new AbortController().signal;

/** A user who has disconnected from these workspaces. */
async function disconnected(t: Parameters<typeof createRemovalFixture>[0], ...workspaceIds: string[]) {
  const fixture = await createRemovalFixture(t);
  const ann = await fixture.user();
  for (const id of workspaceIds) await fixture.connect(ann, id);
  for (const id of workspaceIds) await disconnect(fixture.services, at(ann), id);
  return { ...fixture, ann, tokenOf: (id: string) => `access ${ann} ${id}` };
}

test("GRAPH-15: the grant is revoked at the provider once", async (t) => {
  const { services, revoked, tokenOf, rows } = await disconnected(t, "w1", "w2");
  await revokeDueGrants(services, never);
  await revokeDueGrants(services, never);
  assert.deepEqual(revoked, [tokenOf("w1"), tokenOf("w2")]);
  assert.equal(await rows("revocations"), 0);
});

test("GRAPH-15: while the provider is down revocation is retried with growing delays of up to a day", async (t) => {
  const { services, provider, revoked, time, rows, logged, tokenOf } = await disconnected(t, "w1");
  provider.answer = async () => Promise.reject(new ProviderError("unavailable", "down"));
  const delaysMinutes: number[] = [];
  for (let waitedMinutes = 0; delaysMinutes.length < 14; time.now += minute, waitedMinutes += 1) {
    const before = revoked.length;
    await revokeDueGrants(services, never);
    if (revoked.length > before) waitedMinutes = delaysMinutes.push(waitedMinutes) * 0;
  }
  assert.deepEqual(delaysMinutes, [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440]);
  provider.answer = async () => {};
  time.now += 1440 * minute;
  await revokeDueGrants(services, never);
  assert.equal(await rows("revocations"), 0);
  assert.ok(!logged.join().includes(tokenOf("w1")), "SIGN-8: no token is logged");
});

test("GRAPH-15: a grant that the provider does not know is not retried", async (t) => {
  const { services, provider, rows } = await disconnected(t, "w1");
  provider.answer = async () => Promise.reject(new ProviderError("unauthorized", "unknown"));
  await revokeDueGrants(services, never);
  assert.equal(await rows("revocations"), 0);
});

test("GRAPH-15: only one of two instances revokes a grant", async (t) => {
  const { services, provider, revoked, location } = await disconnected(t, "w1");
  const other = await openDatabase({ location });
  t.after(() => other.close());
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  provider.answer = () => {
    asked.resolve();
    return answered.promise;
  };
  const one = revokeDueGrants(services, never);
  await asked.promise;
  await revokeDueGrants({ ...services, database: other }, never);
  answered.resolve();
  await one;
  assert.equal(revoked.length, 1);
});

test("SIGN-11: a grant of another provider is not sent to this one", async (t) => {
  const { services, provider, revoked, rows } = await disconnected(t, "w1");
  await revokeDueGrants({ ...services, sources: new Sources({ ...provider, slug: "other" }) }, never);
  assert.deepEqual(revoked, []);
  assert.equal(await rows("revocations"), 1);
});
