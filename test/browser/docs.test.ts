import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { stageOf } from "../support/stage.ts";
import { examine } from "./examine.ts";
import { emptyClew, sharedBrowser } from "./shared.ts";

describe("the documentation in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  const search = (page: Page) => page.getByRole("searchbox", { name: "Search the documentation" });

  // `visit` fails the test at any request to another origin and at any error in the console.
  test("OPS-12: axe finds nothing on three pages, in light and dark, wide and narrow, nor in what is opened there", async (t) => {
    const url = await emptyClew();
    const { page } = await visit(await stageOf(t), browser);
    for (const [address, colorScheme, width] of [
      ["operations", "dark", 1440],
      ["dashboard", "light", 1024],
      ["", "light", 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${url}docs/${address}`);
      await search(page).waitFor();
      await examine(page, `${address} (${colorScheme}, ${width})`);
    }
    await page.getByRole("button", { name: "Pages" }).click();
    await page.getByRole("link", { name: "Glossary", exact: true }).waitFor();
    await examine(page, "the list of pages in a narrow window");
    await page.keyboard.press("Escape");
    await search(page).fill("token");
    await page.getByText("The best 12 sections").waitFor();
    await examine(page, "what was found in a narrow window");
  });

  test("OPS-12: examples have the address of the Clew that serves them, and other texts stay", async (t) => {
    const url = await emptyClew();
    const { page } = await visit(await stageOf(t), browser);
    const codes = async (address: string) => {
      await page.goto(`${url}docs/${address}`);
      await page.getByRole("button", { name: "Copy" }).first().waitFor({ state: "attached" });
      return page.locator("code").allTextContents();
    };
    const agents = await codes("agents");
    assert.ok(agents.filter((code) => code.includes(`${url}api/v1/mcp`)).length > 10);
    for (const code of agents) assert.doesNotMatch(code, /localhost:8420/);
    assert.ok((await codes("recipes")).some((code) => code.includes(`CLEW_URL=${url}`.replace(/\/$/, " "))));
    assert.ok(
      (await codes("notion")).includes("http://localhost:8420"),
      "it is about any Clew on this machine",
    );
  });

  test("OPS-12: the search finds TRUST_PROXY, and is used with the keyboard alone", async (t) => {
    const url = await emptyClew();
    const { page } = await visit(await stageOf(t), browser);
    await page.goto(`${url}docs/agents`);
    await search(page).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("TRUST_PROXY");
    const first = page.getByRole("link", { name: /^Behind a proxy/ });
    await first.waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${url}docs/operations#behind-a-proxy`);
    await page.getByRole("heading", { name: "Behind a proxy" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("xyzzy");
    await page.getByText("Nothing has all of these words.").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.getByText("Nothing has all of these words.").isVisible(), false);
  });

  test("OPS-12: a block of code is copied by its button", async (t) => {
    const url = await emptyClew();
    const { page } = await visit(await stageOf(t), browser, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.goto(`${url}docs/`);
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), "npm start");
  });

  test("OPS-12: an address in the reference of the API as it was before leads to where it is now", async (t) => {
    const url = await emptyClew();
    const { page } = await visit(await stageOf(t), browser);
    await page.goto(`${url}docs#searchPages`);
    await page.waitForURL(`${url}docs/api/searchPages`);
    await page.goto(`${url}docs#start`);
    await page.getByRole("heading", { name: "Start" }).waitFor();
    assert.equal(page.url(), `${url}docs#start`);
  });

  test("OPS-12: without JavaScript everything but the search is there", async (t) => {
    const url = await emptyClew();
    const { page } = await visit(await stageOf(t), browser, {
      javaScriptEnabled: false,
      viewport: { width: 1440, height: 900 },
    });
    await page.goto(`${url}docs/`);
    assert.equal(await page.locator("search").isVisible(), false);
    await page.getByRole("link", { name: "Notion, step by step" }).first().click();
    await page.waitForURL(`${url}docs/notion`);
    await page.getByRole("link", { name: "Webhooks", exact: true }).click();
    await page.waitForURL(`${url}docs/notion#webhooks`);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "On this page" }).click();
    await page.getByRole("navigation", { name: "On this page" }).getByRole("link").first().waitFor();
  });
});
