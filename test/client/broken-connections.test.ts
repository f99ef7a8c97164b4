import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { type ClientOptions, ConnectionError, createClient } from "@clew/client";
import { freePort } from "../support/clew-process.ts";
import { type RunningClew, startRunning } from "../support/running-clew.ts";
import { readWorkspaces, type SignedIn, signIn, waitForSync } from "../support/session.ts";
import { openTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

let proxy: TcpProxy;
let clew: RunningClew;
let session: SignedIn;

before(async () => {
  const port = await freePort();
  proxy = await openTcpProxy(port);
  // The proxy's address is Clew's own.
  clew = await startRunning({ env: { PORT: String(port), PUBLIC_URL: `http://localhost:${proxy.port}/` } });
  session = await signIn(clew.url);
});
after(async () => {
  await clew.stop();
  await proxy.close();
});

/** A client of the session whose waits are recorded and take no time. */
function clientOf(options: Partial<ClientOptions> = {}) {
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  const client = createClient({ url: clew.url, token: session.access, sleep, random: () => 0.5, ...options });
  return { client, waits };
}

for (const [when, name] of [
  ["before", "reset before its response"],
  ["within", "ended within its response"],
] as const) {
  test(`a read is repeated if its connection is ${name}`, async () => {
    const { client, waits } = clientOf();
    proxy.breakNext(3, when);
    assert.equal((await client.listWorkspaces()).items.length, 1);
    assert.deepEqual(waits, [500, 1000, 2000]);

    const other = clientOf();
    proxy.breakNext(4, when);
    await assert.rejects(other.client.listWorkspaces(), ConnectionError);
    assert.deepEqual(other.waits, [500, 1000, 2000]);
  });

  test(`a write is sent once, even if its connection is ${name}`, async () => {
    const { client, waits } = clientOf();
    const workspaces = await readWorkspaces(clew.url, session);
    const countTokens = async () => (await client.listServiceTokens()).items.length;
    const before = await countTokens();
    proxy.breakNext(1, when);
    const created = client.createServiceToken({
      name: when,
      scopes: ["graph:read"],
      workspace_ids: workspaces.map(({ id }) => id),
    });
    await assert.rejects(created, ConnectionError);
    assert.deepEqual(waits, []);
    assert.equal(await countTokens(), before + (when === "within" ? 1 : 0));
  });
}

test("SYNC-1: connections that break while a sync is awaited do not end the wait", async () => {
  proxy.breakNext(2, "before");
  const [workspace] = await waitForSync(clew.url, session);
  assert.equal(workspace?.sync.state, "idle");
});

test("a signal ends a read that is repeated", async () => {
  const reason = new Error("no longer needed");
  const controller = new AbortController();
  const { client } = clientOf({ sleep: async () => controller.abort(reason) });
  proxy.breakNext(1, "before");
  await assert.rejects(client.listWorkspaces({}, { signal: controller.signal }), reason);
});

test("the error says why there was no response: nobody listens, or none came in time", async (t) => {
  const nowhere = createClient({ url: `http://127.0.0.1:${await freePort()}`, retries: 0 });
  await assert.rejects(nowhere.listWorkspaces(), /ECONNREFUSED/);
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  t.after(() => {
    silent.close();
    silent.closeAllConnections();
  });
  await new Promise((resolve) => silent.once("listening", resolve));
  const { port } = silent.address() as AddressInfo;
  const patient = createClient({ url: `http://127.0.0.1:${port}`, retries: 0, timeoutMs: 50 });
  await assert.rejects(patient.listWorkspaces(), (error) => {
    assert.ok(error instanceof ConnectionError);
    return /no response within 0\.05 seconds/.test(error.message);
  });
});
