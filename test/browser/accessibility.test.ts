import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser, noBrowser, visit } from "../support/browser.ts";
import { stageOf } from "../support/stage.ts";
import { examine } from "./examine.ts";
import { startSmallClew, startSmallClewWithNotion, textCalls } from "./small-clew.ts";
import {
  allow,
  confirmSaved,
  draftToken,
  makeToken,
  openAccountMenu,
  openConsent,
  openSection,
  openSignedOut,
  revealed,
  seeSynced,
  signInLink,
  signOut,
} from "./steps.ts";

describe("accessibility in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  const phone = { width: 360, height: 740 };
  const desk = { width: 1440, height: 900 };

  for (const [colorScheme, viewport] of [
    ["light", phone],
    ["dark", desk],
  ] as const) {
    const name = `${colorScheme}, ${viewport.width} pixels wide`;
    test(`WCAG 2.2 AA: axe reports nothing in any state of a page, and no page is too wide (${name})`, async (t) => {
      const stage = await stageOf(t);
      const { url, notion } = await startSmallClewWithNotion(stage);
      const { page, context, expectedFaults } = await visit(stage, browser, { colorScheme, viewport });
      expectedFaults.push(/^Failed to load resource/);

      await page.goto(new URL("docs", url).href);
      await page.getByRole("heading", { name: "Clew API reference" }).waitFor();
      await examine(page, "reference");
      await page.goto(new URL("dashboard/nothing", url).href);
      await page.getByRole("heading", { name: "There is no page here" }).waitFor();
      await examine(page, "not found");
      await openSignedOut(page, url);
      await examine(page, "signed out");
      await openConsent(page);
      await examine(page, "consent");
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("alert").waitFor();
      await examine(page, "cancelled");
      await openConsent(page);
      notion.faults.set([{ on: textCalls, fault: { kind: "error", code: "validation_error" }, times: 1 }]);
      await allow(page);
      await openSection(page, "Workspaces");
      await seeSynced(page);
      await page.getByText("Sync report").click();
      await page.getByText("1 page could not be read.").waitFor();
      await examine(page, "workspaces, with a report");
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await examine(page, "shortcuts");
      await page.keyboard.press("Escape");
      await openAccountMenu(page);
      await page.getByRole("link", { name: "Your account" }).waitFor();
      await examine(page, "account menu");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: /^Disconnect/ }).click();
      await page.getByRole("dialog").waitFor();
      await examine(page, "disconnect");
      await page.keyboard.press("Escape");
      notion.faults.set([{ on: "*", fault: { kind: "withdrawn" } }]);
      await page.getByRole("button", { name: "Sync now" }).click();
      await page.getByRole("link", { name: "Reconnect" }).waitFor();
      await examine(page, "grant withdrawn");
      notion.faults.clear();
      await page.getByRole("link", { name: "Reconnect" }).click();
      await allow(page);
      await openSection(page, "Workspaces");
      await seeSynced(page);
      notion.faults.set([{ on: "*", fault: { kind: "error", code: "rate_limited", retryAfter: 300 } }]);
      await page.getByRole("button", { name: "Sync now" }).click();
      await page.getByText("Waiting for the provider’s limit").waitFor();
      await examine(page, "sync waits");

      await openSection(page, "Tokens");
      await page.getByText("No token yet").waitFor();
      await examine(page, "no token");
      await page.getByRole("link", { name: "Create token" }).click();
      await page.getByRole("button", { name: "Review" }).click();
      await page.getByText("Give it a name.").waitFor();
      await page.getByLabel("Expires").selectOption("Never");
      await examine(page, "token form, with faults");
      await openSection(page, "Tokens");
      await draftToken(page, "An agent with a long name and-a-word-that-does-not-end-before-the-line-does");
      await examine(page, "review");
      await page.getByRole("button", { name: "Create token" }).click();
      await revealed(page).waitFor();
      await examine(page, "token revealed");
      await page.getByRole("link", { name: "Activity" }).click();
      await page.getByRole("dialog").waitFor();
      await examine(page, "stored?");
      await page.getByRole("button", { name: "Stay" }).click();
      await confirmSaved(page);
      await page.getByRole("button", { name: /^Rotate/ }).click();
      await page.getByRole("dialog").waitFor();
      await examine(page, "rotate");
      await page.keyboard.press("Escape");
      await makeToken(page, "script");
      await confirmSaved(page);
      await page.getByRole("button", { name: "Revoke… script" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByText("Revoked and expired tokens", { exact: true }).click();
      await page.getByText("Revoked", { exact: true }).waitFor();
      await examine(page, "tokens");
      await page.getByRole("link", { name: "script" }).click();
      await page.getByRole("heading", { level: 1, name: "script" }).waitFor();
      await page.getByText("Token revoked").waitFor();
      await examine(page, "token");
      await openSection(page, "Activity");
      await page.getByText("Signed in", { exact: true }).first().waitFor();
      await examine(page, "activity");
      await page.goto(new URL("dashboard/account", url).href);
      await page.getByRole("button", { name: "Delete account…" }).click();
      await page.getByRole("dialog").waitFor();
      await examine(page, "account");
      await page.keyboard.press("Escape");
      await context.setOffline(true);
      await signOut(page);
      await page.getByText("You are still signed in.").waitFor();
      await examine(page, "offline");
      await context.setOffline(false);
      await signOut(page);
      await signInLink(page).waitFor();
      await page.route("**/api/**", (route) => route.abort());
      await page.reload();
      await page.getByRole("alert").getByText("Clew can’t be reached.").waitFor();
      await examine(page, "Clew is away");
    });
  }

  test("WCAG 2.2 AA: the consent screen's error page is accessible too", async (t) => {
    const stage = await stageOf(t);
    const url = await startSmallClew(stage);
    const { page, expectedFaults } = await visit(stage, browser, { viewport: phone });
    expectedFaults.push(/^Failed to load resource/);
    await openSignedOut(page, url);
    await openConsent(page);
    const foreign = new URL(page.url());
    foreign.searchParams.set("client_id", "somebody-else");
    await page.goto(foreign.href);
    await page.getByRole("heading", { name: "This request cannot be answered" }).waitFor();
    await examine(page, "consent refused");
  });
});
