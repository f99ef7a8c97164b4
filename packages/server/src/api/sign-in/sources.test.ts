import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createNotionProvider } from "@clew/notion";
import type { Provider } from "@clew/provider";
import { createAuthFixture } from "../../auth/testing/auth-fixture.ts";
import type { AllowList } from "../../model/allow-list.ts";
import { onLists } from "../../model/testing/allow-lists.ts";
import { Sources } from "../../providers/sources.ts";
import { listAudit } from "../../store/queries/audit.ts";
import { connectionsOf } from "../../store/queries/connections.ts";
import { findUser } from "../../store/queries/users.ts";
import { serveRoutes } from "../testing/route-server.ts";
import { addSourceRoute } from "./add-source.ts";
import { signInRoutes } from "./routes.ts";
import { type Browser, createBrowser } from "./testing/browser.ts";
import { personId, serveProvider, workspaceId } from "./testing/provider-server.ts";

const publicUrl = new URL("http://localhost:8420");
const root = "/api/integrations/auth";
const callback = `${publicUrl.origin}${root}/provider/callback`;

/** A folder as a source: everyone who begins to open it is its owner. */
function folder(slug: string, { id = `workspace of ${slug}`, asksForCode = false } = {}): Provider {
  const place = new URL(callback);
  return {
    ...createNotionProvider({
      ...{ slug, aliases: [], name: slug, standIn: false, clientId: "none", clientSecret: "none" },
      ...{ apiUrl: place, fetch, clock: Date.now, random: (size) => new Uint8Array(size) },
    }),
    people: "folder",
    folder: slug,
    asksForCode,
    authorizationUrl: ({ state }) => `${callback}?state=${state}&code=pressed`,
    exchange: async () => ({
      ...{ id: slug, accessToken: `folder ${slug}`, refreshToken: null },
      workspace: { id, name: slug, icon: null },
      person: { id: "owner", name: "Owner", email: null, avatarUrl: null },
    }),
    revoke: async () => {},
  };
}

const listedSources: AllowList["sources"] = {
  notion: { people: "notion", isListed: true },
  hub: { people: "folder", isListed: false },
  notes: { people: "folder", isListed: false },
};

async function serve(
  t: TestContext,
  {
    emails = ["reader@example.com"],
    folders = [folder("hub"), folder("notes")],
  }: { readonly emails?: readonly string[]; readonly folders?: readonly Provider[] } = {},
) {
  const fixture = await createAuthFixture(t);
  const allowed = { ...onLists({ emails }), sources: listedSources };
  const { database, sessions } = await fixture.instance(allowed);
  const { secrets, clock } = fixture;
  const provider = await serveProvider(t);
  const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
  const notion = createNotionProvider({
    ...{
      slug: "notion",
      aliases: [],
      name: "Notion",
      standIn: false,
      clientId: "id",
      clientSecret: "secret",
    },
    ...{ apiUrl: provider.apiUrl, fetch, clock, random },
  });
  const sources = new Sources<Provider>(notion, ...folders);
  const config = { publicUrl, dashboardUrl: new URL("/dashboard", publicUrl), allowed };
  const synced: number[] = [];
  const sync = { request: async (id: number) => void synced.push(id) };
  const services = { config, database, secrets, sources, sessions, sync, clock, random };
  const logged: string[] = [];
  const app = await serveRoutes({
    fixture: { ...fixture, config: { allowed }, sessions },
    logged,
    signInQuota: 0,
    routes: async (scope, { limits }) => {
      for (const source of [null, ...sources.all])
        await scope.register((below) => signInRoutes(below, { ...services, limits, source }), {
          prefix: `${root}/${source?.slug ?? "provider"}`,
        });
      await scope.register((below) => addSourceRoute(below, { ...services, limits }), {
        prefix: "/api/auth/sources",
      });
    },
  });
  const tabAt = (name: string) => createBrowser(app, `${root}/${name}`);
  /** Begins to add a source with a session, in a browser. */
  const add = async (tab: Browser, access: string, name: string, headers = {}) => {
    const answer = await app.inject({
      method: "POST",
      url: "/api/auth/sources/",
      payload: { provider: name },
      headers: { authorization: `Bearer ${access}`, ...headers },
    });
    for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
      const [name = "", value = ""] = line.split(/[=;]/);
      tab.cookies.set(name, value);
    }
    return { status: answer.statusCode, url: answer.statusCode === 201 ? new URL(answer.json().url) : null };
  };
  /** Opens a folder, in one press. */
  const open = async (name: string, tab = tabAt(name)) => {
    const { location } = await tab.open("/");
    return tab.open(
      new URL(location).pathname.slice(root.length + "/provider".length) + new URL(location).search,
    );
  };
  const signInAtNotion = async (tab = tabAt("notion")) => tab.finish({ code: "c", state: await tab.begin() });
  const accountOf = async (access = "") => {
    const { userId } = await sessions.verifyAccess(access);
    const connections = await connectionsOf(database.read, userId);
    return { userId, user: await findUser(database.read, userId), connections };
  };
  return { fixture, database, sessions, provider, synced, tabAt, add, open, signInAtNotion, accountOf, app };
}

const sourcesOf = (connections: readonly { readonly provider: string }[]) =>
  connections.map(({ provider }) => provider);

test("SIGN-7, SRC-1: each source signs in its own people, and two folders are one person's", async (t) => {
  const { open, signInAtNotion, accountOf } = await serve(t);
  const notion = await accountOf((await signInAtNotion()).fragment.access_token);
  assert.deepEqual([notion.user?.provider, notion.user?.providerUserId], ["notion", personId]);
  const hub = await accountOf((await open("hub")).fragment.access_token);
  const both = await accountOf((await open("notes")).fragment.access_token);
  assert.deepEqual([hub.user?.provider, hub.user?.providerUserId], ["folder", "owner"]);
  assert.equal(both.userId, hub.userId);
  assert.deepEqual(sourcesOf(both.connections), ["hub", "notes"]);
});

test("SIGN-7: a callback at another source's path signs no one in", async (t) => {
  const { tabAt, accountOf } = await serve(t);
  const tab = tabAt("hub");
  const { location } = await tab.open("/");
  const state = new URL(location).searchParams.get("state") ?? "";
  const elsewhere = createBrowserWith(tabAt("notes"), tab);
  assert.equal((await elsewhere.finish({ code: "pressed", state })).fragment.error, "invalid_state");
  const again = await tab.begin();
  assert.ok(await accountOf((await tab.finish({ code: "pressed", state: again })).fragment.access_token));
});

/** A browser with the cookies of another one. */
function createBrowserWith(tab: Browser, { cookies }: Browser): Browser {
  for (const [name, value] of cookies) tab.cookies.set(name, value);
  return tab;
}

test("SIGN-7: the status of a source is about that alone, and about all of them at `provider`", async (t) => {
  const { tabAt, add, open, signInAtNotion } = await serve(t);
  const { access_token: access = "" } = (await signInAtNotion()).fragment;
  const tab = tabAt("provider");
  const { url } = await add(tab, access, "hub");
  await tab.open(`/callback${url?.search}`);
  const status = async (name: string) =>
    JSON.parse((await tabAt(name).open("/status", { authorization: `Bearer ${access}` })).text);
  const all = await status("provider");
  assert.equal(all.provider, "notion");
  assert.deepEqual(sourcesOf(all.sources), ["notion", "hub", "notes"]);
  assert.deepEqual(sourcesOf(all.workspaces), ["notion", "hub"]);
  const hub = await status("hub");
  assert.deepEqual([hub.provider, hub.folder, hub.stand_in], ["hub", "hub", false]);
  assert.deepEqual([sourcesOf(hub.sources), sourcesOf(hub.workspaces)], [["hub"], ["hub"]]);
  assert.deepEqual((await status("notes")).workspaces, []);
  await open("hub");
});

test("SIGN-5: a source that is connected while signed in is added to that account, and nothing is doubled", async (t) => {
  const { database, tabAt, add, open, signInAtNotion, accountOf, synced } = await serve(t);
  const { access_token: access = "" } = (await signInAtNotion()).fragment;
  for (let round = 0; round < 2; round += 1) {
    const tab = tabAt("provider");
    const { status, url } = await add(tab, access, "hub");
    assert.equal(status, 201);
    const done = await tab.open(`/callback${url?.search}`);
    assert.deepEqual(done.fragment, { added: "workspace of hub" }, "no tokens: the session goes on");
  }
  const { userId, connections, user } = await accountOf(access);
  assert.deepEqual(sourcesOf(connections), ["notion", "hub"]);
  assert.equal(synced.at(-1), connections.at(-1)?.id);
  assert.equal(user?.name, "A reader", "the account keeps its name");
  const events = (await listAudit(database.read, userId, { limit: 9 })).map(({ event }) => event);
  assert.deepEqual(events, ["workspace_connected", "workspace_connected", "signed_in"]);
  // A person who opens the folder by itself has an account of their own.
  const alone = await accountOf((await open("hub")).fragment.access_token);
  assert.notEqual(alone.userId, userId);
  assert.deepEqual(sourcesOf(alone.connections), ["hub"]);
});

test("SIGN-5: nobody else's browser can come back with what a session has begun", async (t) => {
  const { tabAt, add, signInAtNotion, accountOf, sessions, fixture } = await serve(t);
  const { access_token: access = "" } = (await signInAtNotion()).fragment;
  const tab = tabAt("provider");
  const { url } = await add(tab, access, "hub");
  const victim = await tabAt("provider").open(`/callback${url?.search}`);
  assert.equal(victim.fragment.error, "invalid_state");
  assert.deepEqual(sourcesOf((await accountOf(access)).connections), ["notion"]);
  assert.equal((await add(tabAt("provider"), access, "hub", { origin: "https://evil.example" })).status, 403);
  assert.equal((await add(tabAt("provider"), "svc_x", "hub")).status, 401);
  assert.equal((await add(tabAt("provider"), access, "elsewhere")).status, 404);
  // A session that has ended meanwhile gets nothing.
  const { userId, sessionId } = await sessions.verifyAccess(access);
  await fixture.database.transaction((trx) =>
    trx.updateTable("sessions").set({ ended_at: fixture.clock() }).where("id", "=", sessionId).execute(),
  );
  assert.equal((await tab.open(`/callback${url?.search}`)).fragment.error, "invalid_state");
  assert.deepEqual(sourcesOf(await connectionsOf(fixture.database.read, userId)), ["notion"]);
});

test("SIGN-10: the lists are about Notion, and not about a folder, whose person the operator lets in", async (t) => {
  const { tabAt, add, open, signInAtNotion, accountOf, provider, sessions } = await serve(t, {
    emails: ["someone@else.example"],
  });
  assert.equal((await signInAtNotion()).fragment.error, "not_allowed");
  const { access_token: access = "" } = (await open("hub")).fragment;
  assert.deepEqual(sourcesOf((await accountOf(access)).connections), ["hub"]);
  // Nor does the folder's person bring in a workspace of Notion for which nobody on the lists has signed.
  const tab = tabAt("provider");
  const { url } = await add(tab, access, "notion");
  const back = await tab.finish({ code: "c", state: url?.searchParams.get("state") ?? "" });
  assert.equal(back.fragment.error, "not_allowed");
  assert.equal(provider.revoked.length, 2);
  assert.deepEqual(sourcesOf((await sessions.verifyAccess(access)).connections), ["hub"]);
});

test("SIGN-10: a workspace that a folder's person has added is judged by the person who granted it", async (t) => {
  const { tabAt, add, open, accountOf, sessions, fixture } = await serve(t);
  const { access_token: access = "" } = (await open("hub")).fragment;
  const tab = tabAt("provider");
  const { url } = await add(tab, access, "notion");
  const back = await tab.finish({ code: "c", state: url?.searchParams.get("state") ?? "" });
  assert.deepEqual(back.fragment, { added: workspaceId });
  const { connections } = await accountOf(access);
  assert.deepEqual(
    connections.map(({ provider, grantedEmail }) => [provider, grantedEmail]),
    [
      ["hub", null],
      ["notion", "reader@example.com"],
    ],
  );
  assert.deepEqual(sourcesOf((await sessions.verifyAccess(access)).connections), ["hub", "notion"]);
  const others = await fixture.instance({ ...onLists({ emails: ["@b.example"] }), sources: listedSources });
  assert.deepEqual(sourcesOf((await others.sessions.verifyAccess(access)).connections), ["hub"]);
});

test("SIGN-11: connections to a source that is not served any more are not used", async (t) => {
  const { open, fixture } = await serve(t);
  await open("hub");
  const { access_token: access = "" } = (await open("notes")).fragment;
  const { hub, ...others } = listedSources;
  assert.ok(hub);
  const later = await fixture.instance({ ...onLists({}), sources: others });
  assert.deepEqual(sourcesOf((await later.sessions.verifyAccess(access)).connections), ["notes"]);
  const notion = await fixture.instance({ ...onLists({}), sources: { notion: listedSources.notion ?? hub } });
  await assert.rejects(notion.sessions.verifyAccess(access), { code: "token_invalid" });
});

test("SRC-2: a folder takes no connection of another source over, whatever id it gives itself", async (t) => {
  const { tabAt, add, signInAtNotion, accountOf } = await serve(t, {
    folders: [folder("hub", { id: workspaceId })],
  });
  const { access_token: access = "" } = (await signInAtNotion()).fragment;
  const tab = tabAt("provider");
  const { url } = await add(tab, access, "hub");
  assert.equal((await tab.open(`/callback${url?.search}`)).fragment.error, "exchange_failed");
  assert.deepEqual(sourcesOf((await accountOf(access)).connections), ["notion"]);
});

test("SRC-2: a link on another site opens no folder", async (t) => {
  const { tabAt } = await serve(t);
  const tab = tabAt("hub");
  const { location } = await tab.open("/", { "sec-fetch-site": "cross-site" });
  assert.equal(location, "http://localhost:8420/dashboard");
  assert.equal(tab.cookies.size, 0);
  const pressed = await tab.open("/", { "sec-fetch-site": "same-origin" });
  assert.match(pressed.location, /\/callback\?state=/);
});
