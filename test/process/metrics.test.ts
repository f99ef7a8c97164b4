import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { call } from "../support/call.ts";
import { freePort } from "../support/clew-process.ts";
import { writeLinkedPages } from "../support/markdown-folder.ts";
import { createToken, signIn, waitForSync } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { stageOf } from "../support/stage.ts";

/** The value of a sample by its name and labels, as Prometheus reads them; undefined if there is none. */
function sample(text: string, name: string): number | undefined {
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

/** Calls a tool for agents, as the revision of 2025 does. */
async function callTool(clew: URL, token: string, params: object): Promise<void> {
  const response = await fetch(new URL("api/v1/mcp", clew), {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  await response.arrayBuffer();
}

test("OPS-2: metrics are served on a separate port, and contain no person, page or secret", async (t) => {
  const port = await freePort();
  const stage = await stageOf(t);
  const folder = join(stage.folder, "pages");
  const { nodes } = await writeLinkedPages(folder, 40);
  const clew = await stage.start({ METRICS_PORT: String(port), DEMO_DIRECTORY: folder });
  const at = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const { token } = await createToken(clew.url, session, "a name of a token");
  await call(clew.url, "api/v1/search/?q=a-secret-question", { token });
  await call(clew.url, "api/v1/text/?q=a-secret-question", { token });
  await call(clew.url, "api/v1/workspaces/", { token: `svc_${"a".repeat(32)}` });
  await call(clew.url, "no-such-path-of-anybody", {});
  await call(clew.url, "api/v1/search/?limit=none", { token });
  for (const params of [
    { name: "search_pages", arguments: { query: "a-secret-question", in: "titles" } },
    { name: "search_pages", arguments: { query: "sun", in: "titles" } },
    { name: "find_paths", arguments: { from: "a-secret-question" } },
    { name: "a-tool-of-anybody" },
  ])
    await callTool(clew.url, token, params);

  const response = await at("/metrics");
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  const duration = "clew_http_request_duration_seconds_count";
  assert.equal(sample(text, `${duration}{method="GET",route="/api/v1/search/",status="200"}`), 1);
  const ofTools = 'method="POST",route="/api/v1/mcp"';
  assert.equal(sample(text, `${duration}{${ofTools},status="200",tool="search_pages"}`), 2);
  assert.equal(sample(text, `${duration}{${ofTools},status="200",tool="find_paths"}`), 1);
  assert.equal(
    sample(text, `${duration}{${ofTools},status="200"}`),
    1,
    "a tool that does not exist is no label",
  );
  assert.equal(sample(text, 'clew_http_refusals_total{code="token_invalid"}'), 1);
  assert.equal(sample(text, 'clew_http_refusals_total{code="not_found"}'), 1);
  assert.equal(sample(text, 'clew_http_refusals_total{code="invalid_request"}'), 1);
  assert.equal(sample(text, 'clew_http_refusals_total{code="internal"}'), undefined);
  assert.ok((sample(text, 'clew_provider_request_duration_seconds_count{status="200"}') ?? 0) > nodes);
  assert.equal(sample(text, 'clew_query_job_duration_seconds_count{job="text",outcome="done"}'), 1);
  assert.equal(sample(text, 'clew_query_jobs{state="waiting"}'), 0);
  assert.equal(sample(text, 'clew_query_jobs{state="running"}'), 0);
  assert.ok((sample(text, 'clew_cache_bytes{cache="text_snapshots"}') ?? 0) > 1_000);
  assert.equal(sample(text, 'clew_connections{status="active"}'), 1);
  assert.equal(sample(text, 'clew_sync_jobs{state="under_way"}'), 0);
  assert.equal(sample(text, 'clew_syncs_total{kind="first",outcome="complete"}'), 1);
  assert.equal(sample(text, 'clew_syncs_total{kind="incremental",outcome="withdrawn"}'), 0);
  assert.equal(sample(text, "clew_connections_never_synced"), 0);
  assert.equal(sample(text, "clew_connections_overdue"), 0);
  assert.match(text, /^clew_build_info\{version="\d+\.\d+\.\d+",commit="[0-9a-f]*",schema="\d+"\} 1$/m);
  const memoryLimit = sample(text, "clew_memory_limit_bytes") ?? 0;
  assert.ok(memoryLimit > (sample(text, "process_resident_memory_bytes") ?? Infinity));
  assert.ok(
    (sample(text, "clew_heap_limit_bytes") ?? 0) > (sample(text, "nodejs_heap_size_used_bytes") ?? Infinity),
  );
  assert.equal(sample(text, "clew_service_tokens_usable"), 1);
  assert.equal(sample(text, "clew_sessions_live"), 1);
  assert.equal(sample(text, "clew_database_up"), 1);
  assert.ok((sample(text, 'clew_cache_bytes{cache="graphs"}') ?? 0) > 10_000);
  for (const cache of ["callers", "verified_tokens"])
    assert.ok((sample(text, `clew_cache_entries{cache="${cache}"}`) ?? 0) > 0, cache);
  assert.ok((sample(text, "clew_oldest_sync_age_seconds") ?? -1) >= 0);
  assert.ok((sample(text, "process_resident_memory_bytes") ?? 0) > 0);
  for (const secret of [
    token,
    token.slice(4, 12),
    session.access,
    "a-secret-question",
    "a name of",
    "anybody",
  ])
    assert.ok(!text.includes(secret), secret);

  assert.equal((await at("/")).status, 404);
  assert.equal((await at("/healthz")).status, 404);
  assert.equal((await at("/metrics", { method: "POST" })).status, 405);
  assert.equal((await call(clew.url, "metrics")).status, 404, "the public port serves no metrics");
  assert.equal(await clew.terminate(), 0);
});

test("OPS-2: without METRICS_PORT nothing is measured or served, and a port that is taken refuses to start", async (t) => {
  const stage = await stageOf(t);
  const clew = await stage.start({ DEMO_DIRECTORY: await writeSmallWorkspace(stage) });
  assert.equal((await call(clew.url, "metrics")).status, 404);
  await assert.rejects(stage.start({ METRICS_PORT: String(clew.port) }), /is already in use/);
});
