import assert from "node:assert/strict";
import { join } from "node:path";
import { writeWorkspace } from "@clew/stand-in/testing";
import type { Browser, Page } from "playwright-core";
import { openPage, openSection, openSignedIn, seeSynced } from "../browser/steps.ts";
import { visit } from "../support/browser.ts";
import { startRunning } from "../support/running-clew.ts";
import type { Stage } from "../support/stage.ts";

/** The time that a step may take while a large workspace is synced. */
const syncTimeoutMs = 200_000;

/**
 * A person who signs in to a large workspace, watches its first sync, and explores it. `see` gets each
 * state, with the seconds that it took to reach it.
 */
export async function walkLarge(
  stage: Stage,
  browser: Browser,
  {
    seed,
    pages,
    leastSteps,
  }: {
    readonly seed: number;
    readonly pages: number;
    /** The changes of the progress that must be seen. A fast machine reads hundreds of pages between two. */
    readonly leastSteps: number;
  },
  see: (page: Page, state: string, seconds: number) => Promise<void>,
): Promise<void> {
  const directory = join(stage.folder, "large");
  await writeWorkspace(directory, { seed, pages });
  const clew = await startRunning({ directory });
  stage.defer(() => clew.stop());
  const { page, expectedFaults } = await visit(stage, browser, { viewport: { width: 1280, height: 800 } });
  // Chromium tells that it draws in software.
  expectedFaults.push(/GPU stall due to ReadPixels/);
  let since = Date.now();
  const seen = async (state: string) => {
    await see(page, state, (Date.now() - since) / 1000);
    since = Date.now();
  };

  await openSignedIn(page, clew.url);
  await page.evaluate("window.isSamePage = true");
  const progress = await watchProgress(page);
  await seen("syncing");
  await seeSynced(page, { timeout: syncTimeoutMs });
  await seen("synced");
  const steps = await progress();
  assert.ok(steps.length >= leastSteps, `progress was shown ${steps.length} times`);
  assert.deepEqual(
    steps,
    steps.toSorted((a, b) => a - b),
  );
  await page
    .getByText(new RegExp(`^${pages.toLocaleString("en")}|pages, `))
    .first()
    .waitFor();

  await openSection(page, "Graph");
  await page.getByRole("link", { name: "See the path" }).waitFor();
  await seen("start");
  assert.equal(await page.evaluate("window.isSamePage"), true);
  await page.getByRole("link", { name: "See the path" }).click();
  await page.getByRole("region", { name: "The paths as a picture" }).waitFor();
  await seen("path");
  await page.goBack();

  const important = await page
    .getByRole("region", { name: "Most important pages" })
    .getByRole("link")
    .first()
    .innerText();
  await page.getByLabel("Search pages").fill(important.split(" ")[0] ?? "");
  await page.locator("[data-results] mark").first().waitFor();
  await seen("results");
  await openPage(page, important);
  await page.getByRole("region", { name: "Linked from" }).getByRole("link").first().waitFor();
  await seen("page of a hub");
  await page.getByRole("link", { name: "Local graph", exact: true }).click();
  await page.getByRole("group", { name: /^Pages around/ }).waitFor();
  // The first step of a hub takes the room of the second.
  await page.getByRole("radio", { name: "2 steps", disabled: true }).waitFor();
  await page.getByRole("region", { name: "The same as a table" }).waitFor();
  await seen("local graph of a hub");

  await page.goto(new URL("dashboard/map", clew.url).href);
  const map = page.getByRole("application", { name: /^Map of / });
  await map.waitFor();
  await seen("map");
  await map.focus();
  for (let step = 0; step < 6; step += 1) await page.keyboard.press("+");
  await page.keyboard.press("ArrowRight");
  await page.getByRole("button", { name: "Find a path from here" }).waitFor();
  await seen("map from near");
  await page.getByRole("button", { name: "As a table" }).click();
  await page.getByRole("rowheader").nth(1).waitFor();
  await seen("map as a table");
}

/** Records each number of pages that are read, as the page shows it. */
async function watchProgress(page: Page): Promise<() => Promise<readonly number[]>> {
  await page.getByText(/^Finding pages|^Reading pages/).waitFor();
  await page.evaluate(`
    window.progressSteps = [];
    new MutationObserver(() => {
      const value = document.querySelector("progress[aria-label='Reading pages']")?.value;
      if (value !== undefined && value !== progressSteps.at(-1)) progressSteps.push(value);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  `);
  return () => page.evaluate<number[]>("progressSteps");
}
