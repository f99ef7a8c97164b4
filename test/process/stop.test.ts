import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { CreatedToken, ServiceTokenList } from "@clew/contract";
import { call } from "../support/call.ts";
import { freePort, withoutSettings } from "../support/clew-process.ts";
import { holdBack } from "../support/held-back.ts";
import { writeFiles, writeLinkedPages } from "../support/markdown-folder.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { recordTo } from "../support/recording-proxy.ts";
import { createToken, readWorkspaces, signIn, waitForSync } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { stageOf } from "../support/stage.ts";

/** Resolves when the port accepts no new connections. */
async function isClosed(port: number): Promise<void> {
  const opens = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  while (await opens()) await sleep(10);
}

test("OPS-2, OPS-3: after SIGTERM Clew is not ready, accepts nothing new, and finishes requests in flight", async (t) => {
  const stage = await stageOf(t);
  const clew = await stage.start({ WORKSPACE_DIR: await writeSmallWorkspace(stage) });
  const session = await signIn(clew.url);
  const [workspace] = await waitForSync(clew.url, session);
  const body = JSON.stringify({
    name: "in flight",
    scopes: ["graph:search"],
    workspace_ids: [workspace?.id],
  });
  const creation = { method: "POST", path: "/api/tokens/", token: session.access, body };
  const upload = await holdBack(clew.port, creation);
  const probe = await holdBack(clew.port, { method: "GET", path: "/readyz" });
  const life = await holdBack(clew.port, { method: "GET", path: "/healthz" });

  const exitCode = clew.terminate();
  await isClosed(clew.port);
  assert.equal((await probe.finish()).status, 503);
  assert.equal((await life.finish()).status, 200);
  const answer = await upload.finish();
  assert.equal(answer.status, 201, answer.body);
  assert.equal(await exitCode, 0);
});

test("OPS-3: an idle connection does not prevent an orderly shutdown", async (t) => {
  const stage = await stageOf(t);
  const clew = await stage.start({ WORKSPACE_DIR: await writeSmallWorkspace(stage) });
  const silent = connect(clew.port, "127.0.0.1").on("error", () => {});
  await once(silent, "connect");
  await holdBack(clew.port, { method: "POST", path: "/api/auth/refresh/", body: '{"refresh":"none"}' });
  assert.equal(await clew.terminate(), 0);
});

test("OPS-3: the texts of folders that are read without end do not prevent an orderly shutdown", async (t) => {
  const stage = await stageOf(t);
  const folder = join(stage.folder, "wiki");
  const row = `${"| x ".repeat(60)}|\n`;
  // Texts of this length may take more than a minute of processor time each, and these take a good part of that.
  const table = `${"|a".repeat(3_000)}\n${"|-".repeat(3_000)}\n${row.repeat(20_000)}`;
  await writeFiles(folder, { "One.md": table, "Two.md": table, "Three.md": table });
  const clew = await stage.start({ FOLDERS: `wiki=${folder}` });
  const session = await signIn(clew.url);
  for (let phase: unknown = null; phase !== "content"; await sleep(50))
    phase = (await readWorkspaces(clew.url, session))[0]?.sync.phase ?? null;
  assert.equal(await clew.terminate(), 0);
});

test("TOK-10: the use of a token in a request in flight at SIGTERM is stored", async (t) => {
  const stage = await stageOf(t);
  const settings = { PORT: String(await freePort()), WORKSPACE_DIR: await writeSmallWorkspace(stage) };
  const clew = await stage.start(settings);
  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const { token } = await createToken(clew.url, session, "used once");
  const use = await holdBack(clew.port, { method: "GET", path: "/api/v1/workspaces/", token });
  const exitCode = clew.terminate();
  await isClosed(clew.port);
  assert.equal((await use.finish()).status, 200);
  assert.equal(await exitCode, 0);

  const { url } = await stage.start(settings);
  const { body } = await call<ServiceTokenList>(url, "api/tokens/", { token: session.access });
  assert.notEqual(body.items[0]?.last_used_at, null);
});

test("OPS-3, SYNC-6: a sync that SIGTERM interrupts is resumed after the restart and reads no page twice", async (t) => {
  const stage = await stageOf(t);
  const folder = join(stage.folder, "pages");
  const size = await writeLinkedPages(folder, 60);
  const notion = await startNotion(stage, folder);
  // The provider answers the first calls for a page's text, and holds the others until after the restart.
  const reached = Promise.withResolvers<void>();
  const restarted = Promise.withResolvers<void>();
  let texts = 0;
  const proxy = await recordTo(notion.url, async (path) => {
    if (!isText(path)) return;
    texts += 1;
    if (texts <= 20) return;
    reached.resolve();
    await restarted.promise;
  });
  stage.defer(() => proxy.close());
  const settings = { PORT: String(await freePort()), ...settingsFor(notion, proxy.url) };

  const first = await stage.start(settings);
  const session = await signIn(first.url);
  await reached.promise;
  const [workspace] = await readWorkspaces(first.url, session);
  assert.equal(workspace?.sync.state, "running");
  const body = JSON.stringify({ name: "kept", scopes: ["graph:search"], workspace_ids: [workspace.id] });
  const upload = await holdBack(first.port, {
    method: "POST",
    path: "/api/tokens/",
    token: session.access,
    body,
  });
  const exitCode = first.terminate();
  await isClosed(first.port);
  const answer = await upload.finish();
  assert.equal(answer.status, 201, answer.body);
  assert.equal(await exitCode, 0);
  const callsBefore = proxy.exchanges.map(({ path }) => path);
  const readBefore = callsBefore.filter(isText);
  assert(readBefore.length > 0);

  const second = await stage.start(settings);
  restarted.resolve();
  const [synced] = await waitForSync(second.url, session);
  const readAfter = proxy.exchanges.slice(callsBefore.length).map(({ path }) => path);
  assert.deepEqual({ nodes: synced?.nodes, edges: synced?.edges }, size);
  assert.deepEqual(
    readBefore.filter((path) => readAfter.includes(path)),
    [],
    "no text is read again",
  );
  const { token }: CreatedToken = JSON.parse(answer.body);
  assert.equal((await call(second.url, "api/v1/workspaces/", { token })).status, 200);
});

const isText = (path: string) => /^\/v1\/pages\/[^/]+\/markdown/.test(path);

test("OPS-2, OPS-3: an error that nothing handles is a line of the log, and ends Clew with exit code 1", async (t) => {
  const stage = await stageOf(t);
  const crash = `process.once("SIGUSR2", () => Promise.reject(new Error("planted")))`;
  const { NODE_OPTIONS = "" } = withoutSettings;
  const clew = await stage.start({
    WORKSPACE_DIR: await writeSmallWorkspace(stage),
    NODE_OPTIONS: `${NODE_OPTIONS} --import=data:text/javascript,${encodeURIComponent(crash)}`,
  });
  process.kill(clew.pid, "SIGUSR2");
  assert.equal(await clew.ended, 1);
  const lines = clew
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  const { level, err, msg } = JSON.parse(lines.at(-1) ?? "");
  assert.deepEqual([level, err.message, msg], [60, "planted", "Clew ends, because nothing handled an error"]);
});
