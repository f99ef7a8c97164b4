import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { connectPage, pages } from "@clew/dashboard";
import { readConfig } from "../config/config.ts";
import { dashboardRoutes } from "./dashboard.ts";
import { serveGraphs } from "./graph/testing/graph-server.ts";

async function serveDashboard(t: TestContext, publicUrl = "http://localhost:8420") {
  const config = readConfig({ PUBLIC_URL: publicUrl });
  const { app } = await serveGraphs(t, (scope) => dashboardRoutes(scope, { config }));
  return (url: string, headers: Record<string, string> = {}) =>
    app.inject({ method: "GET", url, headers: { host: config.publicUrl.host, ...headers } });
}

/** The path of the script that the page loads last. */
function scriptOf(page: string): string {
  const [script] = [...page.matchAll(/src="\.\/(assets\/[^"]+\.js)"/g)].reverse();
  assert.ok(script?.[1]);
  return `/dashboard/${script[1]}`;
}

test("a dashboard page is 304 for its entity tag, also for the weak form that a compressing proxy makes", async (t) => {
  const get = await serveDashboard(t);
  const { statusCode, headers } = await get("/dashboard");
  const tag = String(headers.etag);
  assert.equal(statusCode, 200);
  assert.match(tag, /^"[\w-]+"$/);
  for (const condition of [tag, `W/${tag}`, `"other", W/${tag}`, `${tag},"other"`, "*"]) {
    const { statusCode, body, headers } = await get("/dashboard", { "if-none-match": condition });
    assert.deepEqual([statusCode, body, headers.etag], [304, "", tag], condition);
  }
  for (const condition of ['"other"', 'W/"other"', `"x${tag.slice(1)}`])
    assert.equal((await get("/dashboard", { "if-none-match": condition })).statusCode, 200, condition);
});

test("every view has a path, from which the page finds its files below PUBLIC_URL", async (t) => {
  const get = await serveDashboard(t, "http://localhost:8420/tools/clew");
  for (const path of pages) {
    const { statusCode, body, headers } = await get(
      `/dashboard${path.replace(/\/$/, "").replace(/:\w+/g, "1")}`,
    );
    assert.equal(statusCode, 200, path);
    assert.match(body, /<base href="\/tools\/clew\/dashboard\/" \/>/);
    assert.equal(headers["cache-control"], "no-cache");
  }
  assert.equal((await get("/dashboard/nothing")).statusCode, 404);
});

test("APP-4: every page but the consent is cut off from the window that opened it", async (t) => {
  const get = await serveDashboard(t);
  for (const path of pages) {
    const { headers } = await get(`/dashboard${path.replace(/\/$/, "").replace(/:\w+/g, "1")}`);
    const expected = path === connectPage ? undefined : "same-origin";
    assert.equal(headers["cross-origin-opener-policy"], expected, path);
  }
});

test("the files of a page never change under their names, and come compressed where that is accepted", async (t) => {
  const get = await serveDashboard(t);
  const script = scriptOf((await get("/dashboard")).body);
  const plain = await get(script);
  assert.equal(plain.headers["cache-control"], "public, max-age=31536000, immutable");
  assert.match(String(plain.headers.vary), /\bAccept-Encoding\b/);
  const bytes = plain.rawPayload;
  const tags = new Set([plain.headers.etag]);
  for (const [accepted, encoding, expand] of [
    ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
    ["gzip;q=1.0, br;q=0", "gzip", gunzipSync],
    ["br;q=0, GZIP", "gzip", gunzipSync],
  ] as const) {
    const { headers, rawPayload } = await get(script, { "accept-encoding": accepted });
    assert.equal(headers["content-encoding"], encoding, accepted);
    assert.ok(expand(rawPayload).equals(bytes), accepted);
    tags.add(headers.etag);
    const known = await get(script, {
      "accept-encoding": accepted,
      "if-none-match": String(headers.etag),
    });
    assert.equal(known.statusCode, 304);
  }
  assert.equal(tags.size, 3, "each encoding has its own entity tag");
  for (const accepted of ["identity", "deflate", "br;q=0.0"])
    assert.equal((await get(script, { "accept-encoding": accepted })).headers["content-encoding"], undefined);
  assert.equal((await get("/dashboard/assets/app-unknown.js")).statusCode, 404);
});

test("a file of the dashboard comes whole if a range or a condition of another kind is asked for", async (t) => {
  const get = await serveDashboard(t);
  const script = scriptOf((await get("/dashboard")).body);
  const { rawPayload } = await get(script);
  for (const headers of [
    { "if-match": '"other"' },
    { "if-unmodified-since": "Sat, 01 Jan 2000 00:00:00 GMT" },
    { range: "bytes=0-9" },
    { range: "bytes=999999999-" },
  ] satisfies Record<string, string>[]) {
    const answer = await get(script, headers);
    assert.equal(answer.statusCode, 200, JSON.stringify(headers));
    assert.ok(answer.rawPayload.equals(rawPayload));
  }
});

test("ERR-6: the page may load and call only its own origin, and parse no text as markup", async (t) => {
  const get = await serveDashboard(t);
  const policy = String((await get("/dashboard")).headers["content-security-policy"]);
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /);
  assert.match(policy, /; worker-src 'self'; .*; require-trusted-types-for 'script'; trusted-types 'none'$/);
  assert.doesNotMatch(policy, /unsafe|nonce|data:|https?:/);
});
