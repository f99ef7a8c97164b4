import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { notionWebhooks } from "@clew/notion";
import type { SyncRequest } from "../../connections/request-sync.ts";
import { createLimits } from "../../http/limits/rate-limits.ts";
import type { AllowList } from "../../model/allow-list.ts";
import { everybody, onLists } from "../../model/testing/allow-lists.ts";
import type { Database } from "../../store/port.ts";
import { setNeedsReauth } from "../../store/queries/connections.ts";
import { serveGraphs } from "../graph/testing/graph-server.ts";
import { createReplays } from "./replays.ts";
import { webhookRoutes } from "./routes.ts";

const key = "secret_of_the_webhook";
const workspace = "11111111-1111-4111-8111-111111111111";
const hour = 3_600_000;

interface Settings {
  readonly key?: string | null;
  readonly setup?: boolean;
  readonly failedAuth?: number;
  readonly allowed?: AllowList;
  readonly wrapDatabase?: (database: Database) => Database;
}

async function setUp(t: TestContext, settings: Settings = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "clew-webhook-"));
  t.after(() => rm(dataDir, { recursive: true }));
  const requestedSyncs: [number, SyncRequest | undefined][] = [];
  const server = await serveGraphs(t, async (app, { fixture }) => {
    const { clock, database } = fixture;
    const services = {
      config: {
        dataDir,
        allowed: settings.allowed ?? everybody,
        provider: {
          webhookToken: settings.key === undefined ? key : settings.key,
          webhookSetup: settings.setup ?? false,
        },
      },
      database: settings.wrapDatabase?.(database) ?? database,
      source: { slug: "notion", webhooks: notionWebhooks },
      sync: { request: async (id: number, request?: SyncRequest) => void requestedSyncs.push([id, request]) },
      limits: createLimits(
        { token: 0, session: 0, signIn: 0, failedAuth: settings.failedAuth ?? 0, open: 0 },
        clock,
      ),
      replays: createReplays(clock),
    };
    await app.register((scope) => webhookRoutes(scope, services), { prefix: "/api/integrations/provider" });
  });
  const post = (payload: string, headers: Readonly<Record<string, string>> = {}) =>
    server.app.inject({ method: "POST", url: "/api/integrations/provider/webhook", payload, headers });
  const event = (changed: object = {}) => ({
    id: randomUUID(),
    timestamp: new Date(server.fixture.clock()).toISOString(),
    workspace_id: workspace,
    type: "page.content_updated",
    ...changed,
  });
  return {
    server,
    dataDir,
    requestedSyncs,
    post,
    event,
    /** Sends an event as the provider does. */
    deliver: async (payload: object) => {
      const body = JSON.stringify(payload);
      const signature = `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
      return post(body, { "content-type": "application/json", "x-notion-signature": signature });
    },
  };
}

test("SIGN-10: an event requests no sync for people who are not on the lists", async (t) => {
  const allowed = onLists({ workspaces: [randomUUID()], emails: ["@example.com"] });
  const { server, deliver, event, requestedSyncs } = await setUp(t, { allowed });
  const { database } = server.fixture;
  const [listed, unlisted] = [await server.person("listed"), await server.person("unlisted")];
  const { id } = await listed.connect(workspace);
  await unlisted.connect(workspace);
  await database.transaction((trx) =>
    trx.updateTable("users").set({ email: "a@example.com" }).where("id", "=", listed.userId).execute(),
  );
  assert.equal((await deliver(event())).statusCode, 200);
  assert.deepEqual(
    requestedSyncs.map(([connectionId]) => connectionId),
    [id],
  );
});

test("SYNC-9: an event requests a sync of every connection to its workspace, and of no other", async (t) => {
  const { server, deliver, event, requestedSyncs } = await setUp(t);
  const { database, clock } = server.fixture;
  const connections = [];
  for (const name of ["one", "two", "three"])
    connections.push(await (await server.person(name)).connect(workspace));
  await (await server.person("four")).connect(randomUUID());
  const [first, second, withdrawn] = connections.map(({ id }) => id);
  await database.transaction((trx) => setNeedsReauth(trx, withdrawn ?? 0, clock()));
  const answer = await deliver(event());
  assert.deepEqual([answer.statusCode, answer.body], [200, "{}"]);
  assert.deepEqual(requestedSyncs, [
    [first, { by: "webhook", only: "edits" }],
    [second, { by: "webhook", only: "edits" }],
  ]);
});

test("SYNC-11: an event has what it names read, and nothing else", async (t) => {
  const { server, deliver, event, requestedSyncs } = await setUp(t);
  const { id } = await (await server.person("owner")).connect(workspace);
  const page = randomUUID();
  await deliver(event({ type: "page.deleted", entity: { id: page, type: "page" } }));
  assert.deepEqual(requestedSyncs, [[id, { by: "webhook", only: [{ of: "page", id: page }] }]]);
});

test("SYNC-9: an event requests a sync once, and only if it is about pages", async (t) => {
  const { server, deliver, event, requestedSyncs } = await setUp(t);
  await (await server.person("owner")).connect(workspace);
  const repeated = event();
  for (const each of [
    repeated,
    repeated,
    event({ type: "comment.created" }),
    event({ type: "something.new" }),
  ])
    assert.equal((await deliver(each)).statusCode, 200);
  assert.equal(requestedSyncs.length, 1);
});

test("SYNC-9: an event that comes while the database is away requests a sync when it is sent again", async (t) => {
  let isAway = true;
  const { server, deliver, event, requestedSyncs } = await setUp(t, {
    wrapDatabase: (database) => ({
      ...database,
      get read() {
        if (isAway) throw new Error("the database is away");
        return database.read;
      },
    }),
  });
  await (await server.person("owner")).connect(workspace);
  const sent = event();
  assert.equal((await deliver(sent)).statusCode, 500);
  isAway = false;
  for (const _ of ["again", "and again"]) assert.equal((await deliver(sent)).statusCode, 200);
  assert.equal(requestedSyncs.length, 1);
});

test("SYNC-9: an event from too long ago or from the future is refused, and so is any other body", async (t) => {
  const { server, deliver, event, requestedSyncs } = await setUp(t);
  await (await server.person("owner")).connect(workspace);
  const at = (offset: number) =>
    event({ timestamp: new Date(server.fixture.clock() + offset).toISOString() });
  for (const faulty of [at(-25 * hour), at(hour), event({ id: 7 }), event({ timestamp: "today" }), {}, []])
    assert.equal((await deliver(faulty)).statusCode, 400, JSON.stringify(faulty));
  assert.deepEqual(requestedSyncs, []);
  for (const late of [at(-23 * hour), at(60_000)]) assert.equal((await deliver(late)).statusCode, 200);
  assert.equal(requestedSyncs.length, 2);
});

test("SYNC-9: a body that is not signed with the key is 401, changes nothing and is not logged", async (t) => {
  const { server, post, event, requestedSyncs } = await setUp(t);
  await (await server.person("owner")).connect(workspace);
  const body = JSON.stringify(event());
  const mac = (secret: string, text = body) => createHmac("sha256", secret).update(text).digest("hex");
  for (const signature of [
    undefined,
    "",
    mac(key),
    `sha256=${mac("another key")}`,
    `sha256=${mac(key, `${body} `)}`,
    `sha256=${mac("")}`,
  ]) {
    const headers = signature === undefined ? {} : { "x-notion-signature": signature };
    const answer = await post(body, headers);
    assert.deepEqual([answer.statusCode, answer.json().code], [401, "unauthenticated"], signature);
    assert.ok(answer.headers["www-authenticate"]);
  }
  assert.deepEqual(requestedSyncs, []);
  const logged = server.logged.join("");
  for (const secret of [workspace, mac(key), mac("another key"), key]) assert.ok(!logged.includes(secret));
});

test("LIM-1: failed signatures are limited by address, and do not affect valid ones", async (t) => {
  const { post, deliver, event } = await setUp(t, { failedAuth: 2 });
  const statuses = [];
  for (let number = 0; number < 3; number += 1) statuses.push((await post("{}")).statusCode);
  assert.deepEqual(statuses, [401, 401, 429]);
  assert.equal((await deliver(event())).statusCode, 200);
});

test("SYNC-9: without a key every webhook is refused", async (t) => {
  const { post, deliver, event } = await setUp(t, { key: null });
  for (const answer of [await deliver(event()), await post('{"verification_token":"abc"}')])
    assert.deepEqual([answer.statusCode, answer.json().code], [404, "not_found"]);
});

test("LIM-3: the body of a webhook may have up to 64 KiB", async (t) => {
  const { deliver, event } = await setUp(t);
  assert.equal((await deliver(event({ data: "x".repeat(60_000) }))).statusCode, 200);
  assert.equal((await deliver(event({ data: "x".repeat(70_000) }))).statusCode, 413);
});

const handshake = '{"verification_token":"secret_handed_over"}';

test("SYNC-9: while set-up is on, the first key is stored, readable only by the operator", async (t) => {
  const { server, post, dataDir } = await setUp(t, { key: null, setup: true });
  const answer = await post(handshake, { "content-type": "application/json" });
  assert.deepEqual([answer.statusCode, answer.body], [200, "{}"]);
  const file = join(dataDir, "webhook.key");
  assert.equal((await readFile(file, "utf8")).trim(), "secret_handed_over");
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const logged = server.logged.join("");
  assert.ok(logged.includes(file) && !logged.includes("secret_handed_over"));
  const second = await post('{"verification_token":"another"}');
  assert.deepEqual([second.statusCode, second.json().code], [409, "conflict"]);
  assert.equal((await readFile(file, "utf8")).trim(), "secret_handed_over");
});

test("SYNC-9: while set-up is off, no key is stored", async (t) => {
  const { post, dataDir } = await setUp(t);
  assert.equal((await post(handshake)).statusCode, 401);
  await assert.rejects(stat(join(dataDir, "webhook.key")));
});
