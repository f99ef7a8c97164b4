import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { until } from "@clew/stand-in/testing/until";
import type { Browser, Page } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { sharedDemo } from "../support/shared-demo.ts";
import { type Stage, stageOf } from "../support/stage.ts";
import { findProblems } from "./examine.ts";
import { emptyClew, sharedBrowser } from "./shared.ts";
import { openAccountMenu, openSection, openSignedIn, openSignedOut, seeSynced } from "./steps.ts";

/** The look of the dashboard, on the screen and on paper. */
describe("the appearance of the dashboard", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  const ground = (page: Page) =>
    page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
  const light = "rgb(250, 248, 243)";
  const dark = "rgb(22, 21, 19)";
  const choice = (page: Page, name: string) =>
    page.locator(":popover-open").getByRole("group", { name: "Appearance" }).getByRole("button", { name });

  test("a person chooses light or dark on this device, and every page has it from its first paint", async (t) => {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const { page, context, expectedFaults } = await visit(stage, browser, { colorScheme: "light" });
    expectedFaults.push(/^Failed to load resource.*404/);
    await openSignedIn(page, url);
    assert.equal(await ground(page), light);
    await openAccountMenu(page);
    assert.equal(await choice(page, "System").getAttribute("aria-pressed"), "true");
    await choice(page, "Dark").click();
    assert.equal(await ground(page), dark);
    assert.equal(await choice(page, "Dark").getAttribute("aria-pressed"), "true", "the menu stays open");
    assert.deepEqual(await findProblems(page), []);

    // A tab that is open follows, and the pages without the application have it too.
    const other = await context.newPage();
    await other.goto(new URL("dashboard/tokens", url).href);
    await other.getByRole("heading", { level: 1, name: "Tokens" }).waitFor();
    assert.equal(await ground(other), dark);
    await choice(page, "Light").click();
    await until(() => other.evaluate<boolean>("document.documentElement.dataset.appearance === 'light'"));
    await page.emulateMedia({ colorScheme: "dark" });
    assert.equal(await ground(page), light, "a choice is stronger than the system");
    await choice(page, "System").click();
    assert.equal(await ground(page), dark);
    await choice(page, "Light").click();
    await other.emulateMedia({ colorScheme: "dark" });
    for (const path of ["docs/", "dashboard/nothing"]) {
      await other.goto(new URL(path, url).href).catch(() => {});
      assert.equal(await ground(other), light, path);
    }
    // The choice is there before the stylesheet, and so before anything is painted.
    const { head } = await page.evaluate<{ head: string[] }>(
      "({ head: [...document.head.querySelectorAll('script, link[rel=stylesheet]')].map((each) => each.src || each.href) })",
    );
    assert.match(head[0] ?? "", /appearance-early-/);
  });

  test("the keyboard alone changes the appearance", async (t) => {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const { page } = await visit(stage, browser, { colorScheme: "light" });
    await openSignedIn(page, url);
    await page.getByRole("button", { name: /^Account: / }).focus();
    await page.keyboard.press("Enter");
    await choice(page, "Dark").focus();
    await page.keyboard.press("Space");
    assert.equal(await ground(page), dark);
  });

  async function openJupiter(stage: Stage) {
    const { page } = await visit(stage, browser, {
      viewport: { width: 1024, height: 800 },
      colorScheme: "dark",
    });
    await openSignedIn(page, await sharedDemo());
    await seeSynced(page);
    await openSection(page, "Graph");
    await page.getByLabel("Search pages").fill("Jupiter");
    await page.keyboard.press("Enter");
    await page.locator("[data-results]").getByRole("link", { name: "Jupiter", exact: true }).click();
    await page.getByText("Jupiter has two and a half times").waitFor();
    return page;
  }

  test("a printed page is its text and its links, black on white, without what can be pressed", async (t) => {
    const stage = await stageOf(t);
    const page = await openJupiter(stage);
    await page.emulateMedia({ media: "print" });
    for (const gone of [
      page.getByRole("navigation", { name: "Sections" }),
      page.getByLabel("Search pages"),
      page.getByRole("link", { name: "Local graph" }),
      page.getByRole("button", { name: "Copy as…" }).first(),
      page.getByRole("link", { name: "Find a path from here" }),
    ])
      assert.equal(await gone.isVisible(), false, String(gone));
    await page.getByRole("heading", { level: 1, name: "Jupiter" }).waitFor();
    const text = page.getByText("Jupiter has two and a half times");
    const width = (await text.boundingBox())?.width ?? 0;
    const color = await page.evaluate("getComputedStyle(document.body).color");
    assert.equal(color, "rgb(37, 34, 29)");
    assert.ok(width > 600, `the text has the whole width: ${width}`);
  });

  test("the first view of the demo workspace loads at most 158 kB, API and all", async (t) => {
    const stage = await stageOf(t);
    const { context } = await visit(stage, browser);
    const signedIn = await context.newPage();
    const demo = await sharedDemo();
    await openSignedIn(signedIn, demo);
    await signedIn.getByText(/^Synced /).waitFor();
    const fresh = await visit(stage, browser, { storageState: await context.storageState() });
    const network = await fresh.context.newCDPSession(fresh.page);
    await network.send("Network.enable");
    let bytes = 0;
    network.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await fresh.page.goto(new URL("dashboard/graph", demo).href);
    await fresh.page.getByRole("link", { name: "See the path" }).waitFor();
    await fresh.page.getByRole("heading", { name: "Most important pages" }).waitFor();
    assert.ok(bytes > 100_000 && bytes <= 158_000, `${bytes} bytes`);
  });

  test("the sign-in page loads at most 60 kB", async (t) => {
    const stage = await stageOf(t);
    const { page, context } = await visit(stage, browser);
    const network = await context.newCDPSession(page);
    await network.send("Network.enable");
    let bytes = 0;
    network.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await openSignedOut(page, await emptyClew());
    assert.ok(bytes > 10_000 && bytes <= 60_000, `${bytes} bytes`);
  });
});
