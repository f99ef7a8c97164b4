import assert from "node:assert/strict";
import { test } from "node:test";
import { graphOperations, problems } from "@clew/contract";
import { operationsOf, readDocument } from "../openapi/document.ts";
import { freePort } from "../support/clew-process.ts";
import { runCurlLine } from "../support/curl.ts";
import { senderTo } from "../support/raw-request.ts";
import { startRunning } from "../support/running-clew.ts";
import { createToken, signIn } from "../support/session.ts";
import { sharedDemo, syncedDemo } from "../support/shared-demo.ts";
import { expectWellFormed } from "../surface/expectations.ts";

/** The addresses of the reference's pages, as its list has them. */
async function readAddresses(url: URL): Promise<string[]> {
  const overview = await (await fetch(new URL("docs/api", url))).text();
  const [, list = ""] = /<nav id="operations"([\s\S]*?)<\/nav>/.exec(overview) ?? [];
  return [...list.matchAll(/<a href="([^"]+)"/g)].map(([, address = ""]) => address);
}

test("GRAPH-14: /docs/api describes every operation, message and code, with nothing from elsewhere", async () => {
  const url = await sharedDemo();
  const send = senderTo(url);
  const document = await readDocument(url);
  const addresses = await readAddresses(url);
  const pages = new Map<string, string>();
  for (const address of addresses) {
    const { status, headers, text } = await send({ method: "GET", path: `/docs/${address}` });
    assert.deepEqual([status, headers["content-type"]], [200, "text/html; charset=utf-8"], address);
    assert.doesNotMatch(String(headers["content-security-policy"]), /unsafe|https?:|\*/);
    pages.set(address, text);
    const ids = [...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, `${address}: every id once`);
    // Commands and answers have addresses, as text.
    const markup = text.replaceAll(/<pre>[^<]*(?:<code>[^<]*<\/code>)?<\/pre>/g, "");
    assert.doesNotMatch(
      markup,
      /<script(?! (?:type="module" crossorigin )?src="\.\.\/dashboard\/assets\/)/,
      address,
    );
    assert.doesNotMatch(markup, /\bstyle=|\bon\w+=|https?:\/\//, address);
    assert.match(text, /<h1[ >]/);
  }
  for (const { operationId, method, path } of operationsOf(document)) {
    const page = pages.get(`api/${operationId.replace(/InSession$/, "")}`) ?? "";
    assert.ok(page.includes(`${method}</span> <code>${path}</code>`), operationId);
  }
  const { schemas } = document.components;
  for (const name of Object.keys(schemas)) assert.ok(pages.has(`api/messages/${name}`), name);
  for (const code of Object.keys(problems))
    assert.ok(pages.get("api")?.includes(`<code>${code}</code>`), code);
  const titles = [...pages.values()].map((text) => /<h1[^>]*>([^<]+)/.exec(text)?.[1]);
  assert.equal(new Set(titles).size, titles.length, "every title once");
});

test("GRAPH-14: every link in the reference leads to a page that is there, and to a place on it", async () => {
  const url = await sharedDemo();
  const addresses = await readAddresses(url);
  const pages = new Map<string, string>();
  const pageAt = async (address: string) => {
    const known = pages.get(address);
    if (known !== undefined) return known;
    const response = await fetch(new URL(`docs/${address}`, url));
    assert.equal(response.status, 200, address);
    const text = await response.text();
    pages.set(address, text);
    return text;
  };
  for (const address of addresses)
    for (const [, href = ""] of (await pageAt(address)).matchAll(
      /href="((?!#content|[^"]*\/assets\/|\.\/|\/)[^"]+)"/g,
    )) {
      const [target = "", fragment] = href.split("#");
      const text = await pageAt(target);
      if (fragment !== undefined) assert.ok(text.includes(`id="${fragment}"`), `${address} → ${href}`);
    }
});

test("GRAPH-14: an operation in a session has the page of the operation, and an unknown one has none", async () => {
  const url = await sharedDemo();
  const response = await fetch(new URL("docs/api/searchPagesInSession", url), { redirect: "manual" });
  assert.deepEqual(
    [response.status, response.headers.get("location")],
    [302, "/docs/api/searchPages#session"],
  );
  for (const path of [
    "docs/api/nothing",
    "docs/api/constructor",
    "docs/api/messages/constructor",
    "docs/api/a/b",
  ])
    assert.equal((await fetch(new URL(path, url))).status, 404, path);
});

test("GRAPH-14: every command of the reference runs with the demo workspace", async () => {
  const url = await syncedDemo();
  const session = await signIn(url);
  const { access } = session;
  const { token, id } = await createToken(url, session, "a reader of the reference");
  const shell = { CLEW_TOKEN: token, CLEW_ACCESS_TOKEN: access };
  const commands: { address: string; command: string }[] = [];
  for (const address of await readAddresses(url)) {
    const page = await (await fetch(new URL(`docs/${address}`, url))).text();
    for (const [, code = ""] of page.matchAll(/<code>(curl [^<]+)<\/code>/g)) {
      const shown = code.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
      const command = shown.replace(/(?<=\/api\/tokens\/)\d+(?=\/activity\/")/, String(id));
      // Those end something of the reader's, wait for a browser, or never end.
      const changes = / -d /.test(command) && !/\/api\/(?:v1\/|tokens\/"$)/.test(command);
      if (changes || / -X |\/api\/(?:integrations\/(?!.*status)|apps)|\/events"/.test(command)) continue;
      commands.push({ address, command });
    }
  }
  await Promise.all(
    commands.map(async ({ command }) => {
      const { status, body } = await runCurlLine(command, shell);
      assert.ok([200, 201].includes(status), `${command}\n${body}`);
    }),
  );
  const runnable = commands.map(({ address }) => address);
  for (const { operationId } of Object.values(graphOperations))
    assert.ok(runnable.includes(`api/${operationId}`), operationId);
  assert.ok(runnable.length > 40, String(runnable.length));
});

test("ERR-6: /docs, /docs/api and /llms.txt have the headers of every response, HEAD, 304, and 405 for other methods", async () => {
  const url = await sharedDemo();
  const send = senderTo(url);
  for (const path of [
    "/docs",
    "/docs/",
    "/docs/agents",
    "/docs/api",
    "/docs/api/",
    "/docs/api/searchPages",
    "/docs/api/messages/Node",
    "/llms.txt",
  ]) {
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
  assert.ok(page.includes('<base href="/below/docs/"'));
  const operation = await (await fetch(new URL("docs/api/searchPages", clew.url))).text();
  assert.ok(operation.includes(`http://localhost:${port}/below/api/v1/search/?q=jupiter`));
});
