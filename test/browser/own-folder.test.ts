import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { startRunning } from "../support/running-clew.ts";
import { signIn as signInByApi, waitForSync } from "../support/session.ts";
import { shared } from "../support/shared.ts";
import { type Stage, stageOf } from "../support/stage.ts";
import { examine } from "./examine.ts";
import { sharedBrowser } from "./shared.ts";
import { openSignedIn, openSignedOut, seeDashboard } from "./steps.ts";

/** Notes as Obsidian keeps them. Index lists enough others to be a hub. */
const notes = {
  "Bees.md": markdownPage(
    "Bees",
    [
      "# Bees",
      "Bees make ==sweet **honey**== for #food/sweet. %% A note to myself. %% About $E=mc^2$ of it.",
      "",
      "They fly to [[Clover]], then to [[Heather]].",
      "",
      "[[Index]]",
      "",
      "%%",
      "Nobody reads this line.",
      "%%",
      "",
      "> [!warning] They sting",
    ].join("\n"),
  ),
  "Clover.md": markdownPage("Clover", "Grows beside [[Heather]]. #food/sweet"),
  "Heather.md": markdownPage("Heather", "Blooms on [[Moors]]."),
  "Moors.md": markdownPage("Moors", "[[Index]]"),
  "Index.md": markdownPage(
    "Index",
    Array.from({ length: 201 }, (_, index) => `- [[Leaf ${index}]]`).join("\n"),
  ),
  ...Object.fromEntries(
    Array.from({ length: 201 }, (_, index) => [`leaves/Leaf ${index}.md`, markdownPage(`Leaf ${index}`, "")]),
  ),
};

/** A Clew over these notes, which a person has synced. */
const garden: () => Promise<URL> = shared(async (stage) => {
  const folder = join(stage.folder, "garden");
  await writeFiles(folder, notes);
  const clew = await startRunning({ env: { WORKSPACE_DIR: folder } });
  stage.defer(() => clew.stop());
  await waitForSync(clew.url, await signInByApi(clew.url));
  return clew.url;
});

describe("an own folder in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  let clew: URL;
  before(async () => {
    [browser, clew] = await Promise.all([sharedBrowser(), garden()]);
  });

  const enter = async (stage: Stage, options = {}): Promise<Page> => {
    const { page } = await visit(stage, browser, options);
    await openSignedIn(page, clew);
    return page;
  };

  const open = async (page: Page, title: string) => {
    await page.goto(new URL(`dashboard/graph?q=${title}`, clew).href);
    await page.locator("[data-results]").getByRole("link", { name: title, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
  };

  test("SRC-2: if a folder is empty, its sync says so", async (t) => {
    const stage = await stageOf(t);
    const folder = join(stage.folder, "empty");
    await mkdir(folder);
    const empty = await startRunning({ env: { FOLDERS: `empty=${folder}` } });
    stage.defer(() => empty.stop());
    const { page } = await visit(stage, browser);
    await openSignedIn(page, empty.url);
    await page.getByText("The last sync failed: The folder is empty.").waitFor();
    await page.getByText("Sync report").click();
    await page.getByText("Stopped early. The folder is empty.").waitFor();
    assert.equal(await page.getByText("Nothing had changed.").count(), 0);
  });

  test("SRC-2: the folder is named at sign-in, and one press opens it", async (t) => {
    const { page } = await visit(await stageOf(t), browser);
    await openSignedOut(page, clew);
    await page.getByText("garden is a folder of Markdown on the machine that Clew runs on.").waitFor();
    await examine(page, "sign-in to an own folder");
    await page.getByRole("link", { name: "Open garden", exact: true }).click();
    await seeDashboard(page);
  });

  test("GRAPH-5: Obsidian's markup is read in the text of a page, and a tag leads to the pages that have it", async (t) => {
    const page = await enter(await stageOf(t));
    await open(page, "Bees");
    const text = page.getByRole("article");
    assert.equal(await text.locator("mark").textContent(), "sweet honey");
    assert.equal(await text.getByRole("math").textContent(), "E=mc^2");
    assert.equal(await text.getByText(/note to myself|Nobody reads|%%|==/).count(), 0);
    await text.getByText("They sting").waitFor();
    await examine(page, "Obsidian's markup");
    await text.getByRole("link", { name: "#food/sweet" }).click();
    const results = page.locator("[data-results]");
    await results.getByRole("link", { name: "Clover", exact: true }).waitFor();
    await results.getByRole("link", { name: "Bees", exact: true }).waitFor();
  });

  test("GRAPH-24: a sentence with two links is listed once, with both marked, and so is a backlink's", async (t) => {
    const page = await enter(await stageOf(t));
    await open(page, "Bees");
    const links = page.getByRole("region", { name: "Links to" });
    const sentence = links.getByText("They fly to Clover, then to Heather.");
    await sentence.waitFor();
    assert.equal(await sentence.count(), 1);
    assert.deepEqual(await sentence.locator("mark").allTextContents(), ["Clover", "Heather"]);
    await open(page, "Heather");
    const backlinks = page.getByRole("region", { name: "Linked from" });
    await backlinks.locator("mark", { hasText: "Heather" }).nth(1).waitFor();
  });

  test("GRAPH-8: a path goes around an index unless a switch lets it through, and does not quote a title", async (t) => {
    const page = await enter(await stageOf(t));
    await open(page, "Bees");
    await page.getByRole("link", { name: "Find a path from here" }).click();
    await page.getByLabel("To", { exact: true }).fill("Moors");
    await page.getByRole("option", { name: /Moors/ }).click();
    await page
      .getByText("Pages in between with more than 200 links, such as indexes, are passed by.")
      .waitFor();
    const steps = page.getByRole("region", { name: "Path 1: 2 steps" });
    await steps.getByRole("link", { name: "Heather" }).waitFor();
    await examine(page, "path around hubs");
    await page.getByRole("checkbox", { name: "Go around pages with more than 200 links" }).uncheck();
    await page.waitForURL(/hubs=true/);
    await steps.getByRole("link").nth(1).waitFor();
  });

  test("a page's text begins in the first screen of a phone, and its actions are in a menu", async (t) => {
    const page = await enter(await stageOf(t), { viewport: { width: 390, height: 844 } });
    await open(page, "Bees");
    const first = page.getByRole("article").getByText(/^Bees make/);
    await first.waitFor();
    const box = await first.boundingBox();
    assert.ok(box !== null && box.y < 500, JSON.stringify(box));
    assert.equal(await page.getByRole("button", { name: "Copy as…" }).isVisible(), false);
    await page.getByRole("button", { name: "Actions" }).click();
    await page.locator(":popover-open").getByRole("link", { name: "Find a path from here" }).waitFor();
    await examine(page, "actions of a page on a phone");
    assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
  });

  test("the facts of a page are whole on the narrowest phone", async (t) => {
    const page = await enter(await stageOf(t), { viewport: { width: 240, height: 844 } });
    await open(page, "Bees");
    const box = await page.getByText(/^\d+ links$/).boundingBox();
    assert.ok(box !== null && box.x + box.width <= 240, JSON.stringify(box));
  });

  test("GRAPH-19: each ready list shows how many pages it has and what it means", async (t) => {
    const page = await enter(await stageOf(t));
    await page.goto(new URL("dashboard/graph", clew).href);
    await page
      .getByRole("button", {
        name: /^Unreferenced\s*[12]\s*No page links to them; orphaned ones are among them$/,
      })
      .waitFor();
    await page.getByRole("button", { name: /^Empty\s*20[12]/ }).waitFor();
    await examine(page, "ready lists");
  });
});
