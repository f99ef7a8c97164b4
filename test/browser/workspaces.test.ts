import assert from "node:assert/strict";
import { before, describe, type TestContext, test } from "node:test";
import type { Browser, Page, Request, Route } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { call } from "../support/call.ts";
import { type Notion, settingsFor, startNotion } from "../support/notion.ts";
import { recordTo } from "../support/recording-proxy.ts";
import { startRunning } from "../support/running-clew.ts";
import { createToken } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { stageOf } from "../support/stage.ts";
import { examine } from "./examine.ts";
import { emptyClew, sharedBrowser } from "./shared.ts";
import { startSmallClewWithNotion, textCalls } from "./small-clew.ts";
import {
  allow,
  openAccountMenu,
  openConsent,
  openSection,
  openSignedIn,
  openSignedOut,
  seeSynced,
  signInLink,
  signOut,
  stopTime,
  storedSession,
} from "./steps.ts";

const problem = { contentType: "application/problem+json", body: '{"detail":""}' };
const streams = "**/api/provider-graph/workspaces/*/events";

describe("workspaces in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  /** Signs in at a small Clew. The provider can be made to fail before the first sync. */
  async function signedIn(t: TestContext, prepare: (notion: Notion) => void = () => {}) {
    const stage = await stageOf(t);
    const { url, notion } = await startSmallClewWithNotion(stage);
    prepare(notion);
    const visitor = await visit(stage, browser);
    await openSignedIn(visitor.page, url);
    await seeSynced(visitor.page);
    return { url, notion, ...visitor };
  }

  /** Signs in at a Clew whose first sync reads no text before `readOn`. The test controls the page's clock. */
  async function syncing(t: TestContext) {
    const stage = await stageOf(t);
    const { promise: mayBeRead, resolve: readOn } = Promise.withResolvers<void>();
    const notion = await startNotion(stage, await writeSmallWorkspace(stage));
    const provider = await recordTo(notion.url, (path) =>
      path.startsWith("/v1/pages/") ? mayBeRead : Promise.resolve(),
    );
    stage.defer(() => provider.close());
    const clew = await startRunning({ env: settingsFor(notion, provider.url) });
    stage.defer(async () => {
      readOn();
      await clew.stop();
    });
    const visitor = await visit(stage, browser);
    visitor.expectedFaults.push(/^Failed to load resource/);
    await visitor.page.clock.install();
    return { url: clew.url, readOn, ...visitor };
  }

  /** Advances the stopped clock by milliseconds until something has happened: enough to render, too little to poll. */
  async function renderUntil(page: Page, until: Promise<unknown>): Promise<void> {
    let isOver = false;
    const ended = until.finally(() => {
      isOver = true;
    });
    for (let ms = 0; ms < 900 && !isOver; ms += 1) await page.clock.runFor(1);
    await ended;
  }

  /** Advances the page's clock until something has happened. */
  async function passTime(page: Page, until: Promise<unknown> | undefined): Promise<void> {
    let isOver = false;
    const ended = Promise.resolve(until).finally(() => {
      isOver = true;
    });
    while (!isOver) await page.clock.runFor(1_000);
    await ended;
  }

  /** Answers the page's first requests for a stream with these, in order. Resolves as the requests openSignedIn. */
  function answering(page: Page, answers: readonly ((route: Route) => Promise<void>)[]): Promise<Request>[] {
    const asked = answers.map(() => Promise.withResolvers<Request>());
    let count = 0;
    void page.route(streams, async (route) => {
      const turn = count;
      count += 1;
      asked[turn]?.resolve(route.request());
      await (answers[turn] ?? ((last: Route) => last.continue()))(route);
    });
    return asked.map(({ promise }) => promise);
  }

  const reading = (page: Page) => page.getByRole("progressbar", { name: "Reading pages" }).waitFor();
  const syncNow = (page: Page) => page.getByRole("button", { name: "Sync now" });
  const workspaceId = async (url: URL, token: string) =>
    (await call<{ workspaces: { id: string }[] }>(url, "api/auth/me/", { token })).body.workspaces[0]?.id;

  test("a person who shared no pages sees this, and how to choose some", async (t) => {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const { page } = await visit(stage, browser);
    await openSignedOut(page, url);
    await openConsent(page);
    const ticked = page.getByRole("checkbox", { checked: true });
    while ((await ticked.count()) > 0) await ticked.first().uncheck();
    await allow(page);
    await page.getByText("Clew has read no page yet.").waitFor();
    await page.getByRole("link", { name: "Open Workspaces" }).click();
    await page.getByText("You shared no pages").waitFor();
    await page.getByText("Nothing shared").waitFor();
    assert.equal(await page.getByText("0 pages").count(), 0);
    await page.getByRole("link", { name: "Choose pages to share" }).click();
    await allow(page);
    await openSection(page, "Workspaces");
    await page.getByText(/^3 pages, /).waitFor();
    await seeSynced(page);
  });

  test("SYNC-2: a search during the first sync says that pages are missing, and shows them when they come", async (t) => {
    const { page, url, readOn } = await syncing(t);
    await openSignedOut(page, url);
    await openConsent(page);
    await allow(page);
    await reading(page);
    await page.getByLabel("Search pages").fill("bull");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No page matches “bull”" }).waitFor();
    await page.getByText("Clew is still reading Labyrinth.").waitFor();
    readOn();
    await passTime(page, page.getByRole("link", { name: "Minotaur" }).waitFor());
  });

  test("SYNC-2: during the first sync the graph shows how far it is and opens what is known, then a path", async (t) => {
    const { page, url, readOn } = await syncing(t);
    await openSignedOut(page, url);
    await openConsent(page);
    await allow(page);
    await page.getByRole("region", { name: "Reading Labyrinth" }).waitFor();
    await reading(page);
    await page
      .getByRole("region", { name: "Most important pages" })
      .getByRole("link", { name: "Ariadne" })
      .waitFor();
    await page.getByText("Every title is known").waitFor();
    await page.getByRole("link", { name: "Create a token meanwhile" }).waitFor();
    const question = page.getByRole("heading", { name: /^How is .* connected with .*\?$/ });
    assert.equal(await question.count(), 0);
    await examine(page, "first sync");
    readOn();
    await passTime(page, question.waitFor());
    assert.equal(await page.getByRole("region", { name: "Reading Labyrinth" }).count(), 0);
    await page.getByRole("region", { name: "The paths as a picture" }).waitFor();
    await page.getByRole("status").getByText("Labyrinth is synced.").waitFor({ state: "attached" });
  });

  test("GRAPH-19: lists that need links or texts are counted after the first sync, and not before", async (t) => {
    const { page, url, readOn } = await syncing(t);
    await openSignedOut(page, url);
    await openConsent(page);
    await allow(page);
    await reading(page);
    const list = (name: RegExp) => page.getByRole("button", { name });
    await list(/^Stale \d/).waitFor();
    for (const name of [/^Orphaned No link/, /^Unreferenced No page/, /^Broken links They/, /^Empty They/])
      await list(name).waitFor();
    readOn();
    await passTime(page, list(/^Orphaned 0/).waitFor());
    for (const name of [/^Unreferenced \d/, /^Broken links \d/, /^Empty \d/])
      await passTime(page, list(name).waitFor());
  });

  test("SYNC-2: a list that is opened during the first sync is that of all pages and links once it has ended", async (t) => {
    const { page, url, readOn } = await syncing(t);
    await openSignedOut(page, url);
    await openConsent(page);
    await allow(page);
    await reading(page);
    await page.getByRole("button", { name: /^Orphaned/ }).click();
    await page.getByRole("region", { name: "Results" }).getByRole("link", { name: "Minotaur" }).waitFor();
    readOn();
    await passTime(page, page.getByRole("heading", { name: "No page meets these filters" }).waitFor());
    await page.getByText("That may be good news.").waitFor();
  });

  test("SYNC-2: the progress of a sync is visible until it ends, through a stream without a credential in its URL", async (t) => {
    const { page, url, readOn } = await syncing(t);
    const asked = page.waitForRequest(streams);
    await openSignedIn(page, url);
    await reading(page);
    await page.getByText(/^3 pages, \d+ links?$/).waitFor();
    const request = await asked;
    assert.match(request.headers().authorization ?? "", /^Bearer ./);
    assert.equal(new URL(request.url()).search, "");
    await stopTime(page);
    readOn();
    await renderUntil(page, seeSynced(page));
    await page.getByRole("progressbar").waitFor({ state: "hidden" });
    await page.getByRole("status").getByText("Labyrinth is synced.").waitFor({ state: "attached" });
  });

  test("GRAPH-15: without a stream the page polls, and tries to open a stream again later", async (t) => {
    const { page, url, readOn } = await syncing(t);
    const refusals = answering(page, [
      (route) => route.abort("connectionreset"),
      (route) => route.fulfill({ ...problem, status: 429 }),
    ]);
    await openSignedIn(page, url);
    await reading(page);
    await passTime(page, refusals[1]);
    let isAskedAgain = false;
    await page.route(streams, (route) => {
      isAskedAgain = true;
      return route.continue();
    });
    await page.clock.runFor(30_000);
    assert.ok(!isAskedAgain);
    readOn();
    await passTime(page, seeSynced(page));
  });

  test("GRAPH-15: a stream that ended is resumed at its last event, with a new access token", async (t) => {
    const { page, url, readOn } = await syncing(t);
    const progress = { state: "running", phase: null, done: 0, total: null, failed: [], failed_total: 0 };
    const sync = { ...progress, started_at: null, finished_at: null, error: null, waiting_until: null };
    const event = `id: 7\nevent: progress\ndata: ${JSON.stringify({ sync, report: null })}\n\n`;
    const opened = answering(page, [
      (route) =>
        route.fulfill({ contentType: "text/event-stream", body: `retry: 3000\n\n: here\n\n${event}` }),
      (route) => route.fulfill({ ...problem, status: 401 }),
      (route) => route.continue(),
    ]);
    const renewed = page.waitForRequest("**/api/auth/refresh/");
    // The graph is open, and stays: each view has a stream of its own.
    await openSignedOut(page, url);
    await openConsent(page);
    await allow(page);
    await passTime(page, opened[2]);
    await renewed;
    const requests = await Promise.all(opened);
    assert.deepEqual(
      requests.map((request) => request.headers()["last-event-id"]),
      [undefined, "7", "7"],
    );
    await reading(page);
    await stopTime(page);
    readOn();
    await renderUntil(page, page.getByRole("progressbar").waitFor({ state: "detached" }));
    await openSection(page, "Workspaces");
    await seeSynced(page);
  });

  test("SESS-4: signing out ends the stream", async (t) => {
    const { page, url } = await syncing(t);
    await openSignedIn(page, url);
    await reading(page);
    const ended = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/events"));
    await signOut(page);
    await signInLink(page).waitFor();
    await ended;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.clock.runFor(120_000);
    assert.deepEqual(asked, []);
    assert.equal(await page.getByRole("alert").count(), 0);
  });

  test("SYNC-4: the page shows until when a sync waits for the provider's limit", async (t) => {
    const { page, notion } = await signedIn(t, ({ faults }) => {
      faults.set([{ on: textCalls, fault: { kind: "error", code: "validation_error" }, times: 2 }]);
    });
    await page.setViewportSize({ width: 360, height: 740 });
    const fault = { kind: "error", code: "rate_limited", retryAfter: 300 } as const;
    notion.faults.set([{ on: textCalls, fault }]);
    await syncNow(page).focus();
    await page.keyboard.press("Enter");
    await page.getByText(/^Waiting for the provider’s limit until \d\d:\d\d$/).waitFor();
    await page.getByText("Reading pages: 0 of 2").waitFor();
    await page.getByText("Waiting", { exact: true }).waitFor();
    await reading(page);
    assert.equal(await syncNow(page).getAttribute("aria-disabled"), "true");
    assert.ok(await syncNow(page).evaluate((button) => button === button.ownerDocument.activeElement));
  });

  test("SYNC-5: pages that could not be read are listed with the reason, until a sync has read them", async (t) => {
    const { page, notion } = await signedIn(t, ({ workspace, faults }) => {
      const minotaur = [...workspace().entries.values()].find(({ title }) => title === "Minotaur");
      assert.ok(minotaur);
      faults.set([{ on: textCalls, id: minotaur.id, fault: { kind: "error", code: "validation_error" } }]);
    });
    const report = page.getByRole("group").filter({ hasText: "Sync report" });
    await page.getByText("Not complete", { exact: true }).waitFor();
    await report.getByText("Sync report").click();
    await report.getByText("Not complete yet.").waitFor();
    await report.getByText("1 page could not be read.").waitFor();
    await report.getByRole("listitem").getByText("The provider answered 400").waitFor();
    const link = report.getByRole("link", { name: "Minotaur" });
    assert.match((await link.getAttribute("href")) ?? "", /^https:/);
    await report.getByText(/^First full sync, ended .+ 2 pages read\.$/).waitFor();

    notion.faults.clear();
    await syncNow(page).click();
    await report.getByText("Complete: everything you share was read.").waitFor();
    await report.getByText(/ 1 page read\.$/).waitFor();
    await link.waitFor({ state: "detached" });
    await page.getByText("Not complete", { exact: true }).waitFor({ state: "detached" });
  });

  test("SYNC-8: a withdrawn grant is explained, also after an attempt to sync, with a button to connect again", async (t) => {
    const { page, url, notion, expectedFaults } = await signedIn(t);
    expectedFaults.push(/Failed to load resource.*409/);
    await page.clock.install();
    await stopTime(page);
    notion.faults.set([{ on: "*", fault: { kind: "withdrawn" } }]);
    const token = (await storedSession(page))?.access ?? "";
    const path = `api/provider-graph/workspaces/${await workspaceId(url, token)}/sync/`;
    // The page is not notified.
    while ((await call(url, path, { method: "POST", token })).status !== 409) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await syncNow(page).click();
    const alert = page.getByRole("alert").getByText("Couldn’t start the sync.");
    await renderUntil(page, alert.waitFor());
    await page.clock.resume();
    await page.getByText("The provider has withdrawn Clew’s access.").waitFor();
    await page.getByText("Needs reconnecting").waitFor();
    assert.equal(await syncNow(page).count(), 0);
    notion.faults.clear();
    await page.getByRole("link", { name: "Reconnect" }).click();
    await allow(page);
    await openSection(page, "Workspaces");
    await syncNow(page).waitFor();
  });

  test("GRAPH-15: a workspace is disconnected after its name is typed, and its tokens are revoked", async (t) => {
    const { page, context, url, expectedFaults } = await signedIn(t);
    expectedFaults.push(/Failed to load resource/);
    const session = await storedSession(page);
    assert.ok(session);
    const { token: raw } = await createToken(url, session, "reading agent");
    const disconnect = page.getByRole("button", { name: "Disconnect… Labyrinth" });
    await disconnect.click();
    const dialog = page.getByRole("dialog", { name: "Disconnect “Labyrinth”?" });
    await dialog.getByText(/deletes what it has read of 3 pages/).waitFor();
    const confirm = dialog.getByRole("button", { name: "Disconnect" });
    assert.ok(await confirm.isDisabled());
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal((await call(url, "api/v1/token/", { token: raw })).status, 200);

    await context.setOffline(true);
    await disconnect.click();
    await dialog.getByRole("textbox").fill("labyrinth");
    await confirm.click();
    await dialog.getByRole("alert").getByText("Clew can’t be reached.").waitFor();
    await context.setOffline(false);
    await confirm.click();
    await page.getByText("No workspace connected yet").waitFor();
    assert.equal(await page.locator(":focus").innerText(), "Workspaces");
    const { status, body } = await call(url, "api/v1/token/", { token: raw });
    assert.deepEqual([status, body.code], [401, "token_revoked"]);
    assert.equal(await page.getByRole("article").count(), 0);
    await openSection(page, "Tokens");
    await page.getByText("Connect a workspace first").waitFor();
  });

  test("SESS-9: an account is deleted after the person has typed 'delete', also during a sync", async (t) => {
    const { page, url } = await syncing(t);
    await openSignedIn(page, url);
    await reading(page);
    const session = await storedSession(page);
    assert.ok(session);
    await openAccountMenu(page);
    await page.getByRole("link", { name: "Your account" }).click();
    await page.getByRole("button", { name: "Delete account…" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete your account?" });
    const word = dialog.getByRole("textbox", { name: "Type “delete” to confirm" });
    for (const wrong of ["", "no"]) {
      await word.fill(wrong);
      await page.keyboard.press("Enter");
      assert.ok(await dialog.isVisible(), wrong);
    }
    assert.equal((await call(url, "api/auth/me/", { token: session.access })).status, 200);
    await word.fill("delete");
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await page.getByRole("main").getByText("Your account is deleted").waitFor();
    await signInLink(page).waitFor();
    assert.equal(await storedSession(page), null);
    assert.equal((await call(url, "api/auth/me/", { token: session.access })).status, 401);
    assert.equal(await page.getByRole("alert").count(), 0);
  });
});
