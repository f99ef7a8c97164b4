import assert from "node:assert/strict";
import { test } from "node:test";
import { actorOf } from "../model/testing/actor.ts";
import { replaceSealedTokens, sealedGrant } from "../store/queries/connections.ts";
import { openTokens, sealTokens } from "./grant.ts";
import { disconnect } from "./remove.ts";
import { renewGrant } from "./renew-grant.ts";
import { revokeDueGrants } from "./revoke-grants.ts";
import { createRemovalFixture } from "./testing/removal.ts";

const at = (userId: string) => actorOf({ userId, sessionId: "a session" });

/** A connection whose grant can be renewed; `meanwhile` happens before the provider answers. */
async function renewable(t: Parameters<typeof createRemovalFixture>[0]) {
  const fixture = await createRemovalFixture(t);
  const { services, database } = fixture;
  const ann = await fixture.user();
  const { id } = await fixture.connect(ann, "w1");
  const owner = await sealedGrant(database.read, id);
  assert.ok(owner);
  const store = (accessToken: string, refreshToken: string) => {
    const sealed = sealTokens(services.secrets, owner, { accessToken, refreshToken });
    return database.transaction((trx) => replaceSealedTokens(trx, id, sealed));
  };
  await store("a1", "r1");
  return {
    ...fixture,
    ann,
    store,
    tokens: () => openTokens(database.read, services.secrets, id),
    async renew(meanwhile: () => Promise<unknown>) {
      const refresh = async (refreshToken: string) => {
        assert.equal(refreshToken, "r1");
        await meanwhile();
        return { accessToken: "a2", refreshToken: "r2" };
      };
      const provider = { slug: "some", refresh };
      return renewGrant({ ...services, provider }, id, { accessToken: "a1", refreshToken: "r1" });
    },
  };
}

test("SYNC-8: renewed tokens replace the old ones", async (t) => {
  const { renew, tokens } = await renewable(t);
  assert.equal(await renew(async () => {}), true);
  assert.deepEqual(await tokens(), { accessToken: "a2", refreshToken: "r2" });
});

test("SIGN-5: a sign-in during a renewal wins over it", async (t) => {
  const { renew, tokens, store } = await renewable(t);
  assert.equal(await renew(() => store("a3", "r3")), true);
  assert.deepEqual(await tokens(), { accessToken: "a3", refreshToken: "r3" });
});

test("GRAPH-15: a grant that is renewed while its connection is deleted is revoked too", async (t) => {
  const { renew, tokens, services, ann, revoked } = await renewable(t);
  await renew(() => disconnect(services, at(ann), "w1"));
  assert.equal(await tokens(), null);
  await revokeDueGrants(services, new AbortController().signal);
  assert.deepEqual(revoked, ["a1", "a2"]);
});
