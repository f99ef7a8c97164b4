import assert from "node:assert/strict";
import { before, describe, type TestContext, test } from "node:test";
import type { SearchResults, SessionList } from "@clew/contract";
import type { Browser } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { call } from "../support/call.ts";
import { makeNotionToken, startNotion } from "../support/notion.ts";
import { signIn as signInWithoutBrowser, waitForSync } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { stageOf } from "../support/stage.ts";
import { emptyClew, sharedBrowser } from "./shared.ts";
import {
  allow,
  openConsent,
  openPage,
  openSection,
  openSignedOut,
  seeDashboard,
  seeSynced,
  signIn,
  signInLink,
  storedSession,
} from "./steps.ts";

describe("signing in with a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  /** A small Clew, and a person with a browser. */
  async function scene(t: TestContext) {
    const stage = await stageOf(t);
    const url = await emptyClew();
    return { url, ...(await visit(stage, browser)) };
  }

  test("SIGN-3: a sign-in ends on the dashboard, and neither address nor history hold a token", async (t) => {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const { page, context } = await visit(stage, browser);
    await signIn(page, url);
    assert.equal(page.url(), `${url}dashboard/workspaces`);
    await page.getByRole("button", { name: "Account: Librarian" }).waitFor();
    const { entries } = await (await context.newCDPSession(page)).send("Page.getNavigationHistory");
    const visited = entries.map((entry) => entry.url);
    assert.ok(visited.length >= 3, "the dashboard, the consent screen, the dashboard");
    for (const address of visited) assert.doesNotMatch(address, /#|token|code=/);
    await page.reload();
    await seeDashboard(page);
  });

  test("SIGN-3: the address bar is clean even where the rest of the page does not load", async (t) => {
    const { url, page, expectedFaults } = await scene(t);
    expectedFaults.push(/Failed to load resource/);
    const loaded: string[] = [];
    await page.route(/\/assets\/.*\.js$/, (route) => {
      if (route.request().url().includes("/arrival-")) return route.continue();
      loaded.push(route.request().url());
      return route.abort();
    });
    await page.goto(`${url}dashboard#access_token=a.b.c&refresh_token=d.e.f`);
    await page.waitForURL(`${url}dashboard`);
    assert.ok(loaded.length > 0);
  });

  test("SIGN-4: a cancelled consent is explained, and trying again works", async (t) => {
    const { url, page } = await scene(t);
    await openSignedOut(page, url);
    await openConsent(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alert").getByText("You cancelled, so nothing was shared.").waitFor();
    assert.equal(page.url(), `${url}dashboard`);
    // Explained once.
    await page.reload();
    await signInLink(page).waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    await openConsent(page);
    await allow(page);
    assert.equal(await page.getByRole("alert").count(), 0);
  });

  test("SIGN-4: a signed-in person who cancels stays signed in, and does not read that a sign-in failed", async (t) => {
    const { url, page } = await scene(t);
    await signIn(page, url);
    await page.getByRole("link", { name: "Share more pages or connect another" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await seeDashboard(page);
    const alert = page.getByRole("alert");
    assert.match(await alert.innerText(), /^You cancelled, so nothing changed. You are still signed in./);
    await alert.getByRole("button", { name: "Close" }).click();
    await alert.waitFor({ state: "detached" });
  });

  test("SIGN-4: a link cannot make the dashboard show text of its choice", async (t) => {
    const { url, page } = await scene(t);
    await page.goto(`${url}dashboard#error=constructor&error_description=Call%20this%20number`);
    await page.getByRole("alert").getByText("The reason is not known.").waitFor();
    assert.equal(await page.getByText("Call this number").count(), 0);
  });

  test("SIGN-3: tokens of another browser's sign-in are not taken from a link", async (t) => {
    const { url, page } = await scene(t);
    const planted = await signInWithoutBrowser(url, { person: "Visitor" });
    const link = `${url}dashboard#access_token=${planted.access}&refresh_token=${planted.refresh}`;
    await page.goto(link);
    await page.getByRole("alert").getByText("from another browser").waitFor();
    assert.equal(page.url(), `${url}dashboard`);
    assert.equal(await storedSession(page), null);
    // Nor do they replace the existing session.
    await openConsent(page);
    await allow(page);
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByRole("alert").getByText("from another browser").waitFor();
    await page.getByRole("button", { name: "Account: Librarian" }).waitFor();
  });

  test("SIGN-2: two tabs of a browser can sign in at the same time", async (t) => {
    const { url, page: first, context } = await scene(t);
    const second = await context.newPage();
    for (const page of [first, second]) {
      await openSignedOut(page, url);
      await openConsent(page);
    }
    // The page of the first tab loads after the sign-in of the second tab has ended too.
    const { promise: secondIsIn, resolve: letFirstArrive } = Promise.withResolvers<void>();
    await first.route("**/dashboard/assets/arrival-*", async (route) => {
      await secondIsIn;
      await route.continue();
    });
    const firstIsIn = allow(first);
    await first.waitForURL(/dashboard/, { waitUntil: "commit" });
    await allow(second);
    letFirstArrive();
    await firstIsIn;
    // The later one serves both tabs, and the other is not left open.
    const { access = "" } = (await storedSession(second)) ?? {};
    assert.equal((await storedSession(first))?.access, access);
    for (const page of [first, second]) {
      await openSection(page, "Activity");
      await page.getByText("This browser").waitFor();
    }
    const { body } = await call<SessionList>(url, "api/auth/sessions/", { token: access });
    assert.equal(body.items.length, 1);
  });

  test("SIGN-3: when another person signs in, every tab shows that person, and nothing of the one before", async (t) => {
    const { url, page, context } = await scene(t);
    await signIn(page, url);
    await page.getByText(/^3 pages, /).waitFor();
    const before = await storedSession(page);
    const other = await context.newPage();
    await other.goto(`${url}api/integrations/auth/provider/`);
    await other.getByRole("radio", { name: "Visitor" }).check();
    const boxes = other.getByRole("checkbox", { checked: true });
    while ((await boxes.filter({ visible: true }).count()) > 1)
      await boxes.filter({ visible: true }).first().uncheck();
    await allow(other);
    for (const tab of [other, page]) {
      await tab.getByRole("button", { name: "Account: Visitor" }).waitFor();
      await openSection(tab, "Workspaces");
      await tab.getByText(/^1 page, /).waitFor();
      assert.equal(await tab.getByText("Librarian").count(), 0);
    }
    const { status } = await call(url, "api/auth/validate/", { token: before?.access ?? "" });
    assert.equal(status, 401);
  });

  test("SIGN-11: the demo workspace is served at Clew's own address, and its pages can be opened", async (t) => {
    const { url, page } = await scene(t);
    await openSignedOut(page, url);
    assert.equal(await signInLink(page).innerText(), "Try the demo workspace");
    await openConsent(page);
    assert(page.url().startsWith(`${url}demo/`), page.url());
    await page.getByText("Anyone who can open this page may sign in as any of these people").waitFor();
    await allow(page);
    const { access = "" } = (await storedSession(page)) ?? {};
    await waitForSync(url, { access });
    const found = await call<SearchResults>(url, "api/provider-graph/search/?q=Theseus", { token: access });
    await page.goto(found.body.items[0]?.node.url ?? "");
    await page.getByRole("heading", { name: "Theseus" }).waitFor();
    await page.getByRole("link", { name: "Ariadne" }).click();
    await page.getByRole("heading", { name: "Ariadne" }).waitFor();
    assert(page.url().startsWith(`${url}demo/pages/`), page.url());
  });

  test("SIGN-11: links from the dashboard open pages of the demo workspace, and without a sign-in they ask for one", async (t) => {
    const { url, page } = await scene(t);
    await signIn(page, url);
    await seeSynced(page);
    await openSection(page, "Graph");
    await openPage(page, "Theseus");
    const opened = page.waitForEvent("popup");
    await page.getByRole("link", { name: /^Open the original/ }).click();
    const original = await opened;
    await original.getByRole("heading", { name: "Theseus" }).waitFor();

    const stranger = await visit(await stageOf(t), browser);
    stranger.expectedFaults.push(/403/);
    await stranger.page.goto(original.url());
    await stranger.page.getByRole("link", { name: "Sign in" }).click();
    await allow(stranger.page);
    await stranger.page.goto(original.url());
    await stranger.page.getByRole("heading", { name: "Theseus" }).waitFor();
  });

  test("SIGN-12: with NOTION_TOKEN the code from the terminal signs in, and a wrong one can be corrected", async (t) => {
    const stage = await stageOf(t);
    const notion = await startNotion(stage, await writeSmallWorkspace(stage));
    const settings = { NOTION_TOKEN: await makeNotionToken(notion), NOTION_API_URL: notion.url };
    const clew = await stage.start(settings);
    const { page } = await visit(stage, browser);
    await openSignedOut(page, clew.url);
    await signInLink(page).click();
    await page.getByLabel("Code").fill("0000");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("That code is wrong").waitFor();
    await page.getByLabel("Code").fill(/^Sign-in code.*: (\S+)$/m.exec(clew.output())?.[1] ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await seeDashboard(page);
    await openSection(page, "Workspaces");
    await page.getByText(/^3 pages, /).waitFor();
  });

  test("SIGN-2: opened at 127.0.0.1, the dashboard leads to localhost, where signing in works", async (t) => {
    const { url, page } = await scene(t);
    await page.goto(`http://127.0.0.1:${url.port}/dashboard`);
    await signInLink(page).waitFor();
    assert.equal(page.url(), `${url}dashboard`);
    await openConsent(page);
    await allow(page);
  });
});
