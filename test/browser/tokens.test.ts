import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { before, describe, type TestContext, test } from "node:test";
import { promisify } from "node:util";
import type { CreatedToken, SearchResults } from "@clew/contract";
import type { Browser, Page } from "playwright-core";
import { connect, statusWith } from "../oauth/app.ts";
import { noBrowser, visit } from "../support/browser.ts";
import { call } from "../support/call.ts";
import { runCurlLine } from "../support/curl.ts";
import { readWorkspaces } from "../support/session.ts";
import { stageOf } from "../support/stage.ts";
import { register } from "./programs.ts";
import { emptyClew, sharedBrowser } from "./shared.ts";
import {
  chooseFor,
  confirmSaved,
  draftToken,
  makeToken,
  openSection,
  openTokens,
  revealed,
  seeDashboard,
  signOut,
  storedSession,
  storedText,
  tokenRow,
} from "./steps.ts";

describe("service tokens in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  /** A person who is signed in at a small Clew, on the page of tokens. */
  async function signedIn(t: TestContext) {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const visitor = await visit(stage, browser);
    await openTokens(visitor.page, url);
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

  const lines = (page: Page) => page.getByRole("tabpanel").last().locator("code");

  test("TOK-2: a new token is shown once, can be copied, and its example commands work", async (t) => {
    const { page, context, url } = await signedIn(t);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByText("No token yet").waitFor();
    const raw = await makeToken(page, "reading agent");
    assert.match(raw, /^svc_[A-Za-z0-9]{32}$/);
    await page.getByRole("button", { name: "Copy the token" }).click();
    await page.getByRole("status").getByText("Copied: the token.").waitFor({ state: "attached" });
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), raw);

    // The line that asks for the token, and what a person pastes then.
    const line = await page.getByText("read -r CLEW_TOKEN").innerText();
    for (const shell of ["sh", "bash"]) {
      // Without a terminal there is no echo to turn off.
      const asked = spawnSync(shell, ["-c", `${line} >&2; printenv CLEW_TOKEN`], { input: `${raw}\n` });
      assert.equal(String(asked.stdout), `${raw}\n`, shell);
    }
    // It is before the token, which is pasted after it.
    const order = await page.getByRole("main").locator("code").allInnerTexts();
    assert.ok(order.indexOf(line) < order.indexOf(raw));

    await page.getByRole("tab", { name: "curl" }).click();
    const variables = { CLEW_TOKEN: raw };
    const answer = await runCurlLine(await lines(page).innerText(), variables);
    assert.equal(answer.status, 200);
    const found: SearchResults = JSON.parse(answer.body);
    assert.deepEqual(found.items.map(({ node }) => node.title).sort(), ["Ariadne", "Minotaur", "Theseus"]);
    // Only the file of variables holds the token itself.
    const shown: Record<string, string> = {};
    for (const tab of await page.getByRole("tablist", { name: "Use it" }).getByRole("tab").all()) {
      await tab.click();
      shown[await tab.innerText()] = await lines(page).innerText();
    }
    assert.deepEqual(Object.keys(shown), [
      "Claude Code",
      "Cursor",
      "curl",
      "PowerShell",
      ".env",
      "TypeScript",
      "Python",
    ]);
    assert.equal(shown[".env"], `CLEW_URL=${url.href.replace(/\/$/, "")}\nCLEW_TOKEN=${raw}`);
    for (const [name, text] of Object.entries(shown)) {
      assert.match(text, /CLEW_TOKEN/, name);
      if (name !== ".env") assert.doesNotMatch(text, /svc_/, name);
    }
    assert.equal(JSON.parse(shown.Cursor ?? "").mcpServers.clew.url, `${url}api/v1/mcp`);
    const script = ["--input-type=module", "--eval", shown.TypeScript ?? ""];
    const { stdout } = await promisify(execFile)(process.execPath, script, {
      env: { ...process.env, ...variables },
    });
    assert.match(stdout, /Minotaur/);

    await confirmSaved(page);
    await tokenRow(page, "reading agent")
      .getByText(`${raw.slice(0, 12)}…`)
      .waitFor();
    assert.doesNotMatch(await page.content(), new RegExp(raw.slice(12)));
    await page.goBack();
    await seeDashboard(page);
    assert.doesNotMatch(await page.content(), new RegExp(raw.slice(12)));
  });

  test("TOK-2: nothing stores the raw token, and every way out asks whether it is stored", async (t) => {
    const { page } = await signedIn(t);
    const raw = await makeToken(page, "reading agent");
    assert.doesNotMatch(await storedText(page), /svc_/);
    assert.doesNotMatch(page.url(), /svc_/);
    const dialog = page.getByRole("dialog", { name: "Have you stored the token?" });
    const section = page
      .getByRole("navigation", { name: "Sections" })
      .getByRole("link", { name: "Activity" });
    for (const leave of [() => section.click(), () => page.goBack(), () => signOut(page)]) {
      await leave();
      await dialog.getByRole("button", { name: "Stay" }).click();
      await dialog.waitFor({ state: "detached" });
      await revealed(page).waitFor();
    }
    const leaving = page.reload();
    const question = await page.waitForEvent("dialog");
    assert.equal(question.type(), "beforeunload");
    await question.accept();
    await leaving;
    await seeDashboard(page);
    assert.doesNotMatch(await page.content(), new RegExp(raw.slice(12)));
    assert.doesNotMatch(await storedText(page), /svc_/);
    await openSection(page, "Tokens");
    await makeToken(page, "another");
    await section.click();
    await dialog.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { level: 1, name: "Activity" }).waitFor();
  });

  test("TOK-2: if the browser does not let the page copy, the token is selected", async (t) => {
    const { page } = await signedIn(t);
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not here'))");
    const raw = await makeToken(page, "reading agent");
    await page.getByRole("button", { name: "Copy the token" }).click();
    await page.getByRole("button", { name: "Selected the token" }).waitFor();
    assert.equal(await page.evaluate("String(getSelection())"), raw);
  });

  test("TOK-3: the form asks for what is missing, and the review says in one sentence what was chosen", async (t) => {
    const { page, url } = await signedIn(t);
    await page.getByRole("link", { name: "Create token" }).click();
    const scopes = page.getByRole("group", { name: "Can do" });
    assert.equal(await scopes.getByRole("checkbox", { checked: true }).count(), 0);
    const review = page.getByRole("button", { name: "Review" });
    await review.click();
    await page.locator("input[name=name]:focus").waitFor();
    await page.getByText("Give it a name.").waitFor();
    await scopes.getByText("Choose at least one.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("walker");
    await review.click();
    await scopes.locator("input:focus").first().waitFor();
    await page.getByLabel("Follow links and find paths").check();
    await page.getByLabel("Expires").selectOption("Never");
    await page.getByText("A token that never expires works until somebody revokes it.").waitFor();
    await review.click();
    await page
      .getByText("“walker” can follow links and find paths between pages in Labyrinth, until you revoke it.")
      .waitFor();
    const tools = await page.getByRole("main").getByRole("listitem").allInnerTexts();
    assert.deepEqual(tools, ["list_links", "find_related", "find_paths", "workspace_overview"]);
    await page.getByRole("button", { name: "Create token" }).click();
    const raw = await page.getByRole("main").locator("code", { hasText: /^svc_/ }).innerText();
    const { body } = await call<{ scopes: string[]; expires_at: string | null }>(url, "api/v1/token/", {
      token: raw,
    });
    assert.deepEqual([body.scopes, body.expires_at], [["graph:neighbors"], null]);
    await confirmSaved(page);
    await tokenRow(page, "walker").getByRole("cell", { name: "just now" }).waitFor();
    await tokenRow(page, "walker").getByRole("cell", { name: "never" }).waitFor();
  });

  test("TOK-4: a link fills in the form, which says so, and a date can be chosen", async (t) => {
    const { page, url } = await signedIn(t);
    await page.goto(`${url}dashboard/tokens/new?name=Weekly%20digest&scopes=graph:search,graph:read&days=30`);
    await page.getByText("A link filled in this form.").waitFor();
    assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Weekly digest");
    const checked = page.getByRole("group", { name: "Can do" }).getByRole("checkbox", { checked: true });
    assert.equal(await checked.count(), 2);
    assert.equal(await page.getByLabel("Expires").inputValue(), "30");
    await page.getByLabel("Expires").selectOption("On a date…");
    await page.getByLabel("Date").fill("");
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByText("Choose a date from tomorrow on").waitFor();
    const date = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel("Date").fill(date);
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByRole("button", { name: "Create token" }).click();
    await revealed(page).waitFor();
    await confirmSaved(page);
    await tokenRow(page, "Weekly digest")
      .getByText(/^in 1[01] days$/)
      .waitFor();
  });

  test("TOK-7: the table has five columns, and nothing of it is cut or broken in any width", async (t) => {
    const { page, url } = await signedIn(t);
    const session = await storedSession(page);
    assert.ok(session);
    const token = session.access;
    const workspaceIds = (await readWorkspaces(url, session)).map(({ id }) => id);
    const name = "A nightly export that has a rather long name";
    for (const days of [1, 7, 365]) {
      const body = { name, scopes: ["graph:search"], workspace_ids: workspaceIds, expires_in_days: days };
      await call(url, "api/tokens/", { method: "POST", token, body });
    }
    await page.reload();
    const table = page.getByRole("table", { name: "Tokens in use" });
    await table.waitFor();
    assert.equal(await table.getByRole("columnheader").count(), 5);
    // One that was made to be short has just begun.
    assert.equal(await page.getByText("expires within 7 days").count(), 0);
    assert.equal(await table.getByText("Active", { exact: true }).count(), 3);
    for (const width of [360, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const cut = await table.evaluate((shown) => {
        const { right } = shown.getBoundingClientRect();
        const parts = [...shown.querySelectorAll("a, time, code, tbody span, tbody button")];
        return parts
          .filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > right)
          .map((part) => part.textContent);
      });
      assert.deepEqual(cut, [], `${width} px`);
      const heights = await table
        .locator("time")
        .evaluateAll((times) => times.map((time) => time.getBoundingClientRect().height));
      for (const height of heights)
        assert.ok(height < 30, `${width} px: a time of ${height} px is on one line`);
    }
  });

  test("AGT-1: a call that was copied is a whole request, which Clew answers", async (t) => {
    const { page, context, url } = await signedIn(t);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const raw = await makeToken(page, "agent");
    await confirmSaved(page);
    await openSection(page, "Graph");
    const copied = async (what: "curl" | "MCP call") => {
      await page.getByRole("button", { name: "Copy as…" }).first().click();
      await page.locator(":popover-open").getByRole("button", { name: what }).click();
      return page.evaluate<string>("navigator.clipboard.readText()");
    };
    const answers = async () => {
      const curl = await runCurlLine(await copied("curl"), { CLEW_TOKEN: raw });
      assert.equal(curl.status, 200);
      const headers = {
        authorization: `Bearer ${raw}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      };
      const body = await copied("MCP call");
      const response = await fetch(new URL("api/v1/mcp", url), { method: "POST", headers, body });
      assert.equal(response.status, 200);
      const { result } = JSON.parse(await response.text());
      assert.notEqual(result.isError, true);
      return [curl.body, JSON.stringify(result)];
    };
    // The start lists what changed.
    await answers();
    assert.equal(JSON.parse(await copied("MCP call")).params.name, "recent_changes");
    await page.getByLabel("Search pages").fill("Ariadne");
    await page.locator("[data-results]").getByRole("link", { name: "Ariadne" }).waitFor();
    for (const text of await answers()) assert.match(text, /Ariadne/);
  });

  test("TOK-8: a token is revoked after a confirmation that names its last use, and is refused at once", async (t) => {
    const { page, context, url, expectedFaults } = await signedIn(t);
    expectedFaults.push(/Failed to load resource/);
    const raw = await makeToken(page, "reading agent");
    await confirmSaved(page);
    await chooseFor(page, "reading agent", "Revoke…");
    const dialog = page.getByRole("dialog", { name: "Revoke “reading agent”?" });
    await dialog.getByText("It was never used.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal((await call(url, "api/v1/token/", { token: raw })).status, 200);

    await context.setOffline(true);
    await chooseFor(page, "reading agent", "Revoke…");
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await dialog.getByRole("alert").getByText("Clew can’t be reached.").waitFor();
    await context.setOffline(false);
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("No token yet").waitFor();
    const refused = await call(url, "api/v1/token/", { token: raw });
    assert.deepEqual([refused.status, refused.body.code], [401, "token_revoked"]);
    await page.getByText("Revoked and expired tokens", { exact: true }).click();
    await tokenRow(page, "reading agent").getByText("Revoked", { exact: true }).waitFor();
  });

  test("TOK-9: a rotation shows the new token, and the old one works as long as was chosen", async (t) => {
    const { page, url } = await signedIn(t);
    const old = await makeToken(page, "reading agent");
    await confirmSaved(page);
    await chooseFor(page, "reading agent", "Rotate…");
    const dialog = page.getByRole("dialog", { name: "Rotate “reading agent”?" });
    const overlap = dialog.getByLabel("The old one stops working");
    assert.equal(await overlap.locator(":checked").innerText(), "in a day", "breaks nothing that runs");
    await overlap.selectOption("in an hour");
    await dialog.getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("heading", { name: "New token: reading agent" }).waitFor();
    const raw = await page.getByRole("main").locator("code", { hasText: /^svc_/ }).innerText();
    assert.notEqual(raw, old);
    for (const token of [raw, old]) assert.equal((await call(url, "api/v1/token/", { token })).status, 200);
    await confirmSaved(page);
    const rows = tokenRow(page, "reading agent");
    await rows.nth(1).waitFor();
    await rows.getByText("Being replaced").waitFor();
    await rows.getByText("Active", { exact: true }).waitFor();
    assert.equal(await page.locator("button", { hasText: "Rotate…" }).count(), 1);
  });

  test("TOK-10: the last use of a token appears without reloading, and its page has its audit trail", async (t) => {
    const { page, url, expectedFaults } = await signedIn(t);
    expectedFaults.push(/Failed to load resource/);
    await page.clock.install();
    const token = await makeToken(page, "reading agent");
    await confirmSaved(page);
    const row = tokenRow(page, "reading agent");
    // Its expiry is not "never".
    await row.getByRole("cell", { name: "never" }).waitFor();
    assert.equal((await call(url, "api/v1/token/", { token })).status, 200);
    await page.clock.runFor(6_000);
    await row.getByRole("cell", { name: "just now" }).waitFor();
    await page.getByRole("link", { name: "reading agent" }).click();
    await page.getByRole("heading", { level: 1, name: "reading agent" }).waitFor();
    await page.getByText("find_paths").waitFor();
    await page.getByRole("table").getByText("Token created").waitFor();
    await page.goto(`${url}dashboard/tokens/999999`);
    await page.getByRole("heading", { name: "There is no such token" }).waitFor();
  });

  test("TOK-7: tokens are filtered by name, and those that ended are loaded page by page", async (t) => {
    const { page, url, expectedFaults } = await signedIn(t);
    expectedFaults.push(/Failed to load resource/);
    const token = (await storedSession(page))?.access ?? "";
    for (let round = 0; round < 3; round += 1) {
      for (const { id } of await makeTokens(page, url, 7))
        await call(url, `api/tokens/${id}/`, { method: "DELETE", token });
    }
    await makeTokens(page, url, 2);
    await page.reload();
    await page.getByText("2 of 10 used").waitFor();
    await page.getByLabel("Filter by name").fill("SCRIPT 2");
    await tokenRow(page, "script 1").waitFor({ state: "detached" });
    assert.equal(await tokenRow(page, "script 2").count(), 1);
    await page.getByText("Revoked and expired tokens", { exact: true }).click();
    const past = page.getByRole("table", { name: "Revoked and expired tokens" });
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("Revoked and expired tokens stay here for 90 days.").waitFor();
    assert.equal(await past.getByRole("row").count(), 22);
  });

  test("TOK-6: with ten tokens no other is offered, and the refusal of an eleventh is explained", async (t) => {
    const { page, url, expectedFaults } = await signedIn(t);
    expectedFaults.push(/Failed to load resource.*409/);
    await draftToken(page, "eleventh");
    await makeTokens(page, url, 10);
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "eleventh");
    await openSection(page, "Tokens");
    await page.getByText("All ten tokens are in use. Revoke one to create another.").waitFor();
    assert.equal(await page.getByRole("link", { name: "Create token" }).count(), 0);
    await chooseFor(page, "script 10", "Rotate…");
    await page.getByRole("dialog").getByText("so the old one stops now").waitFor();
  });

  test("APP-7: connected apps are beside the tokens made by hand, count with them, and are disconnected", async (t) => {
    const { page, url, expectedFaults } = await signedIn(t);
    expectedFaults.push(/Failed to load resource/);
    const mcp = `${url.href}api/v1/mcp`;
    const apps = page.getByRole("region", { name: "Connected apps" });
    await apps.getByText(mcp, { exact: true }).waitFor();
    const session = await storedSession(page);
    assert.ok(session);
    const person = { url, session, workspaceIds: (await readWorkspaces(url, session)).map(({ id }) => id) };
    const redirectUri = "https://reader.example/callback";
    const asked = { client_id: await register(url, "Reader", redirectUri), redirect_uri: redirectUri };
    const [first, second] = [await connect(person), await connect(person, { asked, exchanged: asked })];
    await makeTokens(page, url, 1);
    await page.reload();
    await page.getByText("3 of 10 used").waitFor();
    const row = tokenRow(page, "Claude Code");
    for (const text of ["127.0.0.1", "in 30 days", "from node"])
      await row.getByText(text, { exact: true }).waitFor();
    await row.getByText("reads Labyrinth").waitFor();
    await tokenRow(page, "Reader").getByText("reader.example", { exact: true }).waitFor();
    assert.equal(await page.locator("button", { hasText: "Rotate…" }).count(), 1, "apps are not rotated");

    await chooseFor(page, "Claude Code", "Disconnect…");
    const dialog = page.getByRole("dialog", { name: "Disconnect “Claude Code”?" });
    await dialog.getByText("It was never used.").waitFor();
    await dialog.getByRole("button", { name: "Disconnect" }).click();
    await row.waitFor({ state: "detached" });
    assert.equal(await statusWith(url, first.access_token), 401);
    assert.equal(await statusWith(url, second.access_token), 200);
    await page.getByRole("link", { name: "Reader" }).click();
    await page.getByRole("table").getByText("an app was connected").waitFor();
    await page.getByText("reader.example", { exact: true }).waitFor();
    await openSection(page, "Tokens");
    await connect(person);
    await page.reload();
    await apps.getByRole("button", { name: "Disconnect all…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await apps.getByText("No app connected yet").waitFor();
    assert.equal(await statusWith(url, second.access_token), 401);
    await page.getByText("1 of 10 used").waitFor();

    // The operator can turn it off (APP-3).
    await page.route("**/.well-known/oauth-protected-resource", (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await tokenRow(page, "script 1").waitFor();
    assert.equal(await page.getByText(mcp).count(), 0);
  });
});
