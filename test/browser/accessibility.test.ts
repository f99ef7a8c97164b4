import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, noBrowser, visit } from "../support/browser.ts";
import { stageOf } from "../support/stage.ts";
import { startSmallClew, startSmallClewWithNotion, textCalls } from "./small-clew.ts";
import {
  allow,
  makeToken,
  openConsent,
  openSignedOut,
  revealed,
  seeSynced,
  signInLink,
  tokenItem,
} from "./steps.ts";

describe("accessibility in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  const phone = { width: 360, height: 740 };
  const desk = { width: 1280, height: 800 };

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
      await seeSynced(page);
      await examine(page, "signed in, no token");
      await page.getByText("1 page could not be read").click();
      await page.getByRole("listitem").getByRole("link").waitFor();
      await page.getByText("The last sync").click();
      await page.getByText("◌ Not complete").waitFor();
      await examine(page, "report");
      notion.faults.set([{ on: "*", fault: { kind: "withdrawn" } }]);
      await page.getByRole("button", { name: "Sync now" }).click();
      await page.getByRole("link", { name: "Connect it again" }).waitFor();
      await examine(page, "grant withdrawn");
      notion.faults.clear();
      await page.getByRole("link", { name: "Connect it again" }).click();
      await allow(page);
      await seeSynced(page);
      notion.faults.set([{ on: "*", fault: { kind: "error", code: "rate_limited", retryAfter: 300 } }]);
      await page.getByRole("button", { name: "Sync now" }).click();
      await page.getByText("Waiting for the provider's limit").waitFor();
      await examine(page, "sync waits");
      await page.getByRole("button", { name: "Delete my account" }).click();
      await examine(page, "account dialog");
      await page.getByRole("button", { name: "Keep it" }).click();
      await page.getByRole("button", { name: "Create a token" }).click();
      await examine(page, "token form");
      await page.getByRole("button", { name: "Cancel" }).click();
      await makeToken(page, "An agent with a long name and-a-word-that-does-not-end-before-the-line-does");
      await examine(page, "token revealed");
      await page.getByRole("button", { name: "I have stored it" }).click();
      await revealed(page).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Revoke" }).click();
      await page.getByRole("dialog").waitFor();
      await examine(page, "dialog");
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByText("Revoked and expired tokens").click();
      await page.getByText("✕ Revoked").waitFor();
      await makeToken(page, "script");
      await page.getByRole("button", { name: "I have stored it" }).click();
      await tokenItem(page, "script").waitFor();
      await examine(page, "tokens");
      await context.setOffline(true);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("alert").waitFor();
      await examine(page, "offline");
      await context.setOffline(false);
      await page.getByRole("alert").getByRole("button", { name: "Sign out" }).click();
      await signInLink(page).waitFor();
      await page.route("**/api/**", (route) => route.abort());
      await page.reload();
      await page.getByRole("alert").getByText("Clew cannot be reached.").waitFor();
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

/** Every rule of axe, including those that are off by default. */
const everyRule = { rules: { "target-size": { enabled: true } }, resultTypes: ["violations"] };

async function examine(page: Page, state: string): Promise<void> {
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate<axe.AxeResults>(
    `axe.run(document, ${JSON.stringify(everyRule)})`,
  );
  const problems = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  assert.deepEqual(problems, [], state);
  assert.ok(passes.length > 10, `${state}: axe did not look`);
  const tooWide = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  assert.equal(tooWide, 0, `${state}: the page scrolls sideways`);
}
