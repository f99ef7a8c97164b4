import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { writeFolder } from "@clew/folder/testing";
import { giveConsent } from "../testing/give-consent.ts";
import {
  authorizationUrl,
  client,
  exchange,
  redirectUri,
  sdk,
  serve,
  serveFiles,
} from "../testing/serve-folder.ts";

const files = { "a.md": "# A", "b.md": "# B" };

test("consent redirects with a code and the state, and the code is exchanged for tokens of that person", async (t) => {
  const { standIn } = await serveFiles(t, { ...files, "_workspace.yml": "name: Notes\nicon: 📒" });
  const location = new URL(await giveConsent(authorizationUrl(standIn), { person: "Visitor" }));
  assert.equal(`${location.origin}${location.pathname}`, redirectUri);
  assert.equal(location.searchParams.get("state"), "the-state");
  const tokens = await exchange(standIn, location.searchParams.get("code") ?? "");
  assert.equal(tokens.token_type, "bearer");
  assert.equal(tokens.workspace_name, "Notes");
  assert.equal(tokens.workspace_icon, "📒");
  assert.equal(tokens.workspace_id, standIn.workspace().id);
  assert.ok(tokens.owner.type === "user" && "person" in tokens.owner.user);
  assert.equal(tokens.owner.user.name, "Visitor");
  assert.match(tokens.owner.user.person.email, /\.example$/);
  const me = await sdk(standIn, tokens.access_token).users.me({});
  assert.deepEqual([me.type, me.id], ["bot", tokens.bot_id]);
});

test("cancel redirects with access_denied and the state", async (t) => {
  const { standIn } = await serveFiles(t, files);
  const location = await giveConsent(authorizationUrl(standIn), { decision: "cancel" });
  assert.equal(location, `${redirectUri}?error=access_denied&state=the-state`);
});

test("a code is valid once, for its redirect URI, and for five minutes", async (t) => {
  let now = Date.UTC(2026, 0, 1);
  const { standIn } = await serveFiles(t, files, { clock: () => now });
  const newCode = async () =>
    new URL(await giveConsent(authorizationUrl(standIn))).searchParams.get("code") ?? "";
  const used = await newCode();
  await exchange(standIn, used);
  await assert.rejects(exchange(standIn, used), isStatus(400));
  await assert.rejects(exchange(standIn, await newCode(), "http://localhost:1/other"), isStatus(400));
  const old = await newCode();
  now += 5 * 60_000;
  await assert.rejects(exchange(standIn, old), isStatus(400));
});

test("an unknown client, redirect URI or form is answered with a page, never with a redirect", async (t) => {
  const { standIn } = await serveFiles(t, files, { redirectUris: [redirectUri] });
  for (const changes of [
    { client_id: "other" },
    { redirect_uri: "https://evil.example/callback" },
    { redirect_uri: `${redirectUri}/more` },
    { redirect_uri: "" },
  ]) {
    const answer = await fetch(authorizationUrl(standIn, changes), { redirect: "manual" });
    assert.equal(answer.status, 400, JSON.stringify(changes));
    assert.match(answer.headers.get("content-type") ?? "", /text\/html/);
  }
  const forged = await fetch(`${standIn.url}/v1/oauth/authorize`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ request: "e30.AAAA", decision: "allow" }),
  });
  assert.equal(forged.status, 400);
});

test("without registered redirect URIs only those of this machine are allowed", async (t) => {
  const { standIn } = await serveFiles(t, files);
  const status = async (uri: string) =>
    (await fetch(authorizationUrl(standIn, { redirect_uri: uri }), { redirect: "manual" })).status;
  for (const uri of [
    "http://localhost:1/x",
    "http://127.0.0.1/x",
    "http://[::1]:9/x",
    "https://localhost/x",
  ]) {
    assert.equal(await status(uri), 200, uri);
  }
  for (const uri of [
    "http://localhost.evil.example/x",
    "http://u@localhost/x",
    "javascript://localhost/x",
    "/x",
  ]) {
    assert.equal(await status(uri), 400, uri);
  }
});

test("a request for something other than a code redirects with an error", async (t) => {
  const { standIn } = await serveFiles(t, files);
  const location = await giveConsent(authorizationUrl(standIn, { response_type: "token" }));
  assert.match(location, /[?&]error=unsupported_response_type&state=the-state$/);
});

test("the consent screen escapes titles and allows no script", async (t) => {
  const { standIn } = await serveFiles(t, { "x.md": '---\ntitle: "<script>alert(1)</script>\\"&"\n---\n' });
  const answer = await fetch(authorizationUrl(standIn));
  const page = await answer.text();
  assert.doesNotMatch(page, /<script/);
  assert.match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&amp;/);
  const policy = answer.headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /form-action 'self' http:\/\/localhost:8420(?:;|$)/);
  assert.doesNotMatch(policy, /unsafe|script-src/);
  assert.match(page, /not Notion/);
  const style = await fetch(`${standIn.url}/site.css`);
  assert.match(style.headers.get("content-type") ?? "", /text\/css/);
});

test("people and what each shares by default are read from _people.yml", async (t) => {
  const people =
    "- { name: Editor, email: editor@notes.example, folders: [a.md] }\n- { name: Reader, email: r@notes.example }";
  const { signIn, standIn } = await serveFiles(t, { ...files, "_people.yml": people });
  const { notion } = await signIn({ person: "Editor" });
  assert.equal((await notion.search({})).results.length, 1);
  const { notion: reader } = await signIn({ person: "Reader" });
  assert.equal((await reader.search({})).results.length, 2);
  assert.deepEqual(
    standIn.workspace().people.map(({ name }) => name),
    ["Editor", "Reader"],
  );
});

test("all token endpoints refuse a wrong secret", async (t) => {
  const { standIn } = await serveFiles(t, files);
  const wrong = { client_id: client.clientId, client_secret: "wrong" };
  const notion = sdk(standIn);
  await assert.rejects(
    notion.oauth.token({ ...wrong, grant_type: "refresh_token", refresh_token: "x" }),
    isStatus(401),
  );
  await assert.rejects(notion.oauth.revoke({ ...wrong, token: "x" }), isStatus(401));
  await assert.rejects(notion.oauth.introspect({ ...wrong, token: "x" }), isStatus(401));
});

const credentials = { client_id: client.clientId, client_secret: client.clientSecret };

test("a refresh token can be exchanged once, which ends the old pair", async (t) => {
  const { standIn, signIn } = await serveFiles(t, files);
  const { notion, tokens } = await signIn();
  const request = {
    ...credentials,
    grant_type: "refresh_token",
    refresh_token: tokens.refresh_token ?? "",
  } as const;
  const renewed = await notion.oauth.token(request);
  assert.equal(renewed.bot_id, tokens.bot_id);
  await assert.rejects(notion.users.me({}), isStatus(401));
  await assert.rejects(notion.oauth.token(request), isStatus(400));
  await sdk(standIn, renewed.access_token).users.me({});
});

test("a revoked token is refused at once, and introspection reports it", async (t) => {
  const { standIn, signIn } = await serveFiles(t, files);
  const first = await signIn();
  const second = await signIn();
  const notion = sdk(standIn);
  const token = first.tokens.access_token;
  assert.equal((await notion.oauth.introspect({ ...credentials, token })).active, true);
  await notion.oauth.revoke({ ...credentials, token });
  assert.equal((await notion.oauth.introspect({ ...credentials, token })).active, false);
  await assert.rejects(first.notion.users.me({}), isStatus(401));
  await second.notion.users.me({});
});

test("grants survive a restart, hashed, in a file that only its owner can read", async (t) => {
  const directory = await writeFolder(t, files);
  const stateFile = path.join(path.dirname(directory), "state.json");
  const before = await serve(t, directory, { stateFile });
  const { tokens } = await before.signIn();
  await before.standIn.close();
  const after = await serve(t, directory, { stateFile });
  assert.equal((await sdk(after.standIn, tokens.access_token).search({})).results.length, 2);
  const kept = await readFile(stateFile, "utf8");
  assert.ok(
    !kept.includes(tokens.access_token.slice(4)) && !kept.includes(tokens.refresh_token?.slice(4) ?? ""),
  );
  if (process.platform !== "win32") assert.equal((await stat(stateFile)).mode & 0o777, 0o600);
});

test("unfinished state files of a killed process are removed at the next start", async (t) => {
  const directory = await writeFolder(t, files);
  const parent = path.dirname(directory);
  const strays = ["state.json", "state.json", "state-pages.jsonl"].map((name) => `${name}.${randomUUID()}`);
  const others = ["state.json.mine", `other.json.${randomUUID()}`];
  for (const name of [...strays, ...others]) await writeFile(path.join(parent, name), "half");
  await serve(t, directory, { stateFile: path.join(parent, "state.json") });
  const left = new Set(await readdir(parent));
  // The server may be writing another such file meanwhile.
  assert.deepEqual(
    [...strays, ...others].filter((name) => left.has(name)),
    others,
  );
});

test("a file that is not a state file is not overwritten", async (t) => {
  const directory = await writeFolder(t, files);
  const stateFile = path.join(path.dirname(directory), "state.json");
  await writeFile(stateFile, "precious");
  await assert.rejects(serve(t, directory, { stateFile }), /not a state file/);
  assert.equal(await readFile(stateFile, "utf8"), "precious");
});

function isStatus(status: number): (error: unknown) => boolean {
  return (error) =>
    typeof error === "object" && error !== null && "status" in error && error.status === status;
}

const renewalOf = (refreshToken: string | null) =>
  ({ ...credentials, grant_type: "refresh_token", refresh_token: refreshToken ?? "" }) as const;

test("all access tokens can be expired, and the grants stay", async (t) => {
  const { standIn, signIn } = await serveFiles(t, files);
  const { notion, tokens } = await signIn({ pages: ["A"] });
  await standIn.expireAccessTokens();
  await assert.rejects(notion.users.me({}), isStatus(401));
  assert.equal((await notion.oauth.introspect({ ...credentials, token: tokens.access_token })).active, false);
  const renewed = await notion.oauth.token(renewalOf(tokens.refresh_token));
  assert.equal((await sdk(standIn, renewed.access_token).search({})).results.length, 1);
});

test("withdrawing a grant ends both its tokens", async (t) => {
  const { standIn, signIn } = await serveFiles(t, files);
  const { notion, tokens } = await signIn();
  await standIn.withdraw(tokens.bot_id);
  await assert.rejects(notion.users.me({}), isStatus(401));
  await assert.rejects(notion.oauth.token(renewalOf(tokens.refresh_token)), isStatus(400));
  await (await signIn()).notion.users.me({});
});
