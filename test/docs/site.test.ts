import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { docsDirectory } from "@clew/dashboard";
import type { SearchSection } from "../../packages/dashboard/src/docs/site-page.ts";
import { freePort } from "../support/clew-process.ts";
import { type RawAnswer, senderTo } from "../support/raw-request.ts";
import { startRunning } from "../support/running-clew.ts";
import { sharedDemo } from "../support/shared-demo.ts";
import { expectWellFormed } from "../surface/expectations.ts";

/** The addresses of all pages below `/docs/`. */
const addresses = globSync("**/*.html", { cwd: docsDirectory }).map((name) =>
  name.replace(/(?:^|\/)index\.html$|\.html$/, ""),
);

const attributesOf = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&"),
  );

test("OPS-12, OPS-5: every page is served below the path of PUBLIC_URL, and every link in it leads somewhere", async (t) => {
  const port = String(await freePort());
  const clew = await startRunning({ env: { PORT: port, PUBLIC_URL: `http://localhost:${port}/below` } });
  t.after(() => clew.stop());
  assert.ok(addresses.length > 80, `${addresses.length} pages`);
  const base = new URL("docs/", clew.url);
  const pages = new Map<string, string>();
  for (const address of addresses) {
    const answer = await fetch(new URL(address, base));
    assert.equal(answer.status, 200, address);
    pages.set(new URL(address, base).href, await answer.text());
  }
  const others = new Map<string, number>();
  for (const [page, html] of pages) {
    assert.ok(html.includes(`<base href="${base.pathname}" />`), page);
    for (const link of [
      ...attributesOf(html, "href"),
      ...attributesOf(html, "src"),
      ...attributesOf(html, "srcSet"),
    ]) {
      const { origin, href, hash } = new URL(link, base);
      if (origin !== base.origin) continue;
      const target = href.replace(/#.*$/, "");
      const ids = pages.get(target);
      if (ids !== undefined)
        assert.ok(
          hash === "" || ids.includes(`id="${decodeURIComponent(hash.slice(1))}"`),
          `${page}: ${link}`,
        );
      else others.set(target, others.get(target) ?? (await statusOf(target)));
      assert.ok([undefined, 200].includes(others.get(target)), `${page}: ${link} → ${others.get(target)}`);
    }
  }
  assert.ok(others.has(new URL("pictures/map.webp", base).href) && others.has(new URL("api", base).href));
});

async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url);
  await answer.body?.cancel();
  return answer.status;
}

test("OPS-12, ERR-6: a page may load and call only its own origin, and has no script or style in it", async () => {
  const send = senderTo(await sharedDemo());
  const get = (path: string, headers = {}) => send({ method: "GET", path, headers });
  const policyOf = ({ headers }: RawAnswer) => headers["content-security-policy"];
  const dashboard = policyOf(await get("/dashboard"));
  for (const path of ["/docs", "/docs/", "/docs/operations", "/docs/decisions/0038-dashboard-application"]) {
    const { status, text, headers } = await get(path);
    assert.deepEqual([status, headers["content-type"]], [200, "text/html; charset=utf-8"], path);
    assert.equal(headers["content-security-policy"], dashboard);
    assert.doesNotMatch(
      text,
      /<style|\sstyle="|\son\w+="|<script(?!(?: type="module" crossorigin)? src="\.\.\/dashboard\/assets\/)/,
    );
    for (const source of [...attributesOf(text, "src"), ...attributesOf(text, "srcSet")])
      assert.doesNotMatch(source, /^(?:[a-z]+:|\/\/)/i);
  }
});

test("OPS-12: pages and the index of the search come compressed, and are 304 for their entity tag", async () => {
  const send = senderTo(await sharedDemo());
  const url = await sharedDemo();
  for (const path of ["docs/agents", "docs/search.json"]) {
    const plain = await send({ method: "GET", path: `/${path}` });
    const answer = await fetch(new URL(path, url), { headers: { "accept-encoding": "br" } });
    assert.equal(answer.headers.get("content-encoding"), "br");
    assert.equal(await answer.text(), plain.text);
    const tag = answer.headers.get("etag");
    assert.notEqual(tag, plain.headers.etag);
    const headers = { "accept-encoding": "br", "if-none-match": String(tag) };
    assert.equal((await send({ method: "GET", path: `/${path}`, headers })).status, 304);
  }
});

test("OPS-12, ERR-1: an address without a page is 404, a page for browsers and a problem for programs", async () => {
  const send = senderTo(await sharedDemo());
  for (const path of [
    "/docs/nothing",
    "/docs/decisions/nothing",
    "/docs/pictures/no.webp",
    "/docs/%2e%2e/index",
    "/docs/index.html.br",
  ]) {
    const request = { method: "GET", path, headers: {} };
    const answer = await send(request);
    expectWellFormed(request, answer);
    assert.equal(answer.status, 404, path);
    const page = await send({ ...request, headers: { accept: "text/html" } });
    assert.deepEqual([page.status, page.headers["content-type"]], [404, "text/html; charset=utf-8"], path);
  }
});

test("OPS-12: the index of the search has the sections about a setting, and no section without an address", async () => {
  const answer = await fetch(new URL("docs/search.json", await sharedDemo()));
  const index = (await answer.json()) as readonly SearchSection[];
  assert.ok(
    index.some(({ href, text }) => href === "operations#behind-a-proxy" && text.includes("TRUST_PROXY")),
  );
  for (const { href } of index) assert.match(href, /^(?:\.\/|[a-z-]+)(?:#.+)?$/);
});
