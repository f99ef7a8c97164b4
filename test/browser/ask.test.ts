import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { until } from "@clew/stand-in/testing/until";
import type { Browser, Page } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { clientOf } from "../support/session.ts";
import { syncedDemo } from "../support/shared-demo.ts";
import { type Stage, stageOf } from "../support/stage.ts";
import { sharedBrowser } from "./shared.ts";
import { openSignedIn, seeSynced, storedSession } from "./steps.ts";

describe("a question in the browser", { skip: noBrowser }, () => {
  let browser: Browser;
  let demo: URL;
  before(async () => {
    [browser, demo] = await Promise.all([sharedBrowser(), syncedDemo()]);
  });

  const enter = async (stage: Stage): Promise<Page> => {
    const { page, context } = await visit(stage, browser);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await openSignedIn(page, demo);
    await seeSynced(page);
    return page;
  };

  const answer = (page: Page) => page.getByRole("region", { name: "What the agent gets" });
  const ask = async (page: Page, query: Record<string, string>) => {
    await page.goto(new URL(`dashboard/graph/ask?${new URLSearchParams(query)}`, demo).href);
    await answer(page).waitFor();
  };

  test("GRAPH-22: by keyboard alone a question gets the passages of an agent, in its order, and copies them as they are", async (t) => {
    const page = await enter(await stageOf(t));
    await page.keyboard.press("g");
    await page.keyboard.press("q");
    await page.getByRole("heading", { level: 1, name: "Ask" }).waitFor();
    await page.getByText("Clew finds the passages that answer").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("Who found the moons of Jupiter?");
    await page.keyboard.press("Enter");
    await answer(page).waitFor();
    await page.waitForURL(/ask\?question=Who/);
    assert.equal(await page.title(), "Ask: Who found the moons of Jupiter? · Clew");
    const session = await storedSession(page);
    assert.ok(session !== null);
    const api = clientOf(demo, session);
    const expected = await api.buildContext({ q: "Who found the moons of Jupiter?", max_tokens: 4000 });
    const titles = answer(page).getByRole("article").getByRole("heading", { level: 2 });
    assert.deepEqual(
      await titles.getByRole("link").allInnerTexts(),
      expected.items.map(({ node }) => node.title),
    );
    await answer(page)
      .getByText(`${expected.tokens?.toLocaleString("en")} of 4,000 tokens`)
      .waitFor();
    assert.ok((expected.tokens ?? Number.NaN) <= 4000);
    const copy = page.getByRole("button", { name: "Copy for an agent" });
    await copy.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), expected.markdown);
    // A browser that refuses has the text selected instead.
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
    await page.getByRole("button", { name: "Copied" }).click();
    await page.getByRole("button", { name: "Selected" }).waitFor();
    assert.equal(await page.evaluate("getSelection().toString()"), expected.markdown);
    await page.reload();
    assert.equal(await page.getByLabel("Question").inputValue(), "Who found the moons of Jupiter?");
  });

  test("GRAPH-22: each passage says below which headings it stands, and leads there", async (t) => {
    const page = await enter(await stageOf(t));
    await ask(page, { question: "What did Galileo see beside Jupiter?" });
    const jupiter = answer(page)
      .getByRole("article")
      .filter({ has: page.getByRole("heading", { level: 2, name: "Jupiter", exact: true }) });
    await jupiter.getByText(/^Solar System · Its/).waitFor();
    const place = jupiter.getByRole("heading", { level: 3 }).getByRole("link", { name: "What Galileo saw" });
    await place.click();
    await page.waitForURL(/at=\d+$/);
    await page.getByRole("heading", { level: 1, name: "Jupiter" }).waitFor();
    const at = new URL(page.url()).searchParams.get("at");
    const top = `(document.getElementById("at-${at}")?.getBoundingClientRect().top ?? -1)`;
    await until(() => page.evaluate<boolean>(`${top} >= 0 && ${top} < 100`));
  });

  test("GRAPH-22: words that no passage has are named, what had no room too, and nothing found is said", async (t) => {
    const page = await enter(await stageOf(t));
    await ask(page, { question: "zebrafish telescope" });
    await answer(page).getByText("No passage has: zebrafish.").waitFor();
    await page.getByLabel("At most").selectOption("1,000 tokens");
    await page.waitForURL(/tokens=1000/);
    await answer(page)
      .getByText(/of 1,000 tokens$/)
      .waitFor();
    await answer(page)
      .getByText(/more pages? had no room/)
      .waitFor();
    await page.getByLabel("Question").fill("qqzzxx");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("heading", { name: "No passage answers that" }).waitFor();
    // Without a question: what surrounds a page.
    await page.getByLabel("Question").fill("");
    await page.getByLabel("About a page").fill("Europa");
    await page
      .getByRole("option", { name: /^Europa/ })
      .first()
      .click();
    await answer(page)
      .getByText(/The page you asked about/)
      .waitFor();
    await page.waitForURL(/near=/);
  });

  test("GRAPH-22: an answer of a workspace that is still being read says that passages may be missing", async (t) => {
    const page = await enter(await stageOf(t));
    await page.route("**/provider-graph/workspaces/", async (route) => {
      const response = await route.fetch();
      const { items } = await response.json();
      await route.fulfill({
        response,
        json: { items: items.map((item: object) => ({ ...item, complete_as_of: null })) },
      });
    });
    await ask(page, { question: "telescope" });
    await answer(page).getByText("Clew has not read everything yet").waitFor();
  });
});
