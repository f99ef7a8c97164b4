import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { freePort } from "../support/clew-process.ts";
import { startRunning } from "../support/running-clew.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { stageOf } from "../support/stage.ts";
import { emptyClew, sharedBrowser } from "./shared.ts";
import {
  allow,
  openConsent,
  openSection,
  openSignedIn,
  openSignedOut,
  seeDashboard,
  seeSynced,
} from "./steps.ts";

describe("the frame of the dashboard", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  test("after a sign-in the graph is open; each view is marked in the rail, and the API reference is a link", async (t) => {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const { page } = await visit(stage, browser, { viewport: { width: 1440, height: 900 } });
    await openSignedOut(page, url);
    await openConsent(page);
    await allow(page);
    await page.getByRole("heading", { level: 1, name: "Graph" }).waitFor();
    assert.equal(page.url(), `${url}dashboard/graph`);
    const rail = page.getByRole("navigation", { name: "Sections" });
    const marked = () =>
      rail.getByRole("link").evaluateAll((links) =>
        links.flatMap((link) => {
          const mark = link.getAttribute("aria-current");
          return mark === null ? [] : `${link.innerText}: ${mark}`;
        }),
      );
    assert.deepEqual(await marked(), ["Graph: page"]);
    for (const [name, heading, expected] of [
      ["Map", "Map", ["Graph: true", "Map: page"]],
      ["Find a path", "Find a path", ["Graph: true", "Find a path: page"]],
      ["Tokens", "Tokens", ["Tokens: page"]],
      ["Clew", "Graph", ["Graph: page"]],
    ] as const) {
      await rail.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      assert.deepEqual(await marked(), expected);
    }
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole("link", { name: "Open the map" }).click();
    await page.getByRole("heading", { level: 1, name: "Map" }).waitFor();
    assert.deepEqual(await rail.getByRole("link").allInnerTexts(), [
      "Graph",
      "Map",
      "Paths",
      "Workspaces",
      "Tokens",
    ]);
    assert.equal(await rail.getByRole("link", { name: "Graph" }).getAttribute("aria-current"), "true");
    await page.setViewportSize({ width: 1440, height: 900 });
    await rail.getByRole("link", { name: "API reference" }).click();
    await page.getByRole("heading", { level: 1, name: "API reference" }).waitFor();
  });

  test("ERR-2: a browser sees a page at a path that does not exist, and finds the dashboard from there", async (t) => {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const { page, expectedFaults } = await visit(stage, browser);
    expectedFaults.push(/^Failed to load resource.*404/);
    for (const path of ["dashboard/nothing", "dashboard/assets/nothing.js", "api/nothing", "nothing"]) {
      const response = await page.goto(`${url}${path}`);
      assert.equal(response?.status(), 404, path);
      await page.getByRole("heading", { name: "There is no page here" }).waitFor();
    }
    await page.getByRole("link", { name: "Open the dashboard" }).click();
    await page.waitForURL(`${url}dashboard/`);
    const asked = await page.request.get(`${url}api/nothing`);
    assert.match(asked.headers()["content-type"] ?? "", /^application\/problem\+json/);
  });

  test("OPS-2: below the path of PUBLIC_URL every view works and can be reloaded", async (t) => {
    const stage = await stageOf(t);
    const port = await freePort();
    const publicUrl = `http://localhost:${port}/tools/clew`;
    const clew = await startRunning({
      directory: await writeSmallWorkspace(stage),
      env: { PORT: String(port), PUBLIC_URL: publicUrl },
    });
    stage.defer(() => clew.stop());
    const { page } = await visit(stage, browser);
    await openSignedIn(page, clew.url);
    for (const section of ["Graph", "Tokens", "Activity", "Workspaces"] as const) {
      await openSection(page, section);
      assert.equal(page.url(), `${publicUrl}/dashboard/${section.toLowerCase()}`);
      assert.equal(await page.title(), `${section} · Clew`);
      await page.reload();
      await page.getByRole("heading", { level: 1, name: section }).waitFor();
    }
  });

  test("OPS-6: after a restart of Clew the page continues without reloading", async (t) => {
    const stage = await stageOf(t);
    const settings = { PORT: String(await freePort()), WORKSPACE_DIR: await writeSmallWorkspace(stage) };
    const first = await stage.start(settings);
    const { page, expectedFaults } = await visit(stage, browser);
    expectedFaults.push(/^Failed to load resource/);
    await page.clock.install();
    await openSignedIn(page, first.url);
    await seeSynced(page);
    await page.evaluate("window.isSamePage = true");
    await first.kill();
    await page.clock.runFor(31_000);
    const alert = page.getByRole("alert").filter({ hasText: "Clew can’t be reached." });
    await alert.waitFor();
    await stage.start(settings);
    await page.clock.runFor(5_000);
    await alert.waitFor({ state: "detached" });
    await openSection(page, "Activity");
    await page.getByText("This browser").waitFor();
    assert.equal(await page.evaluate("window.isSamePage"), true);
  });

  test("the person can go back and forth, and each view is at the address that it was opened with", async (t) => {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const { page } = await visit(stage, browser);
    await openSignedOut(page, url);
    await openSignedIn(page, url);
    await openSection(page, "Tokens");
    await openSection(page, "Activity");
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Tokens" }).waitFor();
    await page.goForward();
    await page.getByRole("heading", { level: 1, name: "Activity" }).waitFor();
    await page.goto(`${url}dashboard/tokens/new?name=agent`);
    await seeDashboard(page);
    await page.getByRole("heading", { level: 1, name: "Create a token" }).waitFor();
  });
});
