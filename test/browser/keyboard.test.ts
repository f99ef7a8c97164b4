import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { launchBrowser, noBrowser, visit } from "../support/browser.ts";
import { call } from "../support/call.ts";
import { stageOf } from "../support/stage.ts";
import { startSmallClew } from "./small-clew.ts";
import { openSignedOut, seeDashboard, signInLink } from "./steps.ts";

describe("the dashboard by keyboard", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  /** Presses Tab until this element has the focus, which must be visible. */
  async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
    await target.waitFor();
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press(key);
      if (!(await target.evaluate((element) => element === element.ownerDocument.activeElement))) continue;
      const outline = await page.evaluate<string>("getComputedStyle(document.activeElement).outline");
      assert.match(outline, /\bsolid 3px$/, "the focus is not visible");
      return;
    }
    assert.fail(`${target} cannot be reached by keyboard`);
  }

  async function press(page: Page, target: Locator): Promise<void> {
    await tabTo(page, target);
    await page.keyboard.press("Enter");
  }

  const focused = (page: Page, name: string) =>
    page.locator(":focus").filter({ hasText: name }).first().waitFor();

  test("everything from the sign-in to the sign-out works without a mouse", async (t) => {
    const stage = await stageOf(t);
    const url = await startSmallClew(stage);
    const { page, context } = await visit(stage, browser);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await openSignedOut(page, url);
    await press(page, signInLink(page));

    await tabTo(page, page.getByRole("checkbox", { name: "Minotaur" }));
    await page.keyboard.press("Space");
    await press(page, page.getByRole("button", { name: "Allow" }));
    await seeDashboard(page);

    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await focused(page, "Workspaces");
    await page.getByText(/^2 pages, /).waitFor();
    await page.reload();
    await page.getByText(/^2 pages, /).waitFor();
    // The first stop of a page leads past the sections.
    await page.keyboard.press("Tab");
    await focused(page, "Skip to the content");
    await page.keyboard.press("Enter");
    await press(page, page.getByText("Sync report"));
    await page.getByText("Complete: everything you share was read.").waitFor();

    await page.keyboard.press("?");
    await focused(page, "Close");
    await page.keyboard.press("Escape");
    await focused(page, "Sync report");
    await page.keyboard.press("/");
    await page.locator("input[type=search]:focus").waitFor();
    await page.keyboard.type("g t");
    await page.keyboard.press("Enter");
    await page.waitForURL(/graph\?q=g(\+|%20)t$/);
    await focused(page, "Search: g t");
    assert.equal(await page.title(), "Search: g t · Clew");

    await page.locator("body").press("g");
    await page.keyboard.press("t");
    await focused(page, "Tokens");
    assert.equal(await page.title(), "Tokens · Clew");
    await press(page, page.getByRole("link", { name: "Create token" }));
    await focused(page, "Create a token");
    await tabTo(page, page.getByLabel("Name", { exact: true }));
    await page.keyboard.type("reading agent");
    await tabTo(page, page.getByRole("checkbox", { name: "Follow links" }));
    await page.keyboard.press("Space");
    await press(page, page.getByRole("button", { name: "Review" }));
    await focused(page, "Is this right?");
    await press(page, page.getByRole("button", { name: "Create token" }));

    await focused(page, "Token created: reading agent");
    await press(page, page.getByRole("button", { name: "Copy the token" }));
    const raw = await page.getByRole("main").locator("code").first().innerText();
    await focused(page, "Copied");
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), raw);
    await tabTo(page, page.getByRole("tab", { name: "Claude Code" }));
    await page.keyboard.press("ArrowLeft");
    await focused(page, "Python");
    await page.keyboard.press("Home");
    await focused(page, "Claude Code");
    const { body } = await call<{ scopes: string[] }>(url, "api/v1/token/", { token: raw });
    assert.deepEqual(body.scopes, ["graph:neighbors"]);
    await tabTo(page, page.getByRole("button", { name: "Done, I’ve saved it" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await focused(page, "Tokens");

    await press(page, page.getByRole("button", { name: "Revoke… reading agent" }));
    await focused(page, "Cancel");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal((await call(url, "api/v1/token/", { token: raw })).status, 200);
    await focused(page, "Revoke");
    await page.keyboard.press("Enter");
    await press(page, page.getByRole("dialog").getByRole("button", { name: "Revoke" }));
    await focused(page, "Tokens");
    assert.equal((await call(url, "api/v1/token/", { token: raw })).status, 401);

    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await focused(page, "Workspaces");
    await press(page, page.getByRole("button", { name: "Disconnect… Labyrinth" }));
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.type("Labyrinth");
    await page.keyboard.press("Enter");
    await page.getByText("No workspace connected yet").waitFor();
    await focused(page, "Workspaces");

    await tabTo(page, page.getByRole("button", { name: /^Account/ }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await press(page, page.getByRole("link", { name: "Your account" }));
    await focused(page, "Your account");
    await press(page, page.getByRole("main").getByRole("button", { name: "Sign out" }));
    await focused(page, "Follow every link");
    await tabTo(page, signInLink(page));
  });
});
