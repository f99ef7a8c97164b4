import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { launchBrowser, noBrowser, visit } from "../support/browser.ts";
import { call } from "../support/call.ts";
import { stageOf } from "../support/stage.ts";
import { startSmallClew } from "./small-clew.ts";
import { openSignedOut, revealed, seeDashboard, signInLink } from "./steps.ts";

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

  const focused = (page: Page, name: string) => page.locator(":focus").filter({ hasText: name }).waitFor();

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
    await page.getByText(/^2 pages, /).waitFor();
    await press(page, page.getByText("The last sync"));
    await page.getByText("✓ Complete").waitFor();

    await press(page, page.getByRole("button", { name: "Create a token" }));
    await page.locator("input[name=name]:focus").waitFor();
    await page.keyboard.type("reading agent");
    await tabTo(page, page.getByRole("checkbox", { name: "Find pages by their title" }));
    await page.keyboard.press("Space");
    await press(page, page.getByRole("button", { name: "Create token" }));

    await focused(page, "Copy it now.");
    await press(page, page.getByRole("button", { name: "Copy the token" }));
    const raw = await revealed(page).locator("code").first().innerText();
    await focused(page, "Copied");
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), raw);
    const { body } = await call<{ scopes: string[] }>(url, "api/v1/token/", { token: raw });
    assert.deepEqual(body.scopes, ["graph:read", "graph:neighbors"]);
    await press(page, page.getByRole("button", { name: "I have stored it" }));
    await focused(page, "Create a token");

    await press(page, page.getByRole("button", { name: "Revoke reading agent" }));
    await focused(page, "Keep it");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal((await call(url, "api/v1/token/", { token: raw })).status, 200);
    await focused(page, "Revoke");
    await page.keyboard.press("Enter");
    await press(page, page.getByRole("dialog").getByRole("button", { name: "Revoke" }));
    await focused(page, "Service tokens");
    assert.equal((await call(url, "api/v1/token/", { token: raw })).status, 401);
    await press(page, page.getByText("Revoked and expired tokens"));
    await page.getByText("✕ Revoked").waitFor();

    await press(page, page.getByRole("button", { name: "Delete my account" }));
    await page.getByRole("dialog").locator("input:focus").waitFor();
    await page.keyboard.press("Escape");
    await focused(page, "Delete my account");
    await press(page, page.getByRole("button", { name: "Disconnect" }));
    await focused(page, "Keep it");
    await press(page, page.getByRole("dialog").getByRole("button", { name: "Disconnect" }));
    await focused(page, "Workspaces");

    await tabTo(page, page.getByRole("button", { name: "Sign out" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await focused(page, "Follow every link");
    await tabTo(page, signInLink(page));
  });
});
