import assert from "node:assert/strict";
import { before, describe, type TestContext, test } from "node:test";
import type { AppToken, ServiceToken } from "@clew/contract";
import type { Browser, Locator, Page } from "playwright-core";
import { post, statusWith, tokensOf, validExchange } from "../oauth/app.ts";
import { startAppClew } from "../support/app-clew.ts";
import { noBrowser, visit } from "../support/browser.ts";
import { call } from "../support/call.ts";
import { signIn as signInWithoutBrowser } from "../support/session.ts";
import { shared } from "../support/shared.ts";
import { type Stage, stageOf } from "../support/stage.ts";
import { examine } from "./examine.ts";
import { authorizationUrl, consentTitle, openRequest, register, startProgram } from "./programs.ts";
import { sharedBrowser } from "./shared.ts";
import { openConsent, signInLink, storedSession, storedText } from "./steps.ts";

const site = "https://reader.example";
const siteRedirect = `${site}/callback`;

/** The address of a document that describes a program of that site. */
const documentId = `${site}/client.json`;

/** A Clew whose dashboard is said to be elsewhere, which must not matter for a consent. It can read the document of that site alone. */
const sharedClew = shared(async (stage) => {
  const clew = await startAppClew(stage, { DASHBOARD_URL: "http://localhost:9/elsewhere" });
  clew.documents.set(documentId, {
    client_id: documentId,
    client_name: "Reader",
    redirect_uris: [siteRedirect],
  });
  return clew;
});

describe("connecting a program in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  /** A browser, and a Clew without tokens of earlier tests. */
  async function scene(t: TestContext) {
    const stage = await stageOf(t);
    const { url, advance } = await sharedClew();
    const forget = ["Librarian", "Visitor"].map(async (person) => {
      const { access } = await signInWithoutBrowser(url, { person });
      await call(url, "api/auth/me/", { method: "DELETE", token: access });
    });
    const [visitor] = await Promise.all([visit(stage, browser), ...forget]);
    return { stage, url, advance, ...visitor };
  }

  const allowButton = (page: Page): Locator => page.getByRole("button", { name: "Allow" });
  /** Waits for the moment from which Allow can be pressed; a click waits by itself. */
  const readyToAllow = (page: Page) => allowButton(page).and(page.locator("[aria-disabled=false]")).waitFor();
  const title = (page: Page, name: string): Locator => page.getByRole("heading", { level: 1, name });

  /** The tokens of the person who is signed in. */
  async function tokensIn(page: Page, url: URL): Promise<readonly ServiceToken[]> {
    const session = await storedSession(page);
    assert.ok(session);
    return tokensOf({ url, session, workspaceIds: [] });
  }

  /** Creates tokens by hand, in the session of the page. */
  async function makeTokens(page: Page, url: URL, count: number): Promise<void> {
    const token = (await storedSession(page))?.access ?? "";
    const { body: me } = await call<{ workspaces: { id: string }[] }>(url, "api/auth/me/", { token });
    const workspace_ids = me.workspaces.map(({ id }) => id);
    for (let number = 1; number <= count; number += 1) {
      const body = { name: `script ${number}`, scopes: ["graph:read"], workspace_ids };
      await call(url, "api/tokens/", { method: "POST", token, body });
    }
  }

  /** Answers every page of the site, which this machine cannot reach. */
  async function standInForSite(stage: Stage, page: Page): Promise<void> {
    await page.route(`${site}/**`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: '<!doctype html><link rel="icon" href="data:,"><title>The site</title>',
      }),
    );
    stage.defer(() => page.unrouteAll());
  }

  test("APP-4: a person signs in, decides and is sent back, and the program calls its tools", async (t) => {
    const { stage, url, page: programPage, expectedFaults } = await scene(t);
    const program = await startProgram(stage);
    const { redirectUri } = program;
    await programPage.goto(program.page);
    const opened = programPage.waitForEvent("popup");
    await programPage.evaluate(
      `window.open(${JSON.stringify(authorizationUrl(url, { redirect_uri: redirectUri }))}) && undefined`,
    );
    const page = await opened;
    await page.getByRole("heading", { level: 1, name: "A program asks to read your pages" }).waitFor();
    const address = page.url();
    assert.match(address, new RegExp(`^${url.href}dashboard/connect\\?request=[\\w-]{43}$`));

    // Who cancels the sign-in is asked again, and the request is still there.
    await openConsent(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alert").getByText("You cancelled, so nothing was shared.").waitFor();
    await openConsent(page);
    await allowButton(page).click();
    await consentTitle(page).waitFor();
    assert.equal(page.url(), address);
    const shown = (await page.getByRole("main").locator("dl").allInnerTexts()).join();
    for (const text of ["127.0.0.1", "Claude Code", "claude.ai", `${url.href}api/v1/mcp`])
      assert.ok(shown.includes(text), text);
    await page.getByText("Clew can’t tell which program on this computer asks.").waitFor();
    await page
      .getByText(
        /^The program can find pages by title, read .* and follow links .* in Labyrinth, until .*\. It can’t change anything\.$/,
      )
      .waitFor();
    await allowButton(page).click();
    await page.waitForURL(`${redirectUri}?**`);

    // The window is the one that the program opened, and the way back does not lead to the decision.
    assert.equal(await page.evaluate("window.opener !== null"), true);
    const answer = Object.fromEntries(new URL(page.url()).searchParams);
    assert.deepEqual([answer.state, answer.iss], ["a state/+", url.href.replace(/\/$/, "")]);
    const exchange = { ...validExchange(url, answer.code ?? ""), redirect_uri: redirectUri };
    const { status, body } = await post<AppToken>(url, "token", exchange);
    assert.equal(status, 200);
    assert.equal(await statusWith(url, body.access_token), 200);
    expectedFaults.push(/Failed to load resource.*404/);
    await page.goto(address);
    await title(page, "This request is over").waitFor();
    assert.ok(!(await storedText(page)).includes(answer.code ?? ""));
    const [token] = await tokensIn(page, url);
    assert.deepEqual([token?.client?.host, token?.scopes.length], ["127.0.0.1", 3]);
  });

  test("APP-4: by keyboard alone, in a narrow and dark window, a person allows less than was asked for", async (t) => {
    const { stage, url, page } = await scene(t);
    const { redirectUri } = await startProgram(stage);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 360, height: 740 });
    await openRequest(page, url, { redirect_uri: redirectUri, scope: "graph:search graph:read" });
    assert.equal(await page.getByRole("checkbox").count(), 3, "no scope that was not asked for");
    const tabTo = async (target: Locator) => {
      for (let step = 0; step < 30; step += 1) {
        await page.keyboard.press("Tab");
        if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      }
      assert.fail(`${target} cannot be reached by keyboard`);
    };
    const workspace = page.getByLabel("Labyrinth");
    await tabTo(workspace);
    await page.keyboard.press("Space");
    await tabTo(page.getByLabel(/^Find pages by title/));
    await page.keyboard.press("Space");
    await tabTo(page.getByLabel("Until when?"));
    await page.keyboard.type("For another");
    await tabTo(page.getByLabel("Days"));
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("366");
    await tabTo(allowButton(page));
    await page.keyboard.press("Enter");
    // The first fault has the focus.
    await page.locator("input[type=checkbox]:focus").waitFor();
    await page.getByRole("group", { name: "Can read" }).getByText("Choose at least one workspace.").waitFor();
    await page.keyboard.press("Space");
    await tabTo(page.getByLabel("Days"));
    await page.getByText("Choose from 1 to 365 days.").first().waitFor();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("2");
    await page.getByText(/^The program can read .* in Labyrinth, until /).waitFor();
    await readyToAllow(page);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${redirectUri}?**`);
    const code = new URL(page.url()).searchParams.get("code") ?? "";
    const { body } = await post<AppToken>(url, "token", {
      ...validExchange(url, code),
      redirect_uri: redirectUri,
    });
    assert.deepEqual([body.scope, body.expires_in], ["graph:read", 2 * 86_400]);
  });

  test("APP-4: who denies is sent back with the reason, also after an outage; another tab then sees the end", async (t) => {
    const { stage, url, page, context, expectedFaults } = await scene(t);
    expectedFaults.push(/Failed to load resource/);
    const { redirectUri } = await startProgram(stage);
    await openRequest(page, url, { redirect_uri: redirectUri });
    const other = await context.newPage();
    await other.goto(page.url());
    await consentTitle(other).waitFor();
    await context.setOffline(true);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("alert").getByText("Clew can’t be reached.").first().waitFor();
    await context.setOffline(false);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.waitForURL(`${redirectUri}?**`);
    assert.equal(new URL(page.url()).searchParams.get("error"), "access_denied");
    await allowButton(other).click();
    await title(other, "This request is over").waitFor();
    assert.deepEqual(await tokensIn(other, url), []);
  });

  test("APP-4: with ten tokens the person chooses the one that ends", async (t) => {
    const { stage, url, page } = await scene(t);
    const { redirectUri } = await startProgram(stage);
    await openRequest(page, url, { redirect_uri: redirectUri });
    await makeTokens(page, url, 10);
    await page.reload();
    const choice = page.getByRole("group", { name: "Choose one to end" });
    await choice.getByText("All ten tokens are in use").waitFor();
    assert.equal(await choice.getByRole("radio").count(), 10);
    await allowButton(page).click();
    await choice.locator("input:focus").waitFor();
    await choice.getByText("Choose the one that ends.").waitFor();
    await choice.getByLabel(/^script 3/).check();
    await allowButton(page).click();
    await page.waitForURL(`${redirectUri}?**`);
    const session = await signInWithoutBrowser(url);
    const ended = (await tokensOf({ url, session, workspaceIds: [] })).filter(({ is_active }) => !is_active);
    assert.deepEqual(
      ended.map(({ name }) => name),
      ["script 3"],
    );
  });

  test("APP-4: an earlier token of the same website is offered for ending, and another person can decide", async (t) => {
    const { stage, url, page } = await scene(t);
    await standInForSite(stage, page);
    const asked = { client_id: await register(url, "Reader", siteRedirect), redirect_uri: siteRedirect };
    await openRequest(page, url, asked);
    const allowed = async () => {
      await allowButton(page).click();
      await page.waitForURL(`${siteRedirect}?**`);
      const code = new URL(page.url()).searchParams.get("code") ?? "";
      assert.equal((await post(url, "token", { ...validExchange(url, code), ...asked })).status, 200);
    };
    await allowed();
    await page.goto(authorizationUrl(url, asked));
    const earlier = page.getByLabel(/^End the earlier connection/);
    assert.equal(await earlier.isChecked(), false);
    await earlier.check();
    await allowed();

    await page.goto(authorizationUrl(url, asked));
    await consentTitle(page).waitFor();
    assert.equal((await tokensIn(page, url)).filter(({ is_active }) => is_active).length, 1);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out.").first().waitFor();
    await signInLink(page).click();
    await page.getByLabel(/Visitor/).check();
    await allowButton(page).click();
    await consentTitle(page).waitFor();
    await page.getByRole("banner").getByText("Visitor").waitFor();
    assert.equal(await earlier.count(), 0);
  });

  test("APP-4: a program whose request is refused learns why, and a person whose program is at fault does", async (t) => {
    const { stage, url, page, expectedFaults } = await scene(t);
    expectedFaults.push(/Failed to load resource.*409/);
    await standInForSite(stage, page);
    await openRequest(page, url);
    const asked = { client_id: documentId, redirect_uri: siteRedirect, scope: "everything" };
    await page.goto(authorizationUrl(url, asked));
    await title(page, "The program asked for something that Clew does not do").waitFor();
    await page.getByText("Go back to reader.example only if you came from there").waitFor();
    await examine(page, "a refused request");
    await page.getByRole("link", { name: "Go back to the program" }).click();
    await page.waitForURL(`${siteRedirect}?**`);
    assert.equal(new URL(page.url()).searchParams.get("error"), "invalid_scope");

    const unknown = documentId.replace("reader", "unknown");
    await page.goto(authorizationUrl(url, { ...asked, client_id: unknown }));
    await title(page, "This program can’t be connected").waitFor();
    assert.match(page.url(), /\/dashboard\/connect\?request=/);
  });

  test("APP-4: the name of a program is text, and the address cannot choose where the browser goes", async (t) => {
    const { url, page } = await scene(t);
    await page.setViewportSize({ width: 360, height: 740 });
    const name = '\u202Egro.elpmaxe\u200B<img src="https://evil.example/logo.png" onerror="isHacked=1">';
    const redirectUri = "com.example.reader:/callback";
    const client = await register(url, `${name} ${"W".repeat(200)}`.slice(0, 200), redirectUri);
    await openRequest(page, url, { client_id: client, redirect_uri: redirectUri });
    const shown = (await page.getByRole("main").locator("dl").allInnerTexts()).join();
    for (const text of ["com.example.reader:", redirectUri, "<U+202E>gro.elpmaxe", "<img src="])
      assert.ok(shown.includes(text), text);
    assert.equal(await page.getByRole("main").locator("img").count(), 0);
    await examine(page, "consent with a hostile name");
    const address = page.url();
    await page.goto(`${address}&redirect_to=https://evil.example/&redirect_uri=https://evil.example/#/evil`);
    await consentTitle(page).waitFor();
    await allowButton(page).click();
    // An app has no page of its own, so the person stays here.
    await title(page, "Allowed").waitFor();
    const back = await page.getByRole("link", { name: "Go back to the program" }).getAttribute("href");
    assert.match(back ?? "", /^com\.example\.reader:\/callback\?code=/);
  });

  test("APP-4: no frame shows the decision, no second press lands on it, and after ten minutes it is over", async (t) => {
    const { url, page, context, advance, expectedFaults } = await scene(t);
    expectedFaults.push(/frame-ancestors|Failed to load resource.*404/);
    await openRequest(page, url);
    await readyToAllow(page);
    // Another window was in front.
    const isOpen = await page.evaluate<boolean>(`(async () => {
      const allow = document.querySelector("button[type=submit]");
      dispatchEvent(new Event("focus"));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      allow.click();
      return allow.ariaDisabled !== "true";
    })()`);
    assert.equal(isOpen, false);
    await readyToAllow(page);
    await consentTitle(page).waitFor();
    const address = page.url();
    const outside = await context.newPage();
    const refused = outside.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
    await outside.setContent(`<iframe src="${address}"></iframe>`);
    await refused;
    assert.equal(await outside.frames()[1]?.getByRole("button").count(), 0);
    await outside.close();

    await page.reload();
    await consentTitle(page).waitFor();
    advance(10 * 60_000);
    await allowButton(page).click();
    await title(page, "This request is over").waitFor();
    await page.getByText("older than ten minutes").waitFor();
    assert.equal(page.url(), address);
  });
});
