import assert from "node:assert/strict";
import { test } from "node:test";
import { actorOf } from "../auth/testing/actor.ts";
import { ProviderError } from "../provider/port.ts";
import { openDatabase } from "../store/database.ts";
import { disconnect } from "./remove.ts";
import { revokeDueGrants } from "./revoke-grants.ts";
import { createRemovalStage } from "./testing/removal.ts";

const at = (userId: string) => actorOf({ userId, sessionId: "a session" });

const minute = 60_000;
const never = new AbortController().signal;

/** A user who has disconnected from these workspaces. */
async function disconnected(t: Parameters<typeof createRemovalStage>[0], ...workspaceIds: string[]) {
  const stage = await createRemovalStage(t);
  const ann = await stage.user();
  for (const id of workspaceIds) await stage.connect(ann, id);
  for (const id of workspaceIds) await disconnect(stage.parts, at(ann), id);
  return { ...stage, ann, tokenOf: (id: string) => `access ${ann} ${id}` };
}

test("GRAPH-15: the grant is given back to the provider, once", async (t) => {
  const { parts, revoked, tokenOf, rows } = await disconnected(t, "w1", "w2");
  await revokeDueGrants(parts, never);
  await revokeDueGrants(parts, never);
  assert.deepEqual(revoked, [tokenOf("w1"), tokenOf("w2")]);
  assert.equal(await rows("revocations"), 0);
});

test("GRAPH-15: while the provider is down it is told again, more and more rarely, but once a day", async (t) => {
  const { parts, provider, revoked, time, rows, logged, tokenOf } = await disconnected(t, "w1");
  provider.answer = async () => Promise.reject(new ProviderError("unavailable", "down"));
  const pauses: number[] = [];
  for (let waited = 0; pauses.length < 14; time.now += minute, waited += 1) {
    const before = revoked.length;
    await revokeDueGrants(parts, never);
    if (revoked.length > before) waited = pauses.push(waited) * 0;
  }
  assert.deepEqual(pauses, [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440]);
  provider.answer = async () => {};
  time.now += 1440 * minute;
  await revokeDueGrants(parts, never);
  assert.equal(await rows("revocations"), 0);
  assert.ok(!logged.join().includes(tokenOf("w1")), "SIGN-8: no token is logged");
});

test("GRAPH-15: a grant that the provider does not know is not offered again", async (t) => {
  const { parts, provider, rows } = await disconnected(t, "w1");
  provider.answer = async () => Promise.reject(new ProviderError("unauthorized", "unknown"));
  await revokeDueGrants(parts, never);
  assert.equal(await rows("revocations"), 0);
});

test("GRAPH-15: of two instances one gives a grant back", async (t) => {
  const { parts, provider, revoked, path } = await disconnected(t, "w1");
  const other = await openDatabase({ path });
  t.after(() => other.close());
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  provider.answer = () => {
    asked.resolve();
    return answered.promise;
  };
  const one = revokeDueGrants(parts, never);
  await asked.promise;
  await revokeDueGrants({ ...parts, database: other }, never);
  answered.resolve();
  await one;
  assert.equal(revoked.length, 1);
});

test("SIGN-11: a grant of another provider's is not sent to this one", async (t) => {
  const { parts, provider, revoked, rows } = await disconnected(t, "w1");
  await revokeDueGrants({ ...parts, provider: { ...provider, slug: "other" } }, never);
  assert.deepEqual(revoked, []);
  assert.equal(await rows("revocations"), 1);
});
