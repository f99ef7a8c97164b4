import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeeperServices, SessionKeeper, SessionOver } from "./keeper.ts";

const url = new URL("https://clew.example/tools/");
const hour = 3600;

/** A token as Clew issues it, but for its signature. */
function jwt(claims: Record<string, unknown>, seconds: number): string {
  const payload = Buffer.from(JSON.stringify({ ...claims, iat: 1000, exp: 1000 + seconds })).toString(
    "base64url",
  );
  return `h.${payload}.s`;
}

const tokens = (sub: string, name: string) => ({
  access: jwt({ sub, name }, 4 * hour),
  refresh: jwt({ sub, name, refresh: true }, 168 * hour),
});

/** A browser whose tabs share its storage and its locks, and a Clew that answers as the test says. */
function openBrowser() {
  const stored = new Map<string, string>();
  const requests: { path: string; body: string; authorization: string | null }[] = [];
  const valid = new Set<string>();
  const clew = {
    now: 0,
    /** Answers a refresh; null refuses it. */
    refresh: (): Response => Response.json({ access: "" }),
  };
  let queue: Promise<unknown> = Promise.resolve();
  const services: KeeperServices = {
    url,
    now: () => clew.now,
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    locks: {
      request: (async (_name: string, work: () => Promise<unknown>) => {
        const turn = queue.then(work);
        queue = turn.catch(() => {});
        return turn;
      }) as LockManager["request"],
    },
    fetch: async (input, init) => {
      const { pathname } = new URL(String(input));
      const authorization = new Headers(init?.headers).get("authorization");
      requests.push({ path: pathname, body: String(init?.body ?? ""), authorization });
      if (pathname.endsWith("/refresh/")) return clew.refresh();
      if (pathname.endsWith("/logout/")) return new Response(null, { status: 204 });
      return new Response(null, { status: valid.has(authorization?.slice(7) ?? "") ? 200 : 401 });
    },
  };
  const renewals = () => requests.filter(({ path }) => path.endsWith("/refresh/")).length;
  return { clew, stored, requests, valid, renewals, openTab: () => new SessionKeeper(services) };
}

test("SESS-3: all tabs of a browser renew an access token once, and then use the new one", async () => {
  const { clew, valid, renewals, openTab } = openBrowser();
  const tabs = [openTab(), openTab(), openTab()];
  tabs[0]?.start(tokens("anna", "first"));
  const next = jwt({ sub: "anna", name: "next" }, 4 * hour);
  valid.add(next);
  clew.refresh = () => Response.json({ access: next });
  const answers = await Promise.all(tabs.flatMap((tab) => [tab.fetch(url), tab.fetch(url)]));
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(6).fill(200),
  );
  assert.equal(renewals(), 1);
  for (const tab of tabs) assert.equal(tab.read()?.access, next);
});

test("SESS-1: an access token is renewed before it ends by this browser's clock, without a refused request", async () => {
  const { clew, valid, requests, renewals, openTab } = openBrowser();
  const tab = openTab();
  // The browser's clock is years slow.
  clew.now = 5_000;
  const session = tokens("anna", "first");
  tab.start(session);
  valid.add(session.access);
  clew.now += 3.9 * hour * 1000;
  assert.equal((await tab.fetch(url)).status, 200);
  assert.equal(renewals(), 0);
  clew.now += 0.1 * hour * 1000;
  const next = jwt({ sub: "anna", name: "next" }, 4 * hour);
  valid.add(next);
  clew.refresh = () => Response.json({ access: next });
  assert.equal((await tab.fetch(url)).status, 200);
  assert.equal(renewals(), 1);
  assert.equal(requests.at(-1)?.authorization, `Bearer ${next}`);
});

test("SESS-3: a refused refresh ends the session in every tab; any other failure keeps it", async () => {
  const { clew, openTab } = openBrowser();
  const [tab, other] = [openTab(), openTab()];
  tab.start(tokens("anna", "first"));
  const ends: unknown[] = [];
  tab.onChange((session, end) => ends.push([session, end]));
  clew.refresh = () => new Response(null, { status: 503 });
  assert.equal((await tab.fetch(url)).status, 503);
  clew.refresh = () => {
    throw new TypeError("no network");
  };
  await assert.rejects(tab.fetch(url), TypeError);
  assert.ok(other.read());
  clew.refresh = () => new Response(null, { status: 401 });
  await assert.rejects(tab.fetch(url), SessionOver);
  assert.equal(other.read(), null);
  assert.deepEqual(ends, [[null, "over"]]);
  await assert.rejects(other.fetch(url), SessionOver);
});

test("SESS-1: after seven days the session is over without a request", async () => {
  const { clew, requests, openTab } = openBrowser();
  const tab = openTab();
  tab.start(tokens("anna", "first"));
  clew.now = 168 * hour * 1000;
  await assert.rejects(tab.fetch(url), SessionOver);
  assert.deepEqual(requests, []);
});

test("SESS-4: an end that the person asked for is reported as such, also if a request notices it first", async () => {
  const { clew, openTab } = openBrowser();
  const tab = openTab();
  tab.start(tokens("anna", "first"));
  const ends: string[] = [];
  tab.onChange((_session, end) => ends.push(end));
  clew.refresh = () => new Response(null, { status: 401 });
  const forget = tab.expectEnd("deleted");
  await assert.rejects(tab.fetch(url), SessionOver);
  tab.end("deleted");
  forget();
  assert.deepEqual(ends, ["deleted"]);
});

test("SESS-8: a new sign-in ends the session that it replaces", async () => {
  const { requests, openTab } = openBrowser();
  const tab = openTab();
  const [first, again, other] = [tokens("anna", "first"), tokens("anna", "again"), tokens("ben", "other")];
  tab.start(first);
  tab.start(first);
  assert.deepEqual(requests, []);
  tab.start(again);
  // Another person's token may not end this session.
  tab.start(other);
  assert.deepEqual(
    requests.map(({ path, body, authorization }) => [path, JSON.parse(body).refresh, authorization]),
    [
      ["/tools/api/auth/logout/", first.refresh, `Bearer ${again.access}`],
      ["/tools/api/auth/logout/", again.refresh, `Bearer ${again.access}`],
    ],
  );
  assert.equal(tab.read()?.userId, "ben");
});
