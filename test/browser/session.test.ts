import assert from "node:assert/strict";
import { before, describe, type TestContext, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { call } from "../support/call.ts";
import { createToken, signIn as signInWithoutBrowser } from "../support/session.ts";
import { stageOf } from "../support/stage.ts";
import { emptyClew, sharedBrowser } from "./shared.ts";
import {
  allow,
  openConsent,
  openSection,
  openSignedIn,
  openSignedOut,
  seeDashboard,
  seeSynced,
  signInLink,
  signOut,
  storedSession,
  storedText,
} from "./steps.ts";

describe("a session in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  /** Signs in at a small Clew and waits for the first sync. Requests can be made to fail. */
  async function signedIn(t: TestContext) {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const visitor = await visit(stage, browser);
    visitor.expectedFaults.push(/^Failed to load resource/);
    await visitor.page.clock.install();
    await openSignedIn(visitor.page, url);
    await seeSynced(visitor.page);
    return { url, ...visitor };
  }

  /** The requests to Clew from now on, by method and path. */
  function requestsOf(page: Page): string[] {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    return asked;
  }

  /** Replaces the access token by one that Clew refuses, as if it had expired. */
  async function outliveAccessToken(page: Page): Promise<void> {
    await page.evaluate(`{
      const key = Object.keys(localStorage).find((name) => name.startsWith("clew.session:"));
      localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), access: "old" }));
    }`);
  }

  const renewal = "POST /api/auth/refresh/";

  async function expectSessionIsOver(url: URL, { access, refresh }: { access: string; refresh: string }) {
    const validation = await call(url, "api/auth/validate/", { token: access });
    const renewal = await call(url, "api/auth/refresh/", { method: "POST", body: { refresh } });
    assert.deepEqual([validation.status, renewal.status], [401, 401]);
  }

  test("SESS-4: signing out ends the session at Clew and in every tab, which send no further requests", async (t) => {
    const { page, context, url } = await signedIn(t);
    const other = await context.newPage();
    await other.goto(`${url}dashboard/activity`);
    await other.getByText("This browser").waitFor();
    const session = await storedSession(page);
    assert.ok(session);
    await signOut(page);
    await signInLink(page).waitFor();
    await page.getByRole("status").getByText("You are signed out.").waitFor({ state: "attached" });
    await other.getByRole("alert").getByText("You’ve been signed out.").waitFor();
    await expectSessionIsOver(url, session);
    assert.equal(await storedSession(page), null);
    for (const tab of [page, other]) {
      assert.equal(await tab.getByText("Librarian").count(), 0);
      assert.doesNotMatch(await storedText(tab), /eyJ/);
    }
    const asked = [page, other].map(requestsOf);
    await page.clock.runFor(120_000);
    assert.deepEqual(asked, [[], []]);
  });

  test("SESS-3: one sign-in serves all tabs and a restart of the browser", async (t) => {
    const { page, context, url } = await signedIn(t);
    const tab = await context.newPage();
    await tab.goto(`${url}dashboard/workspaces`);
    await seeSynced(tab);
    // The files that a browser keeps on the disk after it ends.
    const stage = await stageOf(t);
    const kept = await context.storageState();
    const restarted = await visit(stage, browser, { storageState: kept });
    await restarted.page.goto(`${url}dashboard/workspaces`);
    await seeSynced(restarted.page);
    await signOut(page);
    await tab.getByRole("alert").getByText("You’ve been signed out.").waitFor();
  });

  test("SIGN-3: a sign-in in one tab opens the tabs that are signed out", async (t) => {
    const { page, context, url } = await signedIn(t);
    await signOut(page);
    await signInLink(page).waitFor();
    const other = await context.newPage();
    await openSignedOut(other, url);
    await openConsent(other);
    await allow(other);
    await seeDashboard(page);
  });

  test("SESS-3: an expired access token is renewed once for all waiting requests of all tabs", async (t) => {
    const { page, context, url } = await signedIn(t);
    const second = await context.newPage();
    await second.goto(`${url}dashboard/workspaces`);
    await seeSynced(second);
    const tabs = [page, second];
    await outliveAccessToken(page);
    const asked = tabs.map(requestsOf);
    await Promise.all(tabs.map((tab) => tab.reload()));
    for (const tab of tabs) await seeSynced(tab);
    assert.deepEqual(
      asked.flat().filter((request) => request === renewal),
      [renewal],
    );
  });

  test("SESS-3: a renewal that fails without a refusal does not sign the person out, and is tried again", async (t) => {
    const { page } = await signedIn(t);
    await outliveAccessToken(page);
    await page.route("**/api/auth/refresh/", (route) =>
      route.fulfill({ status: 503, contentType: "text/html", body: "<h1>Service Unavailable</h1>" }),
    );
    await page.reload();
    const alert = page.getByRole("alert").filter({ hasText: "Clew can’t be reached." });
    await alert.waitFor();
    assert.equal(await alert.count(), 1);
    await page.unrouteAll();
    await page.clock.runFor(10_000);
    await seeSynced(page);
    await alert.waitFor({ state: "detached" });
  });

  test("SESS-4: a session that was ended elsewhere leads to the sign-in with an explanation", async (t) => {
    const { page, url } = await signedIn(t);
    const session = await storedSession(page);
    assert.ok(session);
    const { access: token, refresh } = session;
    await call(url, "api/auth/logout/", { method: "POST", token, body: { refresh } });
    // The page notices at its next poll.
    await page.clock.runFor(31_000);
    await page.getByRole("alert").getByText("You’ve been signed out.").waitFor();
    await signInLink(page).waitFor();
    assert.equal(await storedSession(page), null);
    assert.equal(await page.getByRole("button", { name: /^Account/ }).count(), 0);
  });

  test("SESS-4: after a failed sign-out the person is still signed in, sees the failure, and can try again", async (t) => {
    const { page, context, url } = await signedIn(t);
    const session = await storedSession(page);
    assert.ok(session);
    await context.setOffline(true);
    await signOut(page);
    await page.getByRole("alert").getByText("You are still signed in. Clew can’t be reached.").waitFor();
    await context.setOffline(false);
    await signOut(page);
    await signInLink(page).waitFor();
    await expectSessionIsOver(url, session);
  });

  test("GRAPH-1: one notice says that Clew cannot be reached, and goes when it can", async (t) => {
    const { page, context } = await signedIn(t);
    await context.setOffline(true);
    await page.clock.runFor(31_000);
    const alert = page.getByRole("alert").filter({ hasText: "Clew can’t be reached." });
    await alert.waitFor();
    await openSection(page, "Tokens");
    await openSection(page, "Workspaces");
    await page.getByRole("heading", { name: "Labyrinth" }).waitFor();
    assert.equal(await page.getByRole("alert").count(), 1);
    await context.setOffline(false);
    await page.clock.runFor(5_000);
    await alert.waitFor({ state: "detached" });
  });

  test("SESS-8: the sessions are listed, and one or all others can be ended", async (t) => {
    const { page, url } = await signedIn(t);
    const elsewhere = await Promise.all([1, 2, 3].map(() => signInWithoutBrowser(url)));
    await fetch(new URL("api/auth/refresh/", url), {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "a-script/1.0" },
      body: JSON.stringify({ refresh: elsewhere[0]?.refresh }),
    });
    await openSection(page, "Activity");
    const sessions = page.getByRole("region", { name: "Where you are signed in" });
    const items = sessions.getByRole("listitem");
    await items.nth(3).waitFor();
    assert.equal(await items.count(), 4);
    assert.match(await items.filter({ hasText: "This browser" }).innerText(), /^Chrome on Linux/);
    await items.getByText(/^Signed in .+ from 127\.0\.0\.1, last active /).waitFor();
    await items.getByText(/^Also used .+ from 127\.0\.0\.1, a-script$/).waitFor();
    const ended = async () => {
      const all = elsewhere.map(({ access: token }) => call(url, "api/auth/validate/", { token }));
      return (await Promise.all(all)).filter(({ status }) => status === 401).length;
    };
    await sessions.getByRole("button", { name: "Sign out node" }).first().click();
    await items.nth(3).waitFor({ state: "detached" });
    assert.equal(await ended(), 1);
    await sessions.getByRole("button", { name: "Sign out everywhere else" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign out everywhere else?" });
    await dialog.getByRole("button", { name: "Sign out everywhere else" }).click();
    await items.nth(1).waitFor({ state: "detached" });
    assert.equal(await ended(), 3);
    await items.getByText("This browser").waitFor();
  });

  test("TOK-12: the activity shows sign-ins, tokens and refused uses, latest first", async (t) => {
    const { page, url } = await signedIn(t);
    const session = await storedSession(page);
    assert.ok(session);
    const { id, token } = await createToken(url, session, "reading agent");
    await call(url, `api/tokens/${id}/`, { method: "DELETE", token: session.access });
    assert.equal((await call(url, "api/v1/token/", { token })).status, 401);
    await openSection(page, "Activity");
    const table = page.getByRole("table", { name: "What happened" });
    await table.getByText("Token refused").waitFor();
    const events = () => table.getByRole("row").locator("td:nth-child(2) > span:first-child").allInnerTexts();
    assert.deepEqual(await events(), ["Token refused", "Token revoked", "Token created", "Signed in"]);
    await table.getByText("it was revoked").waitFor();
    await page.getByLabel("Show").selectOption("Refused uses");
    await table.getByText("Signed in").waitFor({ state: "detached" });
    assert.deepEqual(await events(), ["Token refused"]);
    await table.getByRole("link", { name: "reading agent" }).click();
    await page.getByRole("heading", { level: 1, name: "reading agent" }).waitFor();
  });
});
