import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { PlainAnswer, PlainRequest } from "@clew/stand-in/in-process-fetch";
import { writeWorkspace } from "@clew/stand-in/testing";
import { pino } from "pino";
import { disconnectByOperator } from "../connections/remove.ts";
import { publishStored } from "../graphs/publish-stored.ts";
import { everybody } from "../model/testing/allow-lists.ts";
import { generousMs } from "../model/testing/deadlines.ts";
import type { ProviderCall } from "../providers/timed-fetch.ts";
import { createSecrets } from "../secrets/secrets.ts";
import { findConnection } from "../store/queries/connections.ts";
import { scratchFolder, scratchLocation } from "../store/testing/scratch.ts";
import type { EndedSync } from "../sync/steps/open-context.ts";
import { openSyncing, serveWorkspace } from "../sync/testing/syncing.ts";
import { SyncThread } from "./sync-thread.ts";

/** A connection whose syncs run in a thread. Calls of the provider wait for `gate.open`. */
async function setUp(t: TestContext, { hasKeyFile = false, maxStopMs = generousMs } = {}) {
  const key = randomBytes(32);
  const folder = await scratchFolder(t);
  const keyFile = join(folder, "encryption.key");
  await writeFile(keyFile, key.toString("base64"), { mode: 0o600 });
  const pages = join(folder, "pages");
  await writeWorkspace(pages, { seed: 1, pages: 30 });
  const standIn = await serveWorkspace(pages, { followFolder: false });
  t.after(() => standIn.close());
  const location = await scratchLocation(t);
  const syncing = await openSyncing({ location, apiUrl: standIn.url, key });
  t.after(() => syncing.close());
  const { database } = syncing;
  const { id } = await syncing.connect();
  const seen = {
    lines: [] as { msg: string; connectionId?: number }[],
    ended: [] as EndedSync[],
    calls: [] as ProviderCall[],
    published: 0,
    errors: [] as string[],
    forgotten: [] as number[],
  };
  const gate = { open: async (_path: string) => {}, publish: async () => {} };
  const answerDemo = async ({ method, path, headers, body }: PlainRequest): Promise<PlainAnswer> => {
    await gate.open(path);
    const response = await standIn.fetch(new URL(path, standIn.url), {
      method,
      headers,
      body: body.byteLength === 0 ? null : body,
    });
    return {
      status: response.status,
      headers: [...response.headers],
      body: new Uint8Array(await response.arrayBuffer()),
    };
  };
  const thread = new SyncThread({
    data: {
      databaseLocation: location,
      dataDir: folder,
      encryptionKey: hasKeyFile ? null : key,
      allowed: everybody,
      syncInterval: 0,
      connectionQuota: 0,
      withdrawnDays: 30,
      databaseCopyDays: 30,
      logLevel: "info",
      sources: {
        ...{ token: null, app: null, folders: [], foldersAskForCode: false, dataDir: folder },
        ...{ codeUrl: standIn.url, callbackUrl: standIn.url },
      },
      apiUrl: standIn.url,
      demo: {
        clientId: "clew-under-test",
        clientSecret: "known to both",
        siteUrl: "http://localhost:8420/demo",
      },
      measures: true,
      maxConnections: 6,
    },
    database,
    clock: Date.now,
    graphs: {
      async publish(connectionId) {
        seen.published += 1;
        await gate.publish();
        await publishStored({ database }, connectionId);
      },
      forget: (connectionId) => void seen.forgotten.push(connectionId),
    },
    lists: { readingLeft: () => 0 },
    answerDemo,
    log: pino({ level: "error" }, { write: (line) => void seen.errors.push(line) }),
    writeLogLine: (line) => void seen.lines.push(JSON.parse(line)),
    onEnded: (sync) => void seen.ended.push(sync),
    onLooked: undefined,
    onProviderCall: (call) => void seen.calls.push(call),
    onPoolWait: undefined,
    sleep: () => sleep(5),
    maxStopMs,
  });
  t.after(() => thread.stop());
  return { thread, database, id, seen, gate, keyFile, secrets: createSecrets(key, randomBytes) };
}

test("OPS-8: syncs run in a thread, which publishes, logs and measures as the main thread does", async (t) => {
  const { thread, database, id, seen } = await setUp(t);
  thread.start();
  await thread.request(id);
  while (seen.ended.length === 0) await sleep(5);
  assert.deepEqual(seen.ended, [{ kind: "first", outcome: "complete" }]);
  const connection = await findConnection(database.read, id);
  assert.equal(connection?.sync.state, "idle");
  assert.ok((connection?.publishedRevision ?? 0) > 0);
  assert.ok(seen.published >= 2, "the titles, then the texts");
  assert.ok(seen.calls.length > 30 && seen.calls.every(({ status }) => status === 200));
  assert.ok(seen.lines.some(({ msg, connectionId }) => msg === "sync started" && connectionId === id));
  assert.deepEqual(seen.errors, []);
  await thread.stop();
});

test("GRAPH-15: disconnecting ends a sync in the thread, which then writes nothing more", async (t) => {
  const { thread, database, id, seen, gate, secrets } = await setUp(t);
  const reached = Promise.withResolvers<void>();
  gate.open = async (path) => {
    if (!path.includes("/markdown")) return;
    reached.resolve();
    await new Promise(() => {});
  };
  thread.start();
  await thread.request(id);
  await reached.promise;
  const graphs = { forget: () => {} };
  const log = pino({ level: "silent" });
  assert.ok(
    await disconnectByOperator({ database, secrets, sync: thread, graphs, clock: Date.now, log }, id),
  );
  assert.equal(seen.calls.at(-1)?.status, "failed", "its calls are broken off");
  assert.equal(await findConnection(database.read, id), null);
  assert.deepEqual(seen.ended, [], "it came to no end");
  await thread.stop();
});

test("OPS-3: a sync that a stop interrupts leaves its job to the next worker at once", async (t) => {
  const { thread, database, id, gate } = await setUp(t);
  const reached = Promise.withResolvers<void>();
  gate.open = async (path) => {
    if (!path.includes("/markdown")) return;
    reached.resolve();
    await new Promise(() => {});
  };
  thread.start();
  await thread.request(id);
  await reached.promise;
  await thread.stop();
  const jobs = await database.read.selectFrom("sync_jobs").select(["worker", "attempts"]).execute();
  assert.deepEqual(jobs, [{ worker: null, attempts: 0 }]);
});

test("OPS-8: a thread that has ended is reported and started again, and the sync goes on", async (t) => {
  const { thread, id, seen, keyFile } = await setUp(t, { hasKeyFile: true });
  // A key that other users may read is refused.
  await chmod(keyFile, 0o644);
  thread.start();
  await thread.request(id);
  while (seen.errors.length === 0) await sleep(5);
  assert.match(seen.errors[0] ?? "", /the thread of syncs has ended, and is started again/);
  assert.match(seen.errors[0] ?? "", /encryption\.key/, "with the reason");
  await chmod(keyFile, 0o600);
  while (seen.ended.length === 0) await sleep(5);
  const complete = [{ kind: "first", outcome: "complete" }];
  assert.deepEqual(seen.ended, complete, JSON.stringify([seen.ended, ...seen.lines]));
  await thread.stop();
});

test("OPS-3: a stop while the thread starts is no fault", async (t) => {
  const { thread, seen } = await setUp(t);
  thread.start();
  await thread.stop();
  assert.deepEqual(seen.errors, []);
});

test("OPS-3: a thread that does not come to its end is ended", async (t) => {
  const { thread, id, seen, gate } = await setUp(t, { maxStopMs: 10 });
  const reached = Promise.withResolvers<void>();
  gate.publish = () => {
    reached.resolve();
    return new Promise(() => {});
  };
  thread.start();
  await thread.request(id);
  await reached.promise;
  await thread.stop();
  assert.deepEqual([seen.ended, seen.errors], [[], []]);
});
