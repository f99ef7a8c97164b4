import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import type { CreatedToken, SearchResults } from "@clew/contract";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, noBrowser, visit } from "../support/browser.ts";
import { call } from "../support/call.ts";
import { runCurlLine } from "../support/curl.ts";
import { stageOf } from "../support/stage.ts";
import { startSmallClew } from "./small-clew.ts";
import {
  makeToken,
  revealed,
  seeDashboard,
  seeSynced,
  signIn,
  storedSession,
  storedText,
  tokenItem,
} from "./steps.ts";

describe("service tokens in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  /** A person who is signed in at a small Clew. */
  async function signedIn(t: TestContext) {
    const stage = await stageOf(t);
    const url = await startSmallClew(stage);
    const visitor = await visit(stage, browser);
    await signIn(visitor.page, url);
    await seeSynced(visitor.page);
    return { url, ...visitor };
  }

  /** Creates tokens through the API, in the session of the page. */
  async function makeTokens(page: Page, url: URL, count: number): Promise<CreatedToken[]> {
    const token = (await storedSession(page))?.access ?? "";
    const { body: me } = await call<{ workspaces: { id: string }[] }>(url, "api/auth/me/", { token });
    const request = { scopes: ["graph:read"], workspace_ids: me.workspaces.map(({ id }) => id) };
    const made: CreatedToken[] = [];
    for (let number = 1; number <= count; number += 1) {
      const body = { ...request, name: `script ${number}` };
      made.push((await call<CreatedToken>(url, "api/tokens/", { method: "POST", token, body })).body);
    }
    return made;
  }

  test("TOK-2: a new token is shown once, can be copied, and its example command works in a terminal", async (t) => {
    const { page, context, url } = await signedIn(t);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const raw = await makeToken(page, "reading agent");
    assert.match(raw, /^svc_[A-Za-z0-9]{32}$/);
    await page.getByRole("button", { name: "Copy the token" }).click();
    await page.getByRole("status").getByText("Token: copied.").waitFor({ state: "attached" });
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), raw);

    const line = await revealed(page).locator("code").nth(1).innerText();
    const answer = await runCurlLine(line);
    assert.equal(answer.status, 200);
    const found: SearchResults = JSON.parse(answer.body);
    assert.deepEqual(found.items.map(({ node }) => node.title).sort(), ["Ariadne", "Minotaur"]);

    await page.getByRole("button", { name: "I have stored it" }).click();
    await revealed(page).waitFor({ state: "detached" });
    await tokenItem(page, "reading agent")
      .getByText(`${raw.slice(0, 12)}…`)
      .waitFor();
    assert.doesNotMatch(await page.content(), new RegExp(raw.slice(12)));
    assert.equal((await call(url, "api/v1/token/", { token: raw })).status, 200);
  });

  test("TOK-2: a reload removes the raw token from the page, nothing stores it, and leaving asks for confirmation", async (t) => {
    const { page } = await signedIn(t);
    const raw = await makeToken(page, "reading agent");
    assert.doesNotMatch(await storedText(page), /svc_/);
    const leaving = page.reload();
    const question = await page.waitForEvent("dialog");
    assert.equal(question.type(), "beforeunload");
    await question.accept();
    await leaving;
    await seeDashboard(page);
    await tokenItem(page, "reading agent").waitFor();
    assert.doesNotMatch(await page.content(), new RegExp(raw.slice(12)));
    assert.doesNotMatch(await storedText(page), /svc_/);
    assert.doesNotMatch(page.url(), /svc_/);
  });

  test("TOK-2: if the browser does not let the page copy, the token is selected", async (t) => {
    const { page } = await signedIn(t);
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not here'))");
    const raw = await makeToken(page, "reading agent");
    await page.getByRole("button", { name: "Copy the token" }).click();
    await page.getByRole("button", { name: "Selected the token" }).waitFor();
    assert.equal(await page.evaluate("String(getSelection())"), raw);
  });

  test("TOK-8: a token is revoked after a confirmation, and is refused at once", async (t) => {
    const { page, url } = await signedIn(t);
    const raw = await makeToken(page, "reading agent");
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("button", { name: "Revoke reading agent" }).click();
    const dialog = page.getByRole("dialog", { name: "Revoke “reading agent”?" });
    await dialog.getByText("It was never used.").waitFor();
    await dialog.getByRole("button", { name: "Keep it" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal((await call(url, "api/v1/token/", { token: raw })).status, 200);

    await page.getByRole("button", { name: "Revoke reading agent" }).click();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("No token yet.").waitFor();
    const refused = await call(url, "api/v1/token/", { token: raw });
    assert.deepEqual([refused.status, refused.body.code], [401, "token_revoked"]);
    await page.getByText("Revoked and expired tokens").click();
    await tokenItem(page, "reading agent").getByText("✕ Revoked").waitFor();
  });

  test("TOK-8: a failed revocation is shown, and can be tried again", async (t) => {
    const { page, context, url, expectedFaults } = await signedIn(t);
    expectedFaults.push(/Failed to load resource/);
    const raw = await makeToken(page, "reading agent");
    await page.getByRole("button", { name: "I have stored it" }).click();
    await context.setOffline(true);
    await page.getByRole("button", { name: "Revoke reading agent" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    const alert = page
      .getByRole("alert")
      .filter({ hasText: "“reading agent” is not revoked. Clew cannot be reached." });
    await alert.waitFor();
    await context.setOffline(false);
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await alert.waitFor({ state: "detached" });
    await page.getByText("No token yet.").waitFor();
    assert.equal((await call(url, "api/v1/token/", { token: raw })).status, 401);
  });

  test("TOK-7: revoked and expired tokens are loaded page by page, and a failure to load them is shown", async (t) => {
    const { page, url, expectedFaults } = await signedIn(t);
    expectedFaults.push(/Failed to load resource/);
    const token = (await storedSession(page))?.access ?? "";
    for (let round = 0; round < 3; round += 1) {
      for (const { id } of await makeTokens(page, url, 7)) {
        await call(url, `api/tokens/${id}/`, { method: "DELETE", token });
      }
    }
    await page.route("**/api/tokens/?is_active=true", (route) =>
      route.fulfill({ status: 502, body: "Bad Gateway" }),
    );
    await page.reload();
    const alert = page.getByRole("alert").filter({ hasText: "Clew did not answer as expected (502)." });
    await alert.waitFor();
    await page.unrouteAll();
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Revoked and expired tokens").click();
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("Tokens leave this list 90 days after their end.").waitFor();
    assert.equal(await page.getByRole("listitem").count(), 21);
  });

  test("TOK-6: with ten tokens the form is disabled, and the refusal of an eleventh is explained", async (t) => {
    const { page, url, expectedFaults } = await signedIn(t);
    expectedFaults.push(/Failed to load resource.*409/);
    await page.getByRole("button", { name: "Create a token" }).click();
    await makeTokens(page, url, 10);
    await page.getByLabel("Name", { exact: true }).fill("eleventh");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("form").getByRole("alert").waitFor();
    assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "eleventh");
    await page.reload();
    await page.getByText("10 of 10 used: revoke one to make another").waitFor();
    assert.ok(await page.getByRole("button", { name: "Create a token" }).isDisabled());
  });

  test("TOK-3: the form sends what was chosen, and sends nothing while a group is empty", async (t) => {
    const { page, url } = await signedIn(t);
    await page.getByRole("button", { name: "Create a token" }).click();
    await page.getByLabel("Name", { exact: true }).fill("walker");
    const scopes = page.getByRole("group", { name: "May do" }).getByRole("checkbox");
    for (const box of await scopes.all()) await box.uncheck();
    await page.getByRole("button", { name: "Create token" }).click();
    const message = await page.evaluate('document.querySelector("input[name=scope]").validationMessage');
    assert.equal(message, "Choose at least one.");
    await page.getByLabel("Walk to neighbouring pages").check();
    await page.getByLabel("Expires").selectOption("Never");
    await page.getByRole("button", { name: "Create token" }).click();
    const raw = await revealed(page).locator("code").first().innerText();
    const { body } = await call<{ scopes: string[]; expires_at: string | null }>(url, "api/v1/token/", {
      token: raw,
    });
    assert.deepEqual([body.scopes, body.expires_at], [["graph:neighbors"], null]);
    const answer = await runCurlLine(await revealed(page).locator("code").nth(1).innerText());
    assert.equal(answer.status, 200);
    await tokenItem(page, "walker").getByText("never expires").waitFor();
  });
});
