import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { call } from "../support/call.ts";
import { signIn as signInWithoutBrowser } from "../support/session.ts";
import { syncedDemo } from "../support/shared-demo.ts";
import { stageOf } from "../support/stage.ts";
import { emptyClew, sharedBrowser } from "./shared.ts";
import { openSignedIn, openSignedOut, seeDashboard, seeSynced, signInLink, storedSession } from "./steps.ts";

/** Whether the focus is outlined; in a drawing the mark itself has the outline. */
const showsFocus = `(() => {
  const focused = document.activeElement;
  if (!(focused instanceof SVGElement)) return /\\bsolid 3px$/.test(getComputedStyle(focused).outline);
  const { stroke } = getComputedStyle(focused.firstElementChild);
  return stroke !== "none" && stroke !== "rgba(0, 0, 0, 0)";
})()`;

describe("the dashboard by keyboard", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  /** Presses Tab until this element has the focus, which must be visible. */
  async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
    await target.waitFor();
    for (let step = 0; step < 200; step += 1) {
      await page.keyboard.press(key);
      if (!(await target.evaluate((element) => element === element.ownerDocument.activeElement))) continue;
      assert.ok(await page.evaluate<boolean>(showsFocus), "the focus is not visible");
      return;
    }
    assert.fail(`${target} cannot be reached by keyboard`);
  }

  async function press(page: Page, target: Locator, key = "Enter", way = "Tab"): Promise<void> {
    await tabTo(page, target, way);
    await page.keyboard.press(key);
  }

  const focused = (page: Page, name: string) =>
    page.locator(":focus").filter({ hasText: name }).first().waitFor();

  test("everything from the sign-in to the sign-out works without a mouse", async (t) => {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const { page, context } = await visit(stage, browser);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await openSignedOut(page, url);
    await press(page, signInLink(page));

    // Until its style has loaded, the page shows the pages of every person, and no focus.
    await page.getByRole("group", { name: "Pages that Visitor shares" }).waitFor({ state: "hidden" });
    const shared = page.getByRole("group", { name: "Pages that Librarian shares" });
    await tabTo(page, shared.getByRole("checkbox", { name: "Minotaur" }));
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
    await page.locator("#search:focus").waitFor();
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
    const raw = await page.getByRole("main").locator("code", { hasText: /^svc_/ }).innerText();
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

    const menu = page.getByRole("button", { name: "Actions for reading agent" });
    const revoke = page.getByRole("button", { name: "Revoke… reading agent" });
    await press(page, menu);
    await press(page, revoke);
    await focused(page, "Cancel");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal((await call(url, "api/v1/token/", { token: raw })).status, 200);
    await page.locator("button[aria-label='Actions for reading agent']:focus").waitFor();
    await page.keyboard.press("Enter");
    await press(page, revoke);
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

  test("the graph is searched, read, walked and left by keyboard alone", async (t) => {
    const stage = await stageOf(t);
    const demo = await syncedDemo();
    const { page, context, expectedFaults } = await visit(stage, browser);
    expectedFaults.push(/GPU stall due to ReadPixels/);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await openSignedIn(page, demo);
    const token = (await storedSession(page))?.access ?? "";
    assert.equal((await call(demo, "api/auth/sessions/", { method: "DELETE", token })).status, 204);
    await seeSynced(page);
    const goTo = async (key: string, title: string) => {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await focused(page, title);
    };

    await page.keyboard.press("/");
    await page.keyboard.type("jupiter");
    await page.keyboard.press("Enter");
    await focused(page, "Search: jupiter");
    await page.locator("[data-title]").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.press("ArrowDown");
    while ((await page.locator(":focus").innerText()) !== "Jupiter") await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await focused(page, "Jupiter");
    await page.waitForURL(/graph\/[0-9a-f-]{36}$/);
    await press(page, page.getByRole("link", { name: "In the family" }));
    await page.waitForURL(/at=\d+/);
    await press(page, page.getByRole("button", { name: "Copy as…" }), "Enter", "Shift+Tab");
    await press(page, page.locator(":popover-open").getByRole("button", { name: "curl: Text" }));
    assert.match(await page.evaluate<string>("navigator.clipboard.readText()"), /^curl /);
    await focused(page, "Copy as…");

    await press(page, page.getByRole("link", { name: "Local graph", exact: true }));
    const picture = page.getByRole("group", { name: /^Pages around Jupiter/ });
    await picture.waitFor();
    await press(page, page.getByRole("button", { name: "Zoom in" }), "Space");
    await tabTo(page, picture.getByRole("link", { name: /^Jupiter/ }), "Shift+Tab");
    const label = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
    const shown = () => picture.getAttribute("viewBox");
    const enlarged = await shown();
    await page.keyboard.press("-");
    assert.notEqual(await shown(), enlarged);
    await page.keyboard.press("+");
    assert.equal(await shown(), enlarged);
    await page.keyboard.press("ArrowRight");
    assert.doesNotMatch(await label(), /^Jupiter/);
    const count = await picture.getByRole("link").count();
    await page.keyboard.press("Space");
    const folded = page.getByRole("dialog");
    await folded.getByRole("link").first().waitFor();
    await press(page, folded.getByRole("button", { name: "Add them to the picture" }));
    await picture.getByRole("link").nth(count).waitFor();
    await page.keyboard.press("Escape");
    assert.match(await label(), /^Jupiter/);
    await page.keyboard.press("ArrowDown");
    const [next = ""] = (await label()).split(",");
    await page.keyboard.press("Enter");
    await focused(page, next);

    await press(page, page.getByRole("link", { name: "Find a path from here" }));
    await focused(page, "Find a path");
    await tabTo(page, page.getByLabel("To", { exact: true }));
    await page.keyboard.type("Hōkūleʻa");
    await page.getByRole("option", { name: /^Hōkūleʻa/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: `From ${next} to Hōkūleʻa` }).waitFor();
    await press(page, page.getByRole("button", { name: "Swap" }), "Enter", "Shift+Tab");
    await page.getByRole("heading", { level: 1, name: `From Hōkūleʻa to ${next}` }).waitFor();
    await page.getByRole("heading", { name: /^Path 1/ }).waitFor();

    await goTo("g", "Graph");
    await press(page, page.getByRole("main").getByRole("link", { name: /map$/i }).first());
    await focused(page, "Map");
    await tabTo(page, page.getByRole("application"));
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowLeft");
    await page.getByText(/^Linked with \d+ pages/).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/graph\/[0-9a-f-]{36}$/);
    await page.locator("h1:focus").waitFor();

    await signInWithoutBrowser(demo);
    await signInWithoutBrowser(demo);
    await goTo("a", "Activity");
    const sessions = page.getByRole("region", { name: "Where you are signed in" }).getByRole("listitem");
    await sessions.nth(2).waitFor();
    await press(page, page.getByRole("button", { name: "Sign out node" }).first());
    await sessions.nth(2).waitFor({ state: "detached" });
    assert.notEqual(await page.evaluate<string>("document.activeElement.tagName"), "BODY");
    await press(page, page.getByRole("button", { name: "Sign out everywhere else" }));
    await focused(page, "Cancel");
    await press(page, page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere else" }));
    await sessions.nth(1).waitFor({ state: "detached" });
    assert.notEqual(await page.evaluate<string>("document.activeElement.tagName"), "BODY");
  });
});
