import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { createToken, signIn } from "../support/session.ts";
import { syncedDemo } from "../support/shared-demo.ts";
import { stageOf } from "../support/stage.ts";
import { examine } from "./examine.ts";
import { sharedBrowser } from "./shared.ts";
import { openSignedIn } from "./steps.ts";

const seeTitle = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const operations = (page: Page) => page.getByRole("navigation", { name: "Operations" });
const search = (page: Page) => page.getByRole("searchbox", { name: "Search the API reference" });
const tokenField = (page: Page) => page.getByRole("textbox", { name: "Service token" });
const run = (page: Page) => page.getByRole("button", { name: "Run", exact: true });
const answer = (page: Page) => page.getByRole("region", { name: "Answer to the request" });
const status = (page: Page) => page.locator("form [role=status]");

describe("the API reference in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  // `visit` fails the test at any request to another origin and at any error in the console.
  test("GRAPH-14: axe finds nothing in the reference, in light and dark, at four widths, nor in what is opened there", async (t) => {
    const url = await syncedDemo();
    const { page } = await visit(await stageOf(t), browser);
    for (const [address, colorScheme, width] of [
      ["api", "dark", 1440],
      ["api/searchPages", "light", 1024],
      ["api/listRows", "dark", 768],
      ["api/findPaths", "light", 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${url}docs/${address}`);
      await search(page).waitFor();
      for (const summary of await page.locator("main summary").all()) await summary.click();
      await examine(page, `${address} (${colorScheme}, ${width})`);
    }
    await page.getByRole("button", { name: "Operations" }).click();
    await operations(page).getByRole("link", { name: "Find paths" }).waitFor();
    await examine(page, "the list in a narrow window");
    await page.keyboard.press("Escape");
    await search(page).fill("excerpts");
    await operations(page).getByText("2 matches").waitFor();
  });

  test("GRAPH-14: the search filters the list while the person types, with the keyboard alone", async (t) => {
    const url = await syncedDemo();
    const { page } = await visit(await stageOf(t), browser, { viewport: { width: 1440, height: 900 } });
    await page.goto(`${url}docs/api`);
    await search(page).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("find_paths");
    await page.getByText("1 match", { exact: true }).waitFor();
    assert.deepEqual(await operations(page).getByRole("link").allTextContents(), ["Find paths"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await seeTitle(page, "Find paths");
    assert.equal(page.url(), `${url}docs/api/findPaths`);
    assert.equal(await page.title(), "Find paths · Clew");
    await page.keyboard.press("/");
    await page.keyboard.type("xyzzy");
    await page.getByText("Nothing has all of these words.").waitFor();
    await page.keyboard.press("Escape");
    assert.ok((await operations(page).getByRole("link").count()) > 40);
  });

  test("GRAPH-14: Back, reloading and addresses of the reference as it was lead to the operation", async (t) => {
    const url = await syncedDemo();
    const { page } = await visit(await stageOf(t), browser, { viewport: { width: 1440, height: 900 } });
    await page.goto(`${url}docs/api/listRows`);
    await seeTitle(page, "List rows");
    await operations(page).getByRole("link", { name: "List edges" }).click();
    await seeTitle(page, "List edges");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "List edges");
    assert.equal(await operations(page).locator("[aria-current]").textContent(), "List edges");
    await page.goBack();
    await seeTitle(page, "List rows");
    await page.goForward();
    await page.reload();
    await seeTitle(page, "List edges");
    for (const [old, address, title] of [
      ["docs/api#listTree", "docs/api/listTree", "List tree"],
      ["docs#searchTextsInSession", "docs/api/searchTexts#session", "Search texts"],
      ["docs/api#message-Node", "docs/api/messages/Node", "Node"],
    ] as const) {
      await page.goto(`${url}${old}`);
      await page.waitForURL(`${url}${address}`);
      await seeTitle(page, title);
    }
    await page.goto(`${url}docs/api#problems`);
    await seeTitle(page, "API reference");
    assert.equal(page.url(), `${url}docs/api#problems`);
  });

  test("GRAPH-14: a request runs with a token that is in the memory of the page alone", async (t) => {
    const url = await syncedDemo();
    const { token } = await createToken(url, await signIn(url), "a reader in a browser");
    const { page, context, expectedFaults } = await visit(await stageOf(t), browser, {
      viewport: { width: 1440, height: 900 },
    });
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.method()} ${request.url()}`));
    await page.goto(`${url}docs/api/searchPages`);
    await run(page).click();
    await page.getByText("Paste a service token first.").waitFor();
    assert.ok(!sent.some((request) => request.includes("/api/v1/")), "something was sent without a token");
    await tokenField(page).fill(token);
    await page.getByLabel("q", { exact: true }).fill("orion");
    await page.keyboard.press("Enter");
    await page.getByText(/^200 · \d+ ms · /).waitFor();
    assert.match((await answer(page).textContent()) ?? "", /"title": "Orion"/);
    await examine(page, "an answer");
    assert.deepEqual(
      sent.filter((request) => request.includes("/api/v1/")),
      [`GET ${url}api/v1/search/?q=orion&limit=1`],
    );
    // The next page has the token; the next document does not, and nothing has stored it.
    await operations(page).getByRole("link", { name: "Get page", exact: true }).click();
    await seeTitle(page, "Get page");
    assert.equal(await tokenField(page).inputValue(), token);
    expectedFaults.push(/^Failed to load resource: the server responded with a status of 404/);
    await page.getByLabel("id", { exact: true }).fill("00000000-0000-4000-8000-000000000000");
    await run(page).click();
    await page.getByText(/^404 · /).waitFor();
    assert.equal(await status(page).getAttribute("data-good"), "false");
    await page.getByLabel("id", { exact: true }).fill("..");
    await run(page).click();
    await page.getByText("A value of the path is missing, or is not possible there.").waitFor();
    const stored = await context.storageState({ indexedDB: true });
    assert.ok(!JSON.stringify(stored).includes(token.slice(4)));
    assert.ok(
      !(
        await page.evaluate<string>("JSON.stringify(sessionStorage) + JSON.stringify(history.state)")
      ).includes(token.slice(4)),
    );
    assert.ok(!sent.some((request) => request.includes(token.slice(4))));
    await page.reload();
    await seeTitle(page, "Get page");
    assert.equal(await tokenField(page).inputValue(), "");
  });

  test("GRAPH-14: a request runs with the session of the browser only where one is signed in and chooses it", async (t) => {
    const url = await syncedDemo();
    const { page } = await visit(await stageOf(t), browser, { viewport: { width: 1024, height: 768 } });
    await page.goto(`${url}docs/api/listWorkspaces`);
    await page.getByLabel("My session in this browser").check();
    assert.equal(await tokenField(page).isVisible(), false);
    await run(page).click();
    await page.getByText("No one is signed in in this browser.").waitFor();
    await openSignedIn(page, url);
    await page.getByRole("link", { name: "API reference" }).click();
    await seeTitle(page, "API reference");
    await operations(page).getByRole("link", { name: "List workspaces" }).click();
    await page.getByLabel("My session in this browser").check();
    await run(page).click();
    await page.getByText(/^200 · /).waitFor();
    assert.match((await answer(page).textContent()) ?? "", /Night Sky Field Guide/);
    // An operation that changes something has no form.
    await operations(page).getByRole("link", { name: "Revoke service token" }).click();
    await seeTitle(page, "Revoke service token");
    assert.equal(await run(page).count(), 0);
    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Tokens" }).click();
    await seeTitle(page, "Tokens");
  });

  test("GRAPH-14: the rail of the reference has the sections of the dashboard", async (t) => {
    const url = await syncedDemo();
    const { page } = await visit(await stageOf(t), browser, { viewport: { width: 1440, height: 900 } });
    const sections = () =>
      page
        .locator(".rail-sections a")
        .evaluateAll((links: { href: string; textContent: string }[]) =>
          links.map(({ href, textContent }) => `${textContent} ${href}`),
        );
    await page.goto(`${url}docs/api`);
    const own = await sections();
    await openSignedIn(page, url);
    assert.deepEqual(own, await sections());
  });

  test("GRAPH-14: an operation that cannot be loaded says so, and is there when Clew is back", async (t) => {
    const url = await syncedDemo();
    const { page, context, expectedFaults } = await visit(await stageOf(t), browser, {
      viewport: { width: 1440, height: 900 },
    });
    expectedFaults.push(/^Failed to load resource/);
    await page.goto(`${url}docs/api/listRows`);
    await search(page).waitFor();
    await context.setOffline(true);
    await operations(page).getByRole("link", { name: "List edges" }).click();
    await page.getByRole("alert").waitFor();
    await examine(page, "an operation that cannot be loaded");
    await context.setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await seeTitle(page, "List edges");
  });

  test("GRAPH-14: without JavaScript each operation is read, and paper has the whole answer", async (t) => {
    const url = await syncedDemo();
    const stage = await stageOf(t);
    const { page } = await visit(stage, browser, {
      javaScriptEnabled: false,
      viewport: { width: 1440, height: 900 },
    });
    await page.goto(`${url}docs/api#findPaths`);
    await page.locator("#findPaths a").click();
    await page.waitForURL(`${url}docs/api/findPaths`);
    await seeTitle(page, "Find paths");
    assert.equal(await run(page).count(), 0);
    assert.equal(await search(page).count(), 0);
    const answer = page.locator(".api-answer > pre").first();
    const folded = (await answer.boundingBox())?.height ?? 0;
    await page
      .getByText(/^All \d+ lines$/)
      .first()
      .click();
    const whole = (await answer.boundingBox())?.height ?? 0;
    assert.ok(whole > folded + 100, `${folded} → ${whole}`);
    await page.reload();
    await page.emulateMedia({ media: "print" });
    assert.ok(((await answer.boundingBox())?.height ?? 0) > folded);
    assert.equal(await page.getByRole("navigation", { name: "Sections" }).count(), 0);
    await page.emulateMedia({ media: "screen" });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "Operations" }).click();
    await operations(page).getByRole("link", { name: "Get page", exact: true }).click();
    await seeTitle(page, "Get page");
  });
});
