import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../support/call.ts";
import { freePort } from "../support/clew-process.ts";
import { databaseSettings } from "../support/database-settings.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { clientOf, readWorkspaces, signIn, waitForSync } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { stageOf } from "../support/stage.ts";

test("OPS-8: one process answers, another syncs and a third indexes texts, over one database", async (t) => {
  const stage = await stageOf(t);
  const notion = await startNotion(stage, await writeSmallWorkspace(stage));
  const { settings: database, remove } = await databaseSettings();
  stage.defer(remove);
  const [port, metricsPort] = [await freePort(), await freePort()];
  const shared = { ...settingsFor(notion), ...database, PUBLIC_URL: `http://localhost:${port}` };
  const serving = await stage.start({ ...shared, PORT: String(port), CLEW_ROLE: "serve" });
  const session = await signIn(serving.url);
  const [queued] = await readWorkspaces(serving.url, session);
  assert.equal(queued?.sync.state, "queued", "nobody syncs yet");

  const [syncing, indexing] = await Promise.all([
    stage.start({ ...shared, CLEW_ROLE: "sync", METRICS_PORT: String(metricsPort) }),
    stage.start({ ...shared, CLEW_ROLE: "index" }),
  ]);
  const [workspace] = await waitForSync(serving.url, session);
  assert.ok((workspace?.nodes ?? 0) > 0);
  const client = clientOf(serving.url, session);
  const { items } = await client.searchPages({ limit: 1, q: "a" });
  assert.equal(items.length, 1, "what another process has published is served");
  while ((await client.searchTexts({ q: "the" })).indexed < 1) await sleep(100);

  for (const { port: own } of [syncing, indexing]) {
    const base = new URL(`http://127.0.0.1:${own}/`);
    assert.equal((await call(base, "healthz")).status, 200);
    assert.equal((await call(base, "readyz")).status, 200);
    assert.equal((await call(base, "readyz", { method: "DELETE" })).status, 405);
    for (const path of ["", "dashboard", "api/v1/", "api/auth/me/"]) {
      const { status, body } = await call(base, path);
      assert.deepEqual([status, body.code], [404, "not_found"], path);
    }
  }
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  assert.match(metrics, /^clew_syncs_total\{kind="first",outcome="complete"\} 1$/m);
  assert.match(metrics, /^clew_provider_request_duration_seconds_count\{status="200"\} [1-9]/m);

  assert.deepEqual(await Promise.all([syncing.terminate(), indexing.terminate()]), [0, 0]);
  assert.equal((await client.searchPages({ limit: 1, q: "a" })).items.length, 1);
});
