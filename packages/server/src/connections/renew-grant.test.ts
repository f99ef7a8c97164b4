import assert from "node:assert/strict";
import { test } from "node:test";
import { actorOf } from "../auth/testing/actor.ts";
import { replaceSealedTokens, sealedGrant } from "../store/queries/connections.ts";
import { openTokens, sealTokens } from "./grant.ts";
import { disconnect } from "./remove.ts";
import { renewGrant } from "./renew-grant.ts";
import { revokeDueGrants } from "./revoke-grants.ts";
import { createRemovalStage } from "./testing/removal.ts";

const at = (userId: string) => actorOf({ userId, sessionId: "a session" });

/** A connection whose grant can be renewed; `meanwhile` happens before the provider answers. */
async function renewable(t: Parameters<typeof createRemovalStage>[0]) {
  const stage = await createRemovalStage(t);
  const { parts, database } = stage;
  const ann = await stage.user();
  const { id } = await stage.connect(ann, "w1");
  const owner = await sealedGrant(database.read, id);
  assert.ok(owner);
  const store = (accessToken: string, refreshToken: string) => {
    const sealed = sealTokens(parts.secrets, owner, { accessToken, refreshToken });
    return database.transaction((trx) => replaceSealedTokens(trx, id, sealed));
  };
  await store("a1", "r1");
  return {
    ...stage,
    ann,
    store,
    tokens: () => openTokens(database.read, parts.secrets, id),
    async renew(meanwhile: () => Promise<unknown>) {
      const refresh = async (refreshToken: string) => {
        assert.equal(refreshToken, "r1");
        await meanwhile();
        return { accessToken: "a2", refreshToken: "r2" };
      };
      const provider = { slug: "some", refresh };
      return renewGrant({ ...parts, provider }, id, { accessToken: "a1", refreshToken: "r1" });
    },
  };
}

test("SYNC-8: renewed tokens take the place of those of before", async (t) => {
  const { renew, tokens } = await renewable(t);
  assert.equal(await renew(async () => {}), true);
  assert.deepEqual(await tokens(), { accessToken: "a2", refreshToken: "r2" });
});

test("SIGN-5: a sign-in while a grant is renewed counts", async (t) => {
  const { renew, tokens, store } = await renewable(t);
  assert.equal(await renew(() => store("a3", "r3")), true);
  assert.deepEqual(await tokens(), { accessToken: "a3", refreshToken: "r3" });
});

test("GRAPH-15: a grant that is renewed while its connection is removed is given back too", async (t) => {
  const { renew, tokens, parts, ann, revoked } = await renewable(t);
  await renew(() => disconnect(parts, at(ann), "w1"));
  assert.equal(await tokens(), null);
  await revokeDueGrants(parts, new AbortController().signal);
  assert.deepEqual(revoked, ["a1", "a2"]);
});
