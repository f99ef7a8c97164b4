import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthFixture, createAuthFixture } from "../../auth/testing/auth-fixture.ts";
import type { AllowList } from "../../model/allow-list.ts";
import type { SessionCaller } from "../../model/caller.ts";
import { onLists } from "../../model/testing/allow-lists.ts";
import type { Database } from "../../store/port.ts";
import { upsertConnection } from "../../store/queries/connections.ts";
import { upsertUser } from "../../store/queries/users.ts";
import { needsCounter } from "../../store/testing/location.ts";
import { type GateServer, problem, serveGate } from "./testing/gate-server.ts";

const library = "0b1f2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
const archive = "1b1f2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

/** A user with a session and a service token, connected to these workspaces. */
async function settle(fixture: AuthFixture, email: string | null, workspaceIds: readonly string[]) {
  const { database, clock } = fixture;
  const person = {
    newId: `user ${email}`,
    provider: "notion",
    providerUserId: `person ${email}`,
    name: null,
  };
  const { id } = await database.transaction((trx) =>
    upsertUser(trx, { ...person, email, avatarUrl: null }, clock()),
  );
  const grant = {
    userId: id,
    name: null,
    icon: null,
    provider: "notion",
    grantId: "grant",
    accessToken: Uint8Array.of(1),
    refreshToken: null,
  };
  await database.transaction(async (trx) => {
    for (const workspaceId of workspaceIds) await upsertConnection(trx, { ...grant, workspaceId }, clock());
  });
  const { access, refresh } = await fixture.signIn(id);
  return { id, access, refresh, token: (await fixture.serviceToken(id)).raw };
}

type Settled = Awaited<ReturnType<typeof settle>>;

async function restarted(fixture: AuthFixture, allowed?: AllowList): Promise<GateServer> {
  return serveGate(fixture, { instance: await fixture.instance(allowed) });
}

/** Asserts what a user may do with each of their credentials. */
const uses = ({ call, post }: GateServer, { access, refresh, token }: Settled) => [
  () => call("/api/auth/validate/", access),
  () => call("/api/auth/me/", access),
  () => post("/api/auth/refresh/", { refresh }),
  () => call("/api/v1/", token),
];

async function expectOff(server: GateServer, person: Settled): Promise<void> {
  for (const use of uses(server, person)) await problem(await use(), 401, "token_revoked");
}

async function expectOn(server: GateServer, person: Settled): Promise<void> {
  for (const use of uses(server, person)) assert.equal((await use()).status, 200);
}

test("SIGN-10: a user taken off the address list is refused with each credential until listed again", async (t) => {
  const fixture = await createAuthFixture(t);
  const ann = await settle(fixture, "ann@a.example", [library]);
  const nameless = await settle(fixture, null, [library]);
  await expectOn(await restarted(fixture), ann);
  await expectOn(await restarted(fixture, onLists({ emails: ["@a.example"] })), ann);
  const off = await restarted(fixture, onLists({ emails: ["@b.example"] }));
  await expectOff(off, ann);
  await expectOff(off, nameless);
  assert.deepEqual(await (await off.call("/api/status/", ann.access)).json(), { user: null });
  const back = await restarted(fixture, onLists({ emails: ["@b.example", "ann@a.example"] }));
  await expectOn(back, ann);
  await expectOff(back, nameless);
});

test("SIGN-10: a user sees only allowed workspaces, and is refused without any", async (t) => {
  const fixture = await createAuthFixture(t);
  const both = await settle(fixture, "ann@a.example", [library, archive]);
  const one = await settle(fixture, "ben@a.example", [archive]);
  const none = await settle(fixture, "cem@a.example", []);
  const server = await restarted(
    fixture,
    onLists({ workspaces: [library.replaceAll("-", "").toUpperCase()] }),
  );
  await expectOn(server, both);
  await expectOff(server, one);
  await expectOff(server, none);
  const me = (await (await server.call("/api/auth/me/", both.access)).json()) as {
    workspaces: { id: string }[];
  };
  assert.deepEqual(
    me.workspaces.map(({ id }) => id),
    [library],
  );
  await expectOn(
    await restarted(fixture, onLists({ workspaces: [library], emails: ["ben@a.example"] })),
    one,
  );
});

test("SIGN-10: between commits the allow lists need no read of the store", {
  skip: needsCounter,
}, async (t) => {
  const fixture = await createAuthFixture(t);
  const ann = await settle(fixture, "ann@a.example", [library]);
  const instance = await fixture.instance(onLists({ workspaces: [library] }));
  const records = new Set<unknown>();
  const callers: Database["callers"] = async (keys) => {
    const found = await instance.database.callers(keys);
    for (const record of found) records.add(record);
    return found;
  };
  const database = { ...instance.database, callers };
  const { call } = await serveGate(fixture, { instance: { ...instance, database } });
  assert.equal((await call("/api/v1/", ann.token)).status, 200);
  for (let turn = 0; turn < 5; turn += 1) assert.equal((await call("/api/v1/", ann.token)).status, 200);
  assert.equal(records.size, 1, "the first record is reused for every request");
});

test("SIGN-10: a caller's connections are those that the allow lists permit, with either credential", async (t) => {
  const fixture = await createAuthFixture(t);
  const both = await settle(fixture, "ann@a.example", [library, archive]);
  const connected = async (server: GateServer) => {
    const callers = [
      await server.call("/api/provider-graph/search/", both.access),
      await server.call("/api/v1/", both.token),
    ];
    const bodies = (await Promise.all(callers.map((caller) => caller.json()))) as SessionCaller[];
    return bodies.map(({ connections }) => connections.map(({ workspaceId }) => workspaceId));
  };
  const ids = [library, archive];
  assert.deepEqual(await connected(await restarted(fixture)), [ids, ids]);
  const limited = await restarted(fixture, onLists({ workspaces: [archive] }));
  assert.deepEqual(await connected(limited), [[archive], [archive]]);
});

test("SIGN-11: a service token of another provider's user is refused", async (t) => {
  const fixture = await createAuthFixture(t);
  const person = { newId: "u", provider: "stand-in", providerUserId: "p", name: null, email: null };
  await fixture.database.transaction((trx) =>
    upsertUser(trx, { ...person, avatarUrl: null }, fixture.clock()),
  );
  const { raw } = await fixture.serviceToken("u");
  const { call } = await restarted(fixture);
  await problem(await call("/api/v1/", raw), 401, "token_invalid");
});
