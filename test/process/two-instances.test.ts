import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type CreatedToken, type ServiceTokenList, tokenLimits } from "@clew/contract";
import { call } from "../support/call.ts";
import { type ClewProcess, freePort } from "../support/clew-process.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { createToken, readWorkspaces, type SignedIn, signIn, waitForSync } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { openStage } from "../support/stage.ts";

const stage = await openStage();
let one: URL;
let other: URL;

/** Two instances that start at the same time on one new database, with one public address. */
before(async () => {
  const notion = await startNotion(stage, await writeSmallWorkspace(stage));
  const port = await freePort();
  const shared = { ...settingsFor(notion), PUBLIC_URL: `http://localhost:${port}` };
  const instances = await Promise.all([
    stage.start({ ...shared, PORT: String(port) }),
    stage.start({ ...shared, PORT: String(await freePort()) }),
  ]);
  // Each has its own address. The public one, where every sign-in ends, routes to the first.
  [one, other] = [urlOf(instances[0]), urlOf(instances[1])];
});
after(() => stage.close());

const urlOf = ({ port }: ClewProcess) => new URL(`http://localhost:${port}/`);

const validates = async (base: URL, token: string) =>
  (await call(base, "api/auth/validate/", { token })).status;

async function logOut(base: URL, { access, refresh }: SignedIn): Promise<number> {
  const answer = await call(base, "api/auth/logout/", { method: "POST", token: access, body: { refresh } });
  return answer.status;
}

const bothWays = () => [[one, other] as const, [other, one] as const];

test("TOK-6: of a hundred creations at once, spread over two instances, ten succeed", async () => {
  // No other test signs in as this person, so they have no token yet.
  const session = await signIn(one, { person: "Visitor" });
  const [workspace] = await readWorkspaces(one, session);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      call<CreatedToken & { code?: string }>(index % 2 === 0 ? one : other, "api/tokens/", {
        method: "POST",
        token: session.access,
        body: { name: `number ${index}`, scopes: ["graph:search"], workspace_ids: [workspace?.id] },
      }),
    ),
  );
  const created = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
  const refused = answers.filter(({ status, body }) => status === 409 && body.code === "token_limit_reached");
  assert.equal(created.length, tokenLimits.usablePerUser);
  assert.equal(refused.length, 100 - tokenLimits.usablePerUser);
  for (const base of [one, other]) {
    const { body } = await call<ServiceTokenList>(base, "api/tokens/", { token: session.access });
    assert.deepEqual(
      body.items.map(({ id }) => id),
      created.toSorted((a, b) => b - a),
    );
  }
});

test("TOK-8: a token revoked at one instance is refused by the other as soon as the revocation is answered", async () => {
  const session = await signIn(one);
  for (const [here, there] of [...bothWays(), ...bothWays(), ...bothWays()]) {
    const { id, token } = await createToken(here, session, "soon revoked");
    for (const base of [here, there]) {
      assert.equal((await call(base, "api/v1/workspaces/", { token })).status, 200);
    }
    const revocation = await call(here, `api/tokens/${id}/`, { method: "DELETE", token: session.access });
    assert.equal(revocation.status, 204);
    const use = await call(there, "api/v1/workspaces/", { token });
    assert.equal(use.status, 401);
    assert.equal(use.body.code, "token_revoked");
  }
});

test("SESS-4: a logout at one instance is a logout at the other", async () => {
  for (const [here, there] of bothWays()) {
    const session = await signIn(one);
    for (const base of [here, there]) assert.equal(await validates(base, session.access), 200);
    assert.equal(await logOut(here, session), 204);
    assert.equal(await validates(there, session.access), 401);
    const { refresh } = session;
    assert.equal((await call(there, "api/auth/refresh/", { method: "POST", body: { refresh } })).status, 401);
  }
});

test("SESS-7: each instance verifies the other's tokens, although both created keys at the same time", async () => {
  const { access, refresh } = await signIn(one);
  for (const base of [one, other]) assert.equal(await validates(base, access), 200);
  for (const base of [one, other]) {
    const renewal = { method: "POST", body: { refresh } };
    const { status, body } = await call<{ access: string }>(base, "api/auth/refresh/", renewal);
    assert.equal(status, 200);
    for (const verifier of [one, other]) assert.equal(await validates(verifier, body.access), 200);
  }
});

test("SIGN-2: a sign-in that begins at one instance can end at the other", async () => {
  const session = await signIn(other);
  assert.equal(session.callback.host, one.host, "the callback goes to the other instance");
  for (const base of [one, other]) assert.equal(await validates(base, session.access), 200);
});

test("SYNC-9: a graph that one instance syncs is soon served by the other", async () => {
  const session = await signIn(one);
  // The other instance then already has an older graph, unless another test has synced before.
  await readWorkspaces(other, session);
  const synced = (await waitForSync(one, session)).map(({ nodes, edges }) => ({ nodes, edges }));
  const served = async () =>
    (await readWorkspaces(other, session)).map(({ nodes, edges }) => ({ nodes, edges }));
  while (JSON.stringify(await served()) !== JSON.stringify(synced)) await sleep(50);
  assert((synced[0]?.nodes ?? 0) > 0);
});
