import assert from "node:assert/strict";
import { before, describe, type TestContext, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { connect } from "../oauth/app.ts";
import { noBrowser, visit } from "../support/browser.ts";
import { call } from "../support/call.ts";
import { readWorkspaces } from "../support/session.ts";
import { stageOf } from "../support/stage.ts";
import { emptyClew, sharedBrowser } from "./shared.ts";
import { confirmSaved, makeToken, openTokens, storedSession, tokenRow } from "./steps.ts";

describe("what tokens read, in a browser", { skip: noBrowser }, () => {
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
    const read = async (path: string, token: string) => (await call(url, `api/v1/${path}`, { token })).status;
    return { url, read, ...visitor };
  }

  /** The number above a word in the sums of a week. */
  const sum = (page: Page, what: string) =>
    page.getByRole("listitem").filter({ hasText: new RegExp(`^\\d+${what}$`) });

  test("APP-9: a new token waits for its first call, then says that it is connected and what it read", async (t) => {
    const { page, read } = await signedIn(t);
    const raw = await makeToken(page, "reading agent");
    const state = page.getByRole("main").getByRole("status");
    await state.getByText("Waiting for the first call…").waitFor();
    assert.equal(await read("search/?q=minotaur", raw), 200);
    await state.getByText("Connected. It has read 1 page.").waitFor();
    await read("tree/", raw);
    await state.getByText("It has read 3 pages.").waitFor();
    await confirmSaved(page);

    // In the list, a week of use.
    await tokenRow(page, "reading agent").getByRole("img", { name: "2 calls in the last 7 days" }).waitFor();
  });

  test("APP-9: the page of a token shows its calls as they come; each opens its pages and can be copied", async (t) => {
    const { page, context, read } = await signedIn(t);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const raw = await makeToken(page, "reading agent");
    await confirmSaved(page);
    await page.getByRole("link", { name: "reading agent" }).click();
    await page.getByText("No call yet").waitFor();
    await page.getByText("Waiting for the first call…").waitFor();
    await read("search/?q=theseus", raw);
    const calls = page.getByRole("list").filter({ has: page.getByText("search", { exact: true }) });
    const first = calls.getByRole("listitem").first();
    await first.getByText("theseus", { exact: true }).waitFor();
    await first.getByRole("link", { name: "Theseus" }).waitFor();
    await sum(page, "call this week").getByText("1", { exact: true }).waitFor();

    await read("tree/", raw);
    await read("nodes/00000000-0000-4000-8000-000000000000/", raw);
    await page.getByText("not found (404)").waitFor();
    await sum(page, "calls this week").getByText("3", { exact: true }).waitFor();
    await sum(page, "pages read").getByText("3", { exact: true }).waitFor();
    const tree = page.getByRole("button", { name: "3 pages" });
    assert.equal(await tree.getAttribute("aria-expanded"), "false");
    await tree.press("Enter");
    const list = page.locator(`[id="${await tree.getAttribute("aria-controls")}"]`);
    await list.getByRole("link", { name: "Ariadne" }).waitFor();
    await page.getByRole("button", { name: /^Copy this call: .* tree$/ }).click();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    assert.match(copied, /^\S+Z tree → 3 pages: Ariadne, Minotaur, Theseus \(200, \d+ ms\)$/);
    // The bars by day, for those who cannot see them.
    const today = page.getByRole("table", { name: "Calls by day" }).getByRole("row").last();
    assert.match(await today.innerText(), /\s3\s+0$/);

    // Without another reading of the whole.
    await page
      .getByRole("listitem")
      .filter({ hasText: "2 times" })
      .getByRole("link", { name: "Theseus" })
      .click();
    await page.getByRole("heading", { level: 1, name: "Theseus" }).waitFor();
  });

  test("APP-9: the pages that a token reads glow on the map as they are read, until the person has seen enough", async (t) => {
    const { page, url, read } = await signedIn(t);
    const raw = await makeToken(page, "reading agent");
    await confirmSaved(page);
    await page.getByRole("link", { name: "reading agent" }).click();
    await page.getByText("No call yet").waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    await page.goto(new URL(`dashboard/map?lit=token:${id}`, url).href);
    const hint = page.getByRole("status").filter({ hasText: "glow" });
    await hint.getByText("Pages that the token reads glow here.").waitFor();
    let last = "";
    const still = await pictureOnce(page, (now) => {
      const isStill = now === last;
      last = now;
      return isStill;
    });
    await read("search/?q=theseus", raw);
    await hint.getByText("1 page that the token read glows").waitFor();
    await pictureOnce(page, (now) => now !== still);
    await read("tree/", raw);
    await hint.getByText("3 pages that the token read glow").waitFor();
    await hint.getByRole("button", { name: "Stop" }).click();
    await hint.waitFor({ state: "detached" });
    assert.doesNotMatch(page.url(), /lit=/);
  });

  test("APP-9: a refused first call is said, and a connected app waits for its first call too", async (t) => {
    const { page, url, read } = await signedIn(t);
    const session = await storedSession(page);
    assert.ok(session);
    const workspaceIds = (await readWorkspaces(url, session)).map(({ id }) => id);
    const app = await connect({ url, session, workspaceIds });
    await page.reload();
    await tokenRow(page, "Claude Code").getByText("Waiting for the first call…").waitFor();
    await page.getByRole("link", { name: "Claude Code" }).click();
    await page.getByText("Waiting for the first call…").waitFor();
    // Such a token opens the transport for agents alone.
    assert.equal(await read("tree/", app.access_token), 403);
    await page.getByText("not allowed (403)").waitFor();
    await sum(page, "refused").getByText("1", { exact: true }).waitFor();
  });
});

/** Looks at the map again and again, until it is as it should be. */
async function pictureOnce(page: Page, isRight: (picture: string) => boolean): Promise<string> {
  for (;;) {
    const picture = await page.evaluate<string>(pictureOfMap);
    if (isRight(picture)) return picture;
    await page.waitForTimeout(200);
  }
}

const pictureOfMap = 'document.querySelector("[role=application] canvas").toDataURL()';
