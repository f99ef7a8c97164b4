import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { freePort } from "../support/clew-process.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { stageOf } from "../support/stage.ts";
import { emptyClew, sharedBrowser } from "./shared.ts";
import { openSection, openSignedIn } from "./steps.ts";

/** Parts of the application that are loaded when they are first needed. */
describe("a part of the dashboard that cannot be loaded", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  const rail = (page: Page) => page.getByRole("navigation", { name: "Sections" });
  const mapChunk = /assets\/map-view-.*\.js/;

  test("OPS-6: with Clew stopped a view that was never opened says so, and opens by itself once Clew is back", async (t) => {
    const stage = await stageOf(t);
    const settings = { PORT: String(await freePort()), WORKSPACE_DIR: await writeSmallWorkspace(stage) };
    const first = await stage.start(settings);
    const { page, expectedFaults } = await visit(stage, browser);
    expectedFaults.push(/^Failed to load resource/);
    await page.clock.install();
    await openSignedIn(page, first.url);
    await page.evaluate("window.isSamePage = true");
    await first.kill();
    await rail(page).getByRole("link", { name: "Map" }).click();
    const alert = page.getByRole("alert").filter({ hasText: "Clew can’t be reached." });
    await alert.waitFor();
    await page.clock.runFor(2_000);
    await page.getByRole("heading", { name: "This view opens as soon as Clew can be reached" }).waitFor();
    // Parts that are there already can still be used.
    await openSection(page, "Tokens");
    await rail(page).getByRole("link", { name: "Map" }).click();
    await page.clock.runFor(2_000);
    await page.getByRole("heading", { name: "Waiting for Clew" }).waitFor();
    await stage.start(settings);
    await page.clock.runFor(5_000);
    await page.getByRole("heading", { level: 1, name: "Map" }).waitFor();
    await alert.waitFor({ state: "detached" });
    assert.equal(await page.evaluate("window.isSamePage"), true);
  });

  test("OPS-6: the person can have a part loaded now instead of waiting", async (t) => {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const { page, context, expectedFaults } = await visit(stage, browser);
    expectedFaults.push(/^Failed to load resource/);
    await page.clock.install();
    await openSignedIn(page, url);
    await page.evaluate("window.isSamePage = true");
    await context.setOffline(true);
    await rail(page).getByRole("link", { name: "Map" }).click();
    const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
    await again.waitFor();
    await context.setOffline(false);
    await again.click();
    await page.getByRole("heading", { level: 1, name: "Map" }).waitFor();
    assert.equal(await page.evaluate("window.isSamePage"), true);
  });

  test("OPS-6: a part that an upgrade has replaced is had by loading the page again, once", async (t) => {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const { page, context, expectedFaults } = await visit(stage, browser);
    expectedFaults.push(/^Failed to load resource/, /a part of the dashboard is gone/);
    await openSignedIn(page, url);
    await page.evaluate("window.isSamePage = true");
    let refused = 0;
    await context.route(mapChunk, (route) => {
      refused += 1;
      return refused <= 2 ? route.fulfill({ status: 404, body: "" }) : route.continue();
    });
    await rail(page).getByRole("link", { name: "Map" }).click();
    await page.getByRole("heading", { level: 1, name: "Map" }).waitFor();
    assert.equal(await page.evaluate("window.isSamePage"), undefined, "the page was loaded again");
    await context.unroute(mapChunk);
    await context.route(mapChunk, (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(`${url}dashboard/map`);
    await page.getByRole("heading", { level: 1, name: "This page couldn’t be shown" }).waitFor();
    assert.equal(new URL(page.url()).pathname, "/dashboard/map");
  });

  test("all parts are loaded while the browser is idle, so that they open without Clew", async (t) => {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const { page, context, expectedFaults } = await visit(stage, browser);
    expectedFaults.push(/^Failed to load resource/);
    // The last of them.
    const loaded = page.waitForResponse(/assets\/connect-view-.*\.js/);
    await openSignedIn(page, url);
    await (await loaded).finished();
    await context.setOffline(true);
    for (const [link, heading] of [
      ["Map", "Map"],
      ["Find a path", "Find a path"],
      ["Activity", "Activity"],
    ] as const) {
      await rail(page).getByRole("link", { name: link, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    }
  });
});
