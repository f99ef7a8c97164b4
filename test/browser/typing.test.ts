import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { until } from "@clew/stand-in/testing/until";
import type { Browser, Page, Request } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { syncedDemo } from "../support/shared-demo.ts";
import { type Stage, stageOf } from "../support/stage.ts";
import { sharedBrowser } from "./shared.ts";
import { openSection, openSignedIn, seeSynced, signOut, stopTime } from "./steps.ts";

/** The keys that open the palette on the machine of the test, which is no Mac. */
const paletteKeys = "Control+k";

describe("search while a person types", { skip: noBrowser }, () => {
  let browser: Browser;
  let demo: URL;
  before(async () => {
    [browser, demo] = await Promise.all([sharedBrowser(), syncedDemo()]);
  });

  /** A person who has signed in to the demo workspace, and is at the tokens. */
  const enter = async (stage: Stage, prepare?: (page: Page) => Promise<unknown>): Promise<Page> => {
    const { page } = await visit(stage, browser);
    await prepare?.(page);
    // The time of pauses passes when a test says so.
    await page.clock.install();
    await openSignedIn(page, demo);
    await seeSynced(page);
    await openSection(page, "Tokens");
    await seeOpened(page, "Tokens");
    return page;
  };

  const field = (page: Page) => page.getByRole("combobox", { name: "Search pages" });
  const palette = (page: Page) => page.getByRole("dialog", { name: "Pages and commands" });
  const option = (page: Page, name: string | RegExp) => page.getByRole("option", { name }).first();
  const seeTitle = (page: Page, name: string) =>
    page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

  /** Waits until a view is there and its title has the focus: before that, the title would take it from the next field. */
  const seeOpened = (page: Page, name: string) =>
    page.locator("h1:focus").filter({ hasText: name }).waitFor();

  /** Opens pages one after the other, so that they are the latest. */
  const openPages = async (page: Page, ...titles: readonly string[]) => {
    for (const title of titles) {
      await field(page).fill(title);
      await option(page, new RegExp(`^${title}`)).click();
      await seeOpened(page, title);
    }
  };

  test("GRAPH-2: in any view pages are suggested, with one request after the last key, and words that follow give it up", async (t) => {
    const page = await enter(await stageOf(t));
    const asked: string[] = [];
    const givenUp: string[] = [];
    const wordsOf = (url: string) => new URL(url).searchParams.get("q");
    const isSearch = (request: Request) => request.url().includes("/search/?q=");
    page.on("request", (request) => {
      if (isSearch(request)) asked.push(String(wordsOf(request.url())));
    });
    page.on("requestfailed", (request) => {
      if (isSearch(request)) givenUp.push(String(wordsOf(request.url())));
    });
    let release = () => {};
    await page.route("**/search/?q=jup&**", async (route) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      await route.continue().catch(() => {});
    });
    await stopTime(page);
    await page.keyboard.press("/");
    await page.keyboard.type("jup");
    assert.deepEqual(asked, []);
    const sent = page.waitForRequest("**/search/?q=jup&**");
    await page.clock.runFor(200);
    await sent;
    await page.keyboard.type("iter");
    const failed = page.waitForEvent("requestfailed");
    await page.clock.runFor(200);
    await failed;
    release();
    await page.clock.resume();
    await option(page, /^Jupiter/).waitFor();
    assert.deepEqual([asked, givenUp], [["jup", "jupiter"], ["jup"]]);
    // Nothing is marked until an arrow is pressed: Enter leads to all results.
    assert.equal(await field(page).getAttribute("aria-expanded"), "true");
    assert.equal(await field(page).getAttribute("aria-activedescendant"), null);
    await page.keyboard.press("Enter");
    await page.waitForURL(/graph\?q=jupiter$/);
    await page.locator("[data-results] mark").first().waitFor();
    assert.equal(await field(page).getAttribute("aria-expanded"), "false");
  });

  test("GRAPH-2: by keyboard alone a suggestion is opened, and an empty field offers the pages opened before", async (t) => {
    const page = await enter(await stageOf(t));
    await page.keyboard.press("/");
    await page.keyboard.type("Jupiter");
    await option(page, /^Jupiter/).waitFor();
    await page.keyboard.press("ArrowDown");
    const marked = await field(page).getAttribute("aria-activedescendant");
    assert.equal(await page.locator(`[id="${marked}"]`).getAttribute("aria-selected"), "true");
    assert.match(await page.locator(`[id="${marked}"]`).innerText(), /Jupiter\nSolar System$/);
    await page.keyboard.press("Enter");
    await seeOpened(page, "Jupiter");
    await openPages(page, "Europa", "Io");
    await page.keyboard.press("/");
    const listed = page.getByRole("listbox", { name: "Opened lately" }).getByRole("option");
    await listed.nth(1).waitFor();
    // Without the page that is open.
    assert.deepEqual(await listed.locator("bdi").allInnerTexts(), ["Europa", "Jupiter"]);
    await page.keyboard.press("Escape");
    await listed.first().waitFor({ state: "hidden" });
    await page.keyboard.type("zzqqxx");
    await option(page, "No title matches. All results for “zzqqxx”").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    assert.equal(await field(page).inputValue(), "");
    // The same list stands below each field for a page.
    await page.goto(new URL("dashboard/graph/path", demo).href);
    await page.getByLabel("From", { exact: true }).focus();
    await listed.nth(2).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/from=/);
    await until(() => page.evaluate<boolean>("document.querySelector('main input').value === 'Io'"));
    await signOut(page);
    await page.getByText("You are signed out.").first().waitFor();
    assert.equal(await page.evaluate("localStorage.length"), 0);
  });

  test("GRAPH-2: a page that opens while a person types leaves them in the field", async (t) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const page = await enter(await stageOf(t), (each) =>
      each.route("**/assets/page-view-*.js", async (route) => {
        await released;
        await route.continue();
      }),
    );
    await field(page).fill("Jupiter");
    await option(page, /^Jupiter/).click();
    await page.keyboard.type("Eur");
    release();
    await seeTitle(page, "Jupiter");
    await page.getByRole("link", { name: "Find a path from here" }).waitFor();
    await page.keyboard.type("opa");
    await option(page, /^Europa/).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await seeOpened(page, "Europa");
  });

  test("GRAPH-2: the palette has pages and commands in one list, the latest ones first", async (t) => {
    const page = await enter(await stageOf(t));
    await openPages(page, "Europa", "Jupiter");
    // From within a field too.
    await field(page).focus();
    await page.keyboard.press(paletteKeys);
    const listed = palette(page).getByRole("option");
    await listed.first().filter({ hasText: "Europa" }).waitFor();
    const names = await listed.allInnerTexts();
    assert.ok(names.includes("Find a path from Jupiter"), names.join());
    await page.keyboard.type("path from");
    await page.keyboard.press("Enter");
    await page.waitForURL(/graph\/path\?from=/);
    assert.equal(await page.getByLabel("From", { exact: true }).inputValue(), "Jupiter");

    await page.keyboard.press(paletteKeys);
    await page.keyboard.type("create to");
    await page.keyboard.press("Enter");
    await seeTitle(page, "Create a token");
    // The latest choice comes first.
    await page.keyboard.press(paletteKeys);
    await listed.first().filter({ hasText: "Create token" }).waitFor();
    await page.keyboard.type("callis");
    await option(page, /^Callisto/).waitFor();
    await page.keyboard.press("Enter");
    await seeTitle(page, "Callisto");
    await page.keyboard.press(paletteKeys);
    await page.keyboard.type("moons of");
    await option(page, "Ask “moons of”").click();
    await page.waitForURL(/graph\/ask\?question=moons\+of|question=moons%20of/);
    await page.keyboard.press(paletteKeys);
    await page.keyboard.type("keyboard");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press(paletteKeys);
    await page.keyboard.type("dark");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate("document.documentElement.dataset.appearance"), "dark");
    await page.keyboard.press(paletteKeys);
    await page.keyboard.type("sign out");
    await page.keyboard.press("Enter");
    await page.getByText("You are signed out.").first().waitFor();
  });

  test("GRAPH-2: a palette that cannot be loaded leaves the application as it is, and opens once Clew is back", async (t) => {
    const { page, expectedFaults } = await visit(await stageOf(t), browser);
    expectedFaults.push(/^Failed to load resource/);
    let isAway = true;
    const palettes = /\/assets\/palette-/;
    await page.route("**/*", (route) => {
      const request = route.request();
      const isLost = palettes.test(request.url()) || request.method() === "HEAD";
      return isAway && isLost ? route.abort() : route.continue();
    });
    await openSignedIn(page, demo);
    await seeSynced(page);
    await page.keyboard.press(paletteKeys);
    await page.getByRole("alert").getByText("Clew can’t be reached.").waitFor();
    await openSection(page, "Activity");
    isAway = false;
    await palette(page).getByRole("option").first().waitFor();
  });

  test("WCAG 2.1.4: keys lead to each view, are listed, and those that are single can be turned off", async (t) => {
    const page = await enter(await stageOf(t));
    for (const [key, title] of [
      ["m", "Map"],
      ["p", "Find a path"],
      ["q", "Ask"],
      ["w", "Workspaces"],
      ["a", "Activity"],
      ["g", "Graph"],
      ["t", "Tokens"],
    ] as const) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await seeTitle(page, title);
    }
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    const terms = await help.getByRole("term").allInnerTexts();
    assert.equal(terms.length, 11, terms.join(" "));
    await help.getByRole("checkbox", { name: /single keys/ }).uncheck();
    await page.keyboard.press("Escape");
    await page.reload();
    await seeTitle(page, "Tokens");
    for (const key of ["g", "m", "?", "/"]) await page.keyboard.press(key);
    await page.keyboard.press(paletteKeys);
    await palette(page).waitFor();
    assert.match(page.url(), /tokens$/);
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate("document.activeElement.id"), "");
    assert.equal(await page.getByRole("dialog").count(), 0);
  });
});
