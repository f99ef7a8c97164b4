import assert from "node:assert/strict";
import { test } from "node:test";
import { documentation, graphOperations, problems } from "@clew/contract";
import { operationsOf, readDocument } from "../openapi/document.ts";
import { freePort } from "../support/clew-process.ts";
import { senderTo } from "../support/raw-request.ts";
import { startRunning } from "../support/running-clew.ts";
import { sharedDemo } from "../support/shared-demo.ts";
import { expectWellFormed } from "../surface/expectations.ts";

test("GRAPH-14: /docs/api describes every operation, message and code, with neither scripts nor anything from elsewhere", async () => {
  const url = await sharedDemo();
  const send = senderTo(url);
  const document = await readDocument(url);
  const { status, headers, text } = await send({ method: "GET", path: "/docs/api" });
  assert.deepEqual([status, headers["content-type"]], [200, "text/html; charset=utf-8"]);
  for (const { operationId, method, path } of operationsOf(document)) {
    assert.ok(text.includes(`id="${operationId}"`), operationId);
    assert.ok(text.includes(`${method} ${path}`), path);
  }
  assert.equal(
    Object.values(documentation).every(({ operationId }) => text.includes(operationId)),
    true,
  );
  for (const code of Object.keys(problems)) assert.ok(text.includes(`<code>${code}</code>`), code);
  for (const [, anchor] of text.matchAll(/href="#([^"]+)"/g))
    assert.ok(text.includes(`id="${anchor}"`), anchor);
  const ids = [...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length, "every id once");
  // Examples have the addresses of pages, as text.
  const markup = text.replaceAll(/<pre tabindex="0">[^<]*<\/pre>/g, "");
  assert.doesNotMatch(markup, /<script|\bstyle=|\bon\w+=|https?:\/\//);
  assert.doesNotMatch(String(headers["content-security-policy"]), /unsafe|https?:|\*/);
  for (const level of [1, 2, 3]) assert.match(text, new RegExp(`<h${level}[ >]`));
});

test("ERR-6: /docs, /docs/api and /llms.txt have the headers of every response, HEAD, 304, and 405 for other methods", async () => {
  const url = await sharedDemo();
  const send = senderTo(url);
  for (const path of ["/docs", "/docs/", "/docs/agents", "/docs/api", "/docs/api/", "/llms.txt"]) {
    const get = { method: "GET", path };
    const answer = await send(get);
    expectWellFormed(get, answer);
    const head = await send({ method: "HEAD", path });
    assert.deepEqual([head.status, head.text, head.headers.etag], [200, "", answer.headers.etag]);
    const again = await send({ ...get, headers: { "if-none-match": String(answer.headers.etag) } });
    assert.deepEqual([again.status, again.text], [304, ""]);
    const post = { method: "POST", path };
    const refused = await send(post);
    expectWellFormed(post, refused);
    assert.deepEqual([refused.status, refused.headers.allow], [405, "GET, HEAD, OPTIONS"]);
  }
});

test("GRAPH-14: /llms.txt has the form of llmstxt.org, and its links lead to what Clew serves below its path", async (t) => {
  const port = String(await freePort());
  const clew = await startRunning({ env: { PORT: port, PUBLIC_URL: `http://localhost:${port}/below` } });
  t.after(() => clew.stop());
  const text = await (await fetch(new URL("llms.txt", clew.url))).text();
  assert.match(text, /^# Clew\n\n> .+/);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): .+$/gm)].map(([, url]) => url ?? "");
  assert.ok(links.includes(`http://localhost:${port}/below/api/v1/mcp`));
  for (const url of links) {
    const { status } = await fetch(url);
    // Those that need a token are there, and say so.
    assert.ok([200, 401].includes(status), `${url} → ${status}`);
  }
  for (const { summary } of Object.values(graphOperations)) assert.ok(text.includes(summary), summary);
  const page = await (await fetch(new URL("docs/api", clew.url))).text();
  assert.ok(page.includes('href="/below/api/v1/openapi.json"'));
});
