import assert from "node:assert/strict";
import { test } from "node:test";
import type { AllowList } from "../model/allow-list.ts";
import type { SessionCaller } from "../model/caller.ts";
import type { Database } from "../store/port.ts";
import { upsertConnection } from "../store/queries/connections.ts";
import { upsertUser } from "../store/queries/users.ts";
import { type GateServer, problem, serveGate } from "./testing/gate-server.ts";
import { type Stage, setStage } from "./testing/stage.ts";

const library = "0b1f2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
const archive = "1b1f2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

const lists = (given: Partial<AllowList>): AllowList => ({
  workspaces: [],
  emails: [],
  anyone: false,
  ...given,
});

/** Somebody with a session and a service token, connected to these workspaces. */
async function settle(stage: Stage, email: string | null, workspaceIds: readonly string[]) {
  const { database, clock } = stage;
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
    botId: "bot",
    accessToken: Uint8Array.of(1),
    refreshToken: null,
  };
  await database.transaction(async (trx) => {
    for (const workspaceId of workspaceIds) await upsertConnection(trx, { ...grant, workspaceId }, clock());
  });
  const { access, refresh } = await stage.signIn(id);
  return { id, access, refresh, token: (await stage.serviceToken(id)).raw };
}

type Settled = Awaited<ReturnType<typeof settle>>;

async function restarted(stage: Stage, allowed?: AllowList): Promise<GateServer> {
  return serveGate(stage, { instance: await stage.instance(allowed) });
}

/** What somebody does with each of their credentials. */
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

test("SIGN-10: who is off the list of addresses is refused with each credential, and back on it all works again", async (t) => {
  const stage = await setStage(t);
  const ann = await settle(stage, "ann@a.example", [library]);
  const nameless = await settle(stage, null, [library]);
  await expectOn(await restarted(stage), ann);
  await expectOn(await restarted(stage, lists({ emails: ["@a.example"] })), ann);
  const off = await restarted(stage, lists({ emails: ["@b.example"] }));
  await expectOff(off, ann);
  await expectOff(off, nameless);
  assert.deepEqual(await (await off.call("/api/status/", ann.access)).json(), { user: null });
  const back = await restarted(stage, lists({ emails: ["@b.example", "ann@a.example"] }));
  await expectOn(back, ann);
  await expectOff(back, nameless);
});

test("SIGN-10: who has no allowed workspace left is refused, and sees the allowed ones alone", async (t) => {
  const stage = await setStage(t);
  const both = await settle(stage, "ann@a.example", [library, archive]);
  const one = await settle(stage, "ben@a.example", [archive]);
  const none = await settle(stage, "cem@a.example", []);
  const server = await restarted(stage, lists({ workspaces: [library.replaceAll("-", "").toUpperCase()] }));
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
  await expectOn(await restarted(stage, lists({ workspaces: [library], emails: ["ben@a.example"] })), one);
});

test("SIGN-10: between two commits the lists cost no read of the store", async (t) => {
  const stage = await setStage(t);
  const ann = await settle(stage, "ann@a.example", [library]);
  const instance = await stage.instance(lists({ workspaces: [library] }));
  const records = new Set<unknown>();
  const callers: Database["callers"] = async (keys) => {
    const found = await instance.database.callers(keys);
    for (const record of found) records.add(record);
    return found;
  };
  const database = { ...instance.database, callers };
  const { call } = await serveGate(stage, { instance: { ...instance, database } });
  assert.equal((await call("/api/v1/", ann.token)).status, 200);
  for (let turn = 0; turn < 5; turn += 1) assert.equal((await call("/api/v1/", ann.token)).status, 200);
  assert.equal(records.size, 1, "the record that was read first serves every request");
});

test("SIGN-10: a caller's connections are those that the lists allow, with either credential", async (t) => {
  const stage = await setStage(t);
  const both = await settle(stage, "ann@a.example", [library, archive]);
  const connected = async (server: GateServer) => {
    const callers = [
      await server.call("/api/provider-graph/search/", both.access),
      await server.call("/api/v1/", both.token),
    ];
    const bodies = (await Promise.all(callers.map((caller) => caller.json()))) as SessionCaller[];
    return bodies.map(({ connections }) => connections.map(({ workspaceId }) => workspaceId));
  };
  const ids = [library, archive];
  assert.deepEqual(await connected(await restarted(stage)), [ids, ids]);
  const limited = await restarted(stage, lists({ workspaces: [archive] }));
  assert.deepEqual(await connected(limited), [[archive], [archive]]);
});

test("SIGN-11: a service token of another provider's user is refused", async (t) => {
  const stage = await setStage(t);
  const person = { newId: "u", provider: "stand-in", providerUserId: "p", name: null, email: null };
  await stage.database.transaction((trx) => upsertUser(trx, { ...person, avatarUrl: null }, stage.clock()));
  const { raw } = await stage.serviceToken("u");
  const { call } = await restarted(stage);
  await problem(await call("/api/v1/", raw), 401, "token_invalid");
});
