import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { examine } from "../browser/examine.ts";
import { launchBrowser } from "../support/browser.ts";
import { openStage } from "../support/stage.ts";
import { walkLarge } from "./walk.ts";

/**
 * The dashboard over a workspace of 10 000 pages, in a real browser: `PAGES=10000 npm run campaign large`. PICTURES is a
 * folder for a picture of each state. Prints the states and how long each took to reach; the exit code is 1 if a state was
 * not reached, if axe found something, or if the browser reported an error.
 */
const pages = Number(process.env.PAGES ?? 10_000);
const pictures = process.env.PICTURES;
const browser = await launchBrowser();
const stage = await openStage();
try {
  await walkLarge(stage, browser, { seed: 7, pages, leastSteps: 3 }, async (page, state, seconds) => {
    console.log(`${state}: ${seconds.toFixed(1)} s`);
    await examine(page, state);
    if (pictures === undefined) return;
    // Titles on the map come after the map itself.
    await setTimeout(1_000);
    await page.screenshot({ path: join(pictures, `${state.replaceAll(" ", "-")}.png`), fullPage: true });
  });
} finally {
  await stage.close();
  await browser.close();
}
