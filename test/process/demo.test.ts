import assert from "node:assert/strict";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import type { Content, SearchResults } from "@clew/contract";
import { answerConsent, giveConsent } from "@clew/stand-in/testing";
import { call } from "../support/call.ts";
import { freePort } from "../support/clew-process.ts";
import { markdownPage, twoPeople, writeFiles } from "../support/markdown-folder.ts";
import { readerHeaders, signIn, waitForSync } from "../support/session.ts";
import { openStage, type Stage, stageOf } from "../support/stage.ts";

async function writeWorkspace(stage: Stage, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = join(stage.folder, "pages");
  await writeFiles(folder, {
    "_workspace.yml": "name: Labyrinth\n",
    ...twoPeople,
    "ariadne.md": markdownPage(
      "Ariadne",
      "She gave [Theseus](theseus.md) a ball of thread. <script>alert(1)</script>",
    ),
    "theseus.md": markdownPage(
      "Theseus",
      "He came back along the thread of [[Ariadne]]. At 7[[Minos]]8 o'clock. [Away](javascript:alert(1))",
    ),
    "gone.md": "---\nin_trash: true\n---\n# Gone\n",
    ".secret.md": "# Secret\n",
    ...files,
  });
  return folder;
}

/** A Clew over that workspace, whose PUBLIC_URL has a path. */
async function startBelowPath(stage: Stage) {
  const port = String(await freePort());
  const settings = {
    PORT: port,
    PUBLIC_URL: `http://localhost:${port}/tools/clew`,
    DEMO_DIRECTORY: await writeWorkspace(stage),
  };
  return { settings, clew: await stage.start(settings) };
}

/** For the tests that neither restart nor configure it. */
const shared = await openStage();
after(() => shared.close());
const { clew } = await startBelowPath(shared);

/** A Clew of the test's own, which it restarts. */
async function startOwn(t: TestContext) {
  const stage = await stageOf(t);
  return { stage, ...(await startBelowPath(stage)) };
}

/** The ports on which a process listens, on any address (proc_pid_fd(5), Linux). */
async function listeningPorts(pid: number): Promise<number[]> {
  const handles = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(handles.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")));
  const inodes = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/${pid}/net/${name}`, "utf8")),
  );
  return tables
    .flatMap((table) => table.trim().split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === "0A" && inodes.has(inode))
    .map(([, local = ""]) => Number.parseInt(local.split(":")[1] ?? "", 16));
}

const status = async (url: URL | string, init: RequestInit = {}) => {
  const answer = await fetch(url, { redirect: "manual", ...init });
  await answer.body?.cancel();
  return answer.status;
};

test("SIGN-11: the demo workspace is served below the path of PUBLIC_URL and opens no second port", {
  skip: process.platform !== "linux",
}, async () => {
  const session = await signIn(clew.url);
  assert.equal(session.dashboard, `${clew.url}dashboard`);
  const [workspace] = await waitForSync(clew.url, session);
  assert.deepEqual([workspace?.name, workspace?.nodes], ["Labyrinth", 2]);
  assert.deepEqual(await listeningPorts(clew.pid), [clew.port]);
});

test("SIGN-11: the consent screen is served at PUBLIC_URL, also behind a proxy", async (t) => {
  const stage = await stageOf(t);
  const open = {
    HOST: "0.0.0.0",
    STAND_IN: "1",
    OPEN_SIGN_IN: "1",
    PUBLIC_URL: "https://clew.example/tools",
  };
  const clew = await stage.start(open);
  const own = `http://127.0.0.1:${clew.port}`;
  const begun = await fetch(`${own}/tools/api/integrations/auth/provider/`, { redirect: "manual" });
  const consent = new URL(begun.headers.get("location") ?? "");
  assert.equal(consent.origin + consent.pathname, "https://clew.example/tools/demo/v1/oauth/authorize");
  const screen = await fetch(own + consent.pathname + consent.search);
  const html = await screen.text();
  assert.equal(screen.status, 200);
  assert.match(html, /<form method="post" action="\/tools\/demo\/v1\/oauth\/authorize">/);
  assert.match(html, /href="\/tools\/demo\/site\.css"/);
  assert.match(
    screen.headers.get("content-security-policy") ?? "",
    /form-action 'self' https:\/\/clew\.example/,
  );
  assert.equal(await status(`${own}/tools/demo/site.css`), 200);
});

test("SIGN-11: the demo's API cannot be called from outside", async () => {
  const { callback } = await signIn(clew.url);
  const code = callback.searchParams.get("code");
  const headers = { "notion-version": "2026-03-11", "content-type": "application/json" };
  const calls = ["POST /search", "GET /users/me", "GET /pages/1", "POST /oauth/token", "POST /oauth/revoke"];
  const root = `http://127.0.0.1:${clew.port}`;
  for (const base of [`${root}/v1`, `${root}/demo/v1`, `${clew.url}v1`, `${clew.url}demo/v1`]) {
    for (const each of calls) {
      const [method = "", path] = each.split(" ");
      const body = method === "POST" ? { body: JSON.stringify({ code }) } : {};
      assert.equal(await status(base + path, { method, headers, ...body }), 404, `${method} ${base}${path}`);
    }
  }
});

test("SIGN-11: a page of the demo workspace is shown as plain HTML, and hidden pages are not shown", async () => {
  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const search = await call<SearchResults>(clew.url, "api/provider-graph/search/?q=the", {
    token: session.access,
  });
  const node = search.body.items[0]?.node;
  const theseus = node?.id;
  assert.equal(node?.url, `${clew.url}demo/pages/${theseus}`);
  const content = `api/provider-graph/nodes/${theseus}/content/`;
  const { body: text } = await call<Content>(clew.url, content, { token: session.access });
  assert.match(text.markdown ?? "", new RegExp(`"${clew.url}demo/pages/[0-9a-f-]{36}"`));
  assert.doesNotMatch(text.markdown ?? "", /notion\.so|file:/);
  const headers = await readerHeaders(clew.url);
  const page = await fetch(node?.url ?? "", { headers });
  const html = await page.text();
  assert.equal(page.status, 200);
  assert.match(html, /<h1>Theseus<\/h1>/);
  const ariadne = /<a href="(\/tools\/clew\/demo\/pages\/[0-9a-f-]{36})">Ariadne<\/a>/.exec(html)?.[1];
  assert.match(html, /Everyone who signs in there can read it/);
  assert.match(html, /At 7\[\[Minos\]\]8 o/, "an unresolved link is separated from the text around it");
  assert.doesNotMatch(html, /javascript:/);
  const policy = page.headers.get("content-security-policy") ?? "";
  assert.match(
    policy,
    /^default-src 'none'; style-src 'self'; img-src data:; form-action 'none'; base-uri 'none'/,
  );
  const linked = await fetch(new URL(ariadne ?? "", clew.url), { headers });
  assert.equal(linked.status, 200);
  assert.doesNotMatch(await linked.text(), /<script/);
  for (const id of ["gone", "..%2f..%2f.secret", "00000000-0000-4000-8000-000000000001", `${theseus}x`]) {
    assert.equal(await status(`${clew.url}demo/pages/${id}`, { headers }), 404, id);
  }
  const shown = await fetch(`${clew.url}demo/pages/gone`, { headers: { accept: "text/html", ...headers } });
  assert.match(shown.headers.get("content-type") ?? "", /^text\/html/);
});

test("SIGN-11: pages of the demo workspace are shown only to a browser that signed in", async () => {
  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const search = "api/provider-graph/search/?q=Theseus";
  const { body } = await call<SearchResults>(clew.url, search, { token: session.access });
  const url = body.items[0]?.node.url ?? "";

  const asked = await fetch(url, { headers: { accept: "text/html" } });
  const html = await asked.text();
  assert.equal(asked.status, 403);
  assert.match(html, new RegExp(`<a href="${clew.url}api/integrations/auth/provider/">Sign in</a>`));
  assert.doesNotMatch(html, /Theseus|Labyrinth/);
  const program = await fetch(url);
  assert.equal(program.status, 403);
  assert.match(await program.text(), /"code":"workspace_not_allowed"/);
  assert.equal(await status(`${clew.url}demo/pages/00000000-0000-4000-8000-000000000001`), 403);

  const begun = await fetch(new URL("api/integrations/auth/provider/", clew.url), { redirect: "manual" });
  const consentScreen = begun.headers.get("location") ?? "";
  assert.equal((await answerConsent(consentScreen, { decision: "cancel" })).setCookie, null);
  const { setCookie } = await answerConsent(consentScreen);
  assert.match(
    setCookie ?? "",
    /^clew_demo_[0-9a-f]{8}=[\w.-]+; Max-Age=604800; Path=\/tools\/clew\/demo\/pages; HttpOnly; SameSite=Lax$/,
  );
  const cookie = setCookie?.split(";")[0] ?? "";
  for (const sent of [cookie, `other=1; ${cookie}`, `${cookie.split("=")[0]}=forged; ${cookie}`])
    assert.equal(await status(url, { headers: { cookie: sent } }), 200, sent);
  assert.equal(await status(url, { method: "HEAD", headers: { cookie } }), 200);
  const [name, value = ""] = cookie.split("=");
  const [until = "", signature] = value.split(".");
  for (const forged of ["", "1", until, `${until}.`, `${Number(until) + 1}.${signature}`, `.${signature}`])
    assert.equal(await status(url, { headers: { cookie: `${name}=${forged}` } }), 403, forged);
  assert.equal(await status(url, { headers: { cookie: `clew_demo=${value}` } }), 403);
});

test("SIGN-11: a grant survives a restart, and so do an authorization code and the right to read pages", async (t) => {
  const { stage, settings, clew } = await startOwn(t);
  const before = await signIn(clew.url);
  await waitForSync(clew.url, before);
  const begun = await fetch(new URL("api/integrations/auth/provider/", clew.url), { redirect: "manual" });
  const reader = await readerHeaders(clew.url);
  const callback = await giveConsent(begun.headers.get("location") ?? "", { person: "Visitor" });
  const [cookie = ""] = begun.headers.getSetCookie().map((line) => line.split(";")[0]);
  await clew.terminate();

  const after = await stage.start(settings);
  const node = await call<SearchResults>(after.url, "api/provider-graph/search/?q=Theseus", {
    token: before.access,
  });
  const shown = await fetch(node.body.items[0]?.node.url ?? "", { headers: reader });
  assert.equal(shown.status, 200);
  const finished = await fetch(callback, { redirect: "manual", headers: { cookie } });
  assert.match(finished.headers.get("location") ?? "", /#access_token=/);
  const [workspace] = await waitForSync(after.url, before);
  const sync = `api/provider-graph/workspaces/${workspace?.id}/sync/`;
  assert.equal((await call(after.url, sync, { method: "POST", token: before.access })).status, 202);
  assert.equal((await waitForSync(after.url, before))[0]?.status, "active");
  const kept = await readFile(join(stage.folder, "data", "stand-in.json"), "utf8");
  assert(!kept.includes(new URL(callback).searchParams.get("code") ?? "code"), "codes are stored as hashes");
});

test("SIGN-11: pages have new addresses after PUBLIC_URL has changed", async (t) => {
  const { stage, settings, clew } = await startOwn(t);
  await waitForSync(clew.url, await signIn(clew.url));
  await clew.terminate();

  const moved = await stage.start({ ...settings, PUBLIC_URL: `http://localhost:${clew.port}/elsewhere` });
  // The issuer has changed with the address, so the person signs in again; their connection stays.
  const session = await signIn(moved.url);
  await waitForSync(moved.url, session);
  const search = "api/provider-graph/search/?q=Theseus";
  const found = await call<SearchResults>(moved.url, search, { token: session.access });
  const node = found.body.items[0]?.node;
  assert.equal(node?.url, `${moved.url}demo/pages/${node?.id}`);
  const content = `api/provider-graph/nodes/${node?.id}/content/`;
  const { body } = await call<Content>(moved.url, content, { token: session.access });
  assert.match(body.markdown ?? "", new RegExp(`${moved.url}demo/pages/`));
  assert.doesNotMatch(body.markdown ?? "", /tools\/clew/);
});

test("what the demo workspace ignores in a folder is logged", async (t) => {
  const stage = await stageOf(t);
  const folder = await writeWorkspace(stage, { "_people.yml": "- [unclosed" });
  const clew = await stage.start({ DEMO_DIRECTORY: folder });
  assert.match(clew.output(), /"path":"_people\.yml"/);
});
