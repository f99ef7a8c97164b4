import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, noBrowser, visit } from "../support/browser.ts";
import { call } from "../support/call.ts";
import { stageOf } from "../support/stage.ts";
import { startSmallClew } from "./small-clew.ts";
import { seeDashboard, seeSynced, signIn, signInLink, storedSession, storedText } from "./steps.ts";

describe("a session in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  /** Signs in at a small Clew and waits for the first sync. Requests can be made to fail. */
  async function signedIn(t: TestContext) {
    const stage = await stageOf(t);
    const url = await startSmallClew(stage);
    const visitor = await visit(stage, browser);
    visitor.expectedFaults.push(/^Failed to load resource/);
    await visitor.page.clock.install();
    await signIn(visitor.page, url);
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
      const session = JSON.parse(sessionStorage.getItem("clew.session"));
      sessionStorage.setItem("clew.session", JSON.stringify({ ...session, access: "old" }));
    }`);
  }

  async function expectSessionIsOver(url: URL, { access, refresh }: { access: string; refresh: string }) {
    const validation = await call(url, "api/auth/validate/", { token: access });
    const renewal = await call(url, "api/auth/refresh/", { method: "POST", body: { refresh } });
    assert.deepEqual([validation.status, renewal.status], [401, 401]);
  }

  test("SESS-4: signing out ends the session at Clew and on the page, which sends no further requests", async (t) => {
    const { page, url } = await signedIn(t);
    const session = await storedSession(page);
    assert.ok(session);
    await page.getByRole("button", { name: "Sign out" }).click();
    await signInLink(page).waitFor();
    await page.getByRole("status").getByText("You are signed out.").waitFor({ state: "attached" });
    assert.equal(await page.getByText("Librarian").count(), 0);
    await expectSessionIsOver(url, session);
    assert.equal(await storedSession(page), null);
    assert.doesNotMatch(await storedText(page), /eyJ/);
    const asked = requestsOf(page);
    await page.clock.runFor(120_000);
    assert.deepEqual(asked, []);
  });

  test("SESS-3: an expired access token is renewed once for all waiting requests", async (t) => {
    const { page } = await signedIn(t);
    const asked = requestsOf(page);
    let refused = 0;
    // Both lists of the page are refused before either of them requests a new token.
    const { promise: bothRefused, resolve } = Promise.withResolvers<void>();
    for (const path of ["**/api/tokens/?*", "**/api/provider-graph/workspaces/"]) {
      await page.route(
        path,
        async (route) => {
          refused += 1;
          if (refused === 2) resolve();
          await bothRefused;
          await route.fulfill({ status: 401, contentType: "application/problem+json", body: "{}" });
        },
        { times: 1 },
      );
    }
    await page.reload();
    await seeSynced(page);
    await page.getByText("No token yet.").waitFor();
    assert.deepEqual(
      asked.filter((request) => request === "POST /api/auth/refresh/"),
      ["POST /api/auth/refresh/"],
    );
  });

  test("SESS-3: two tabs of one session renew at the same time, and both stay signed in", async (t) => {
    const { page: first } = await signedIn(t);
    const opened = first.waitForEvent("popup");
    await first.evaluate("void open(location.href)");
    const second = await opened;
    await seeSynced(second);
    const tabs = [first, second];
    for (const page of tabs) await outliveAccessToken(page);
    const asked = tabs.map(requestsOf);
    await Promise.all(tabs.map((page) => page.reload()));
    for (const page of tabs) await seeSynced(page);
    for (const requests of asked) assert.ok(requests.includes("POST /api/auth/refresh/"));
  });

  test("SESS-3: a renewal that fails without a refusal does not sign the person out", async (t) => {
    const { page } = await signedIn(t);
    await outliveAccessToken(page);
    await page.route("**/api/auth/refresh/", (route) =>
      route.fulfill({ status: 503, contentType: "text/html", body: "<h1>Service Unavailable</h1>" }),
    );
    await page.reload();
    const alert = page.getByRole("alert").filter({ hasText: "Clew did not answer as expected (503)." });
    await alert.waitFor();
    await page.unrouteAll();
    await alert.getByRole("button", { name: "Try again" }).click();
    await seeDashboard(page);
  });

  test("SESS-4: a session that was ended elsewhere leads to the sign-in with an explanation", async (t) => {
    const { page, url } = await signedIn(t);
    const session = await storedSession(page);
    assert.ok(session);
    const { access: token, refresh } = session;
    await call(url, "api/auth/logout/", { method: "POST", token, body: { refresh } });
    // The page notices at its next poll.
    await page.clock.runFor(31_000);
    await page.getByRole("alert").getByText("Your session is over.").waitFor();
    await signInLink(page).waitFor();
    assert.equal(await storedSession(page), null);
    assert.equal(await page.getByRole("button", { name: "Sign out" }).count(), 0);
  });

  test("SESS-4: after a failed sign-out the person is still signed in, sees the failure, and can try again", async (t) => {
    const { page, context, url } = await signedIn(t);
    const session = await storedSession(page);
    assert.ok(session);
    await context.setOffline(true);
    await page.getByRole("button", { name: "Sign out" }).click();
    const alert = page
      .getByRole("alert")
      .filter({ hasText: "You are still signed in. Clew cannot be reached." });
    await alert.waitFor();
    await context.setOffline(false);
    await alert.getByRole("button", { name: "Sign out" }).click();
    await signInLink(page).waitFor();
    await expectSessionIsOver(url, session);
  });

  test("GRAPH-1: the page says when it cannot follow the sync, and continues when it can", async (t) => {
    const { page, context } = await signedIn(t);
    await context.setOffline(true);
    await page.clock.runFor(31_000);
    const alert = page.getByRole("alert").filter({ hasText: "Clew cannot be reached." });
    await alert.waitFor();
    await page.getByRole("heading", { name: "Labyrinth" }).waitFor();
    await context.setOffline(false);
    await page.clock.runFor(5_000);
    await alert.waitFor({ state: "detached" });
  });
});
