import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { writeWorkspace } from "@clew/stand-in/testing";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { startRunning } from "../support/running-clew.ts";
import { clientOf, signIn as signInByApi, waitForSync } from "../support/session.ts";
import { syncedDemo } from "../support/shared-demo.ts";
import { type Stage, stageOf } from "../support/stage.ts";
import { examine } from "./examine.ts";
import { sharedBrowser } from "./shared.ts";
import { filterRows, openPage, openSection, openSignedIn, seeSynced } from "./steps.ts";

describe("the graph in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  let demo: URL;
  before(async () => {
    [browser, demo] = await Promise.all([sharedBrowser(), syncedDemo()]);
  });

  /** A person who has signed in to the demo workspace. */
  const enter = async (
    stage: Stage,
    options: BrowserContextOptions = {},
    ...expected: readonly RegExp[]
  ): Promise<Page> => {
    const { page, expectedFaults } = await visit(stage, browser, options);
    expectedFaults.push(...expected);
    await openSignedIn(page, demo);
    await seeSynced(page);
    await openSection(page, "Graph");
    return page;
  };

  test("GRAPH-17: pages are found by title and by text while the person types, and the search is in the URL", async (t) => {
    const page = await enter(await stageOf(t));
    await page.keyboard.press("/");
    await page.keyboard.type("galileo");
    const results = page.locator("[data-results]");
    await results
      .locator("mark", { hasText: /galileo/i })
      .first()
      .waitFor();
    await page.waitForURL(/\?q=galileo$/);
    assert.equal(await page.title(), "Search: galileo · Clew");
    await page.reload();
    await results
      .locator("mark", { hasText: /galileo/i })
      .first()
      .waitFor();
    assert.equal(await page.getByLabel("Search pages").inputValue(), "galileo");
    // A part of a title, which the text search does not find.
    await page.getByLabel("Search pages").fill("etelgeus");
    await results.getByRole("link", { name: "Betelgeuse", exact: true }).waitFor();
    await results.getByText("Stars", { exact: true }).waitFor();
  });

  test("GRAPH-19: each page that was found says where it is, without a further request", async (t) => {
    const stage = await stageOf(t);
    const directory = join(stage.folder, "deep");
    const levels = ["North", "Arctic", "Norway", "Troms", "Tromsø", "Harbour"];
    const at = (level: number) => [...levels.slice(0, level + 1), "index.md"].join("/");
    await writeFiles(directory, {
      ...Object.fromEntries(levels.map((title, level) => [at(level), markdownPage(title, "")])),
      "North/Arctic/aurora.md": markdownPage("Aurora", "Green light."),
      [at(5).replace("index", "ferry")]: markdownPage("Ferry", "It leaves in the green evening."),
    });
    const deep = await startRunning({ directory });
    stage.defer(() => deep.stop());
    await waitForSync(deep.url, await signInByApi(deep.url));
    const { page } = await visit(stage, browser);
    await openSignedIn(page, deep.url);
    await seeSynced(page);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(new URL("dashboard/graph?q=green", deep.url).href);
    const results = page.locator("[data-results]");
    await results.getByText("North/Arctic", { exact: true }).waitFor();
    await results.getByText("North/…/Tromsø/Harbour", { exact: true }).waitFor();
    await results.getByTitle("North / Arctic / Norway / Troms / Tromsø / Harbour").waitFor();
    const [first, second, ...others] = asked.filter((url) => /\/\?q=|\/nodes\//.test(url)).toSorted();
    assert.match(first ?? "", /search\/\?q=green/);
    assert.match(second ?? "", /text\/\?q=green/);
    assert.deepEqual(others, []);
    await page.getByRole("link", { name: "Ferry", exact: true }).click();
    const place = page.getByRole("navigation", { name: "Place" });
    await place.getByRole("link", { name: "Harbour" }).waitFor();
    assert.equal(await place.getByRole("link").count(), levels.length + 1);
  });

  test("GRAPH-17: by keyboard alone a person searches, moves through what is found, and opens it", async (t) => {
    const page = await enter(await stageOf(t));
    await page.keyboard.press("/");
    await page.keyboard.type("moons");
    const titles = page.locator("[data-title]");
    await titles.first().waitFor();
    await page.keyboard.press("ArrowDown");
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    assert.equal(await focused(), await titles.nth(0).innerText());
    await page.keyboard.press("ArrowDown");
    const second = await titles.nth(1).innerText();
    assert.equal(await focused(), second);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.equal(await page.evaluate<string>("document.activeElement.id"), "search");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: second, exact: true }).waitFor();
    assert.ok((await focused()).endsWith(second));
  });

  test("GRAPH-19: lists and filters are those of the API, and combine", async (t) => {
    const page = await enter(await stageOf(t));
    await page.getByRole("button", { name: "Broken links" }).focus();
    await page.keyboard.press("Enter");
    const results = page.locator("[data-results]");
    await results.getByRole("link", { name: "Neptune", exact: true }).waitFor();
    assert.equal(await results.getByRole("listitem").count(), 2);
    // The focus stays where it was.
    assert.match(await page.evaluate("document.activeElement.textContent"), /^Broken links2$/);
    await page.getByText("Broken links: They link to pages that are not shared or do not exist.").waitFor();
    await page.waitForURL(/\?is=broken$/);
    await page.getByText("Filters", { exact: true }).click();
    await page.getByLabel("Kind").selectOption("Databases");
    await page.getByText("No page meets these filters").waitFor();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await page.getByRole("heading", { name: "Most important pages" }).waitFor();
    await page.getByLabel("Only below").fill("Jupiter");
    await page
      .getByRole("option", { name: /^Jupiter/ })
      .first()
      .click();
    await results.getByRole("link", { name: "Europa", exact: true }).waitFor();
    await page.getByLabel("Sort by").selectOption("Title");
    await page.waitForURL(/sort=title/);
    await page.locator("[data-title]").first().filter({ hasText: "Callisto" }).waitFor();
  });

  test("SRC-5, SRC-6: a page says who wrote it, who vouches for it and what could not be read; a name leads to pages", async (t) => {
    const page = await enter(await stageOf(t), {}, /400/);
    // The demo workspace verifies nothing, and all of its values can be read.
    await page.route(/provider-graph\/nodes\/[^/]+\/$/, async (route) => {
      const response = await route.fetch();
      const verification = { state: "expired", by: null, since: "2026-01-05", until: "2026-04-01" };
      await route.fulfill({ response, json: { ...(await response.json()), verification, unread: ["Mass"] } });
    });
    await openPage(page, "Jupiter");
    const people = page.getByRole("region", { name: "People" });
    await people.getByText("No longer verified").waitFor();
    await people.getByText("since Apr 1, 2026").waitFor();
    const properties = page.getByRole("region", { name: "Properties" });
    await properties.getByText("Mass").waitFor();
    await properties.getByText("Clew could not read this value.").waitFor();
    const person = people.getByRole("link").first();
    const name = await person.innerText();
    await person.click();
    await page.getByLabel("Made or edited by").waitFor();
    assert.equal(await page.getByLabel("Made or edited by").inputValue(), name);
    await page.locator("[data-results]").getByRole("listitem").first().waitFor();
    await page.getByLabel("Made or edited by").fill("Nobody at all");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No person with this name made or edited a page" }).waitFor();
    await page.getByText(`The authors here are ${name}.`).waitFor();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await page.getByLabel("Verified or archived").selectOption("No longer verified");
    await page.waitForURL(/\?is=expired$/);
    await page.getByText("No page meets these filters").waitFor();
  });

  test("GRAPH-24: a page shows its text, and the sentences that link to it", async (t) => {
    const page = await enter(await stageOf(t));
    await openPage(page, "Jupiter");
    await page
      .getByRole("navigation", { name: "Place" })
      .getByRole("link", { name: "Solar System" })
      .waitFor();
    const text = page.getByRole("article");
    await text.getByRole("heading", { name: "What Galileo saw" }).waitFor();
    const backlinks = page.getByRole("region", { name: "Linked from" });
    await backlinks.getByText("Jupiter has more than ninety known moons.").waitFor();
    await backlinks.getByRole("heading", { name: "Mentions" }).waitFor();
    await page
      .getByRole("region", { name: "Related pages" })
      .getByText(/link to both/)
      .first()
      .waitFor();
    await page.getByRole("link", { name: "In the family" }).click();
    await page.waitForURL(/at=\d+/);
    await text.getByRole("link", { name: "Venus" }).click();
    await page.getByRole("heading", { level: 1, name: "Venus" }).waitFor();
    assert.equal(await page.title(), "Venus · Clew");
    await openPage(page, "Neptune");
    await page.getByRole("region", { name: "Broken links" }).waitFor();
  });

  test("GRAPH-23: a database is a table, filtered and sorted by the server", async (t) => {
    const page = await enter(await stageOf(t), {}, /^Failed to load resource.*400/);
    await openPage(page, "Stars");
    const table = page.getByRole("region", { name: "Rows of Stars" });
    await table.getByRole("rowheader", { name: "Sirius" }).waitFor();
    await filterRows(page, { column: "Magnitude", condition: "is less than", value: "0" });
    await page.getByText("4 rows", { exact: true }).waitFor();
    await table.getByRole("button", { name: "Magnitude" }).click();
    await page.waitForURL(/sort=Magnitude/);
    await table.getByRole("rowheader").first().filter({ hasText: "Sirius" }).waitFor();
    await page.reload();
    await page.getByText("4 rows", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Remove the filter Magnitude < 0" }).click();
    await table.getByRole("rowheader", { name: "Vega" }).waitFor();
    await filterRows(page, { column: "Magnitude", condition: "is less than", value: "many" });
    await page
      .getByRole("alert")
      .getByText(/Magnitude/)
      .waitFor();
  });

  test("GRAPH-7: the local graph is the same each time, can be walked by keyboard, and is also a table", async (t) => {
    const page = await enter(await stageOf(t));
    await openPage(page, "Jupiter");
    await page.getByRole("link", { name: "Local graph", exact: true }).click();
    const picture = page.getByRole("group", { name: /^Pages around Jupiter: \d+ shown$/ });
    const across = picture.locator("[data-links=across] line");
    await across.first().waitFor({ state: "attached" });
    const drawn = () => page.evaluate<string>("document.querySelector('svg[role=group]').innerHTML");
    const first = await drawn();
    const count = await picture.getByRole("link").count();
    assert.equal(
      await page.getByRole("region", { name: "The same as a table" }).locator("tbody tr").count(),
      count - 1,
    );
    await page.reload();
    await across.first().waitFor({ state: "attached" });
    assert.equal(await drawn(), first);
    await picture.getByRole("link", { name: /^Jupiter/ }).focus();
    await page.keyboard.press("ArrowRight");
    const named = await page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
    assert.doesNotMatch(named, /^Jupiter/);
    const whole = await picture.getAttribute("viewBox");
    await page.keyboard.press("+");
    assert.notEqual(await picture.getAttribute("viewBox"), whole);
    await page.keyboard.press("Escape");
    assert.match(
      await page.evaluate<string>("document.activeElement.getAttribute('aria-label')"),
      /^Jupiter/,
    );
    await page.keyboard.press("ArrowRight");
    const places = () =>
      page.evaluate<Record<string, string>>(
        "Object.fromEntries([...document.querySelectorAll('svg [data-id]')].map((g) => [g.dataset.id, g.firstElementChild.getAttribute('cx')]))",
      );
    const before = await places();
    await page.keyboard.press("Space");
    await page.getByRole("dialog").getByRole("button", { name: "Add them to the picture" }).click();
    await page.locator("svg [data-id]").nth(count).waitFor({ state: "attached" });
    const grown = await places();
    for (const [id, x] of Object.entries(before)) assert.equal(grown[id], x);
    await page.getByLabel("Mentions").uncheck();
    await page.waitForURL(/kinds=link/);
    assert.ok(Object.keys(await places()).length < Object.keys(grown).length);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download PNG" }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), "Jupiter.png");
    const png = await readFile(await file.path());
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.ok(png.length > 5_000);
    await picture.getByRole("link", { name: /^Jupiter/ }).focus();
    await page.keyboard.press("ArrowDown");
    const next = (await page.evaluate<string>("document.activeElement.getAttribute('aria-label')")).split(
      ",",
    )[0];
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: next ?? "", exact: true }).waitFor();
  });

  test("GRAPH-31: the local graph draws the links among all pages that it shows, lighter, and tells them in the table", async (t) => {
    const page = await enter(await stageOf(t));
    await openPage(page, "Jupiter");
    await page.getByRole("link", { name: "Local graph", exact: true }).click();
    const picture = page.getByRole("group", { name: /^Pages around/ });
    const across = picture.locator("[data-links=across] line");
    await across.first().waitFor({ state: "attached" });
    // Both moons are linked with Jupiter, and with each other.
    const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "Europa" }) });
    await row.getByText(/^\d+ links? with other pages here$/).click();
    await row
      .getByText(/^(links to|is linked from) Io$/)
      .first()
      .waitFor();
    const all = await across.count();
    await picture.getByRole("link", { name: /^Europa/ }).focus();
    const lit = await picture.locator("[data-links=across] line.stroke-thread\\/60").count();
    assert.ok(lit > 0 && lit < all, `${lit} of ${all}`);
    await page.getByRole("checkbox", { name: "Links", exact: true }).uncheck();
    await page.waitForURL(/kinds=/);
    assert.ok((await across.count()) < all);
  });

  test("GRAPH-8: the demo opens with a path, and two pages are chosen by keyboard for another", async (t) => {
    const page = await enter(await stageOf(t));
    await page.getByRole("heading", { name: "How is Jupiter connected with Hōkūleʻa?" }).waitFor();
    await page.getByRole("link", { name: "See the path" }).click();
    await page.getByRole("heading", { name: /^Path 1: [2-9] steps$/ }).waitFor();
    await page.getByRole("region", { name: "The paths as a picture" }).waitFor();
    for (const [label, title, heading] of [
      ["From", "Jupiter", /^From Jupiter /],
      ["To", "Hōkūleʻa", /^From Jupiter to Hōkūleʻa$/],
    ] as const) {
      await page.getByLabel(label, { exact: true }).focus();
      await page.keyboard.type(title);
      await page
        .getByRole("option", { name: new RegExp(`^${title}`) })
        .first()
        .waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    }
    await page.getByRole("heading", { level: 1, name: "From Jupiter to Hōkūleʻa" }).waitFor();
    await page.locator("q").first().waitFor();
    await page.getByLabel("Paths", { exact: true }).selectOption("Up to 5 paths");
    await page.getByRole("heading", { name: /^Path 2/ }).waitFor();
    await page.getByRole("button", { name: "Swap" }).click();
    await page.getByRole("heading", { level: 1, name: "From Hōkūleʻa to Jupiter" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: /^Path 2/ }).waitFor();
  });

  test("AGT-1: every view can be copied as the call that an agent makes to see the same", async (t) => {
    const stage = await stageOf(t);
    const page = await enter(stage, { permissions: ["clipboard-read", "clipboard-write"] });
    const copied = async (what: "curl" | "MCP call", of = "") => {
      await page.getByRole("button", { name: "Copy as…" }).click();
      await page
        .locator(":popover-open")
        .getByRole("button", { name: what + of, exact: true })
        .click();
      return page.evaluate<string>("navigator.clipboard.readText()");
    };
    await page.goto(new URL("dashboard/graph?q=galileo&type=page", demo).href);
    await page.locator("[data-results]").waitFor();
    assert.match(await copied("curl"), /\/api\/v1\/text\/\?q=galileo&type=page/);
    assert.deepEqual(JSON.parse(await copied("MCP call")).params, {
      name: "search_pages",
      arguments: { query: "galileo", type: "page" },
    });
    await openPage(page, "Jupiter");
    assert.equal(JSON.parse(await copied("MCP call", ": Text")).params.name, "read_page");
    assert.match(
      await copied("curl", ": Linked from"),
      /neighbors\/\?direction=in&edge_type=[\w%,]+&excerpts=true/,
    );
    await page.goto(`${page.url()}?view=graph&depth=2&kinds=link,child`);
    await page.getByRole("group", { name: /^Pages around Jupiter/ }).waitFor();
    assert.match(await copied("curl", ": Local graph"), /neighbors\/\?depth=2&edge_type=link%2Cchild"$/);
    assert.deepEqual(JSON.parse(await copied("MCP call", ": Local graph")).params.arguments.kinds, [
      "link",
      "subpage",
    ]);
    await page.getByRole("link", { name: "Find a path from here" }).click();
    await page.getByRole("heading", { level: 1, name: "Find a path" }).waitFor();
  });

  test("GRAPH-10: a page that is not there says so", async (t) => {
    const stage = await stageOf(t);
    const { page, expectedFaults } = await visit(stage, browser);
    expectedFaults.push(/^Failed to load resource.*404/);
    await openSignedIn(page, demo);
    await page.goto(new URL("dashboard/graph/9a4beed0-598c-87bb-8c0b-000000000000", demo).href);
    await page.getByRole("heading", { level: 1, name: "There is no such page" }).waitFor();
    await examine(page, "no such page");
  });

  test("GRAPH-9: in a large workspace, hubs are folded and long lists continue", async (t) => {
    const stage = await stageOf(t);
    const directory = join(stage.folder, "large");
    await writeWorkspace(directory, { seed: 7, pages: 600, largestDatabase: 150 });
    const large = await startRunning({ directory });
    stage.defer(() => large.stop());
    // Its sync takes longer than a step on a page may.
    const session = await signInByApi(large.url);
    await waitForSync(large.url, session);
    const { page } = await visit(stage, browser);
    await openSignedIn(page, large.url);
    await page.goto(new URL("dashboard/graph?sort=degree", large.url).href);
    const results = page.locator("[data-results] > li");
    await results.first().waitFor();
    const before = await results.count();
    await page.getByRole("button", { name: "Show more" }).click();
    await results.nth(before).waitFor();
    const ids = await page.evaluate<string[]>(
      "[...document.querySelectorAll('[data-title]')].map(({ href }) => href)",
    );
    assert.equal(new Set(ids).size, ids.length);
    const picture = page.getByRole("group", { name: /^Pages around/ });

    // The neighbours of a hub are groups with their counts, which unfold; a second step has no room.
    await page.locator("[data-title]").first().click();
    await page.getByRole("link", { name: "Local graph", exact: true }).click();
    const groups = picture.getByRole("button", { name: /^.+ · [\d,]+$/ });
    await groups.first().waitFor();
    assert.equal(await page.getByRole("radio", { name: "2 steps" }).isDisabled(), true);
    await page.getByText(/^[\d,]+ pages are one step away: they fill the picture, in groups/).waitFor();
    await examine(page, "local graph of a hub");
    for (const size of [
      { width: 1024, height: 768 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(size);
      const box = await picture.boundingBox();
      assert.ok(box !== null && box.height >= 300 && box.y + box.height <= size.height, JSON.stringify(box));
    }
    const folded = picture.locator("[data-id][aria-expanded=false]");
    if ((await folded.count()) === 0) await picture.locator("[data-id][aria-expanded=true]").first().click();
    const pagesBefore = await picture.getByRole("link").count();
    await folded.first().focus();
    await page.keyboard.press("Enter");
    await picture.getByRole("link").nth(pagesBefore).waitFor({ state: "attached" });

    // Around a page with fewer links, each page stands for itself. Which database comes first among equals
    // depends on when its folder was written, so the page is not a database.
    const api = clientOf(large.url, session);
    const { items } = await api.searchPages({ sort: "degree", limit: 100 });
    const fewer = items.find(({ node: { type, degree } }) => type === "page" && degree.in + degree.out <= 60);
    await page.goto(new URL(`dashboard/graph/${fewer?.node.id}?view=graph`, large.url).href);
    await page.getByRole("radio", { name: "2 steps" }).check();
    await page.waitForURL(/depth=2/);
    const numbers = picture.getByText(/^\+\d+$/);
    await numbers.first().waitFor();
    const shown = await picture.getByRole("link").count();
    assert.ok(shown <= 300);

    // Pressing the number lists what it stands for.
    const number = Number((await numbers.first().textContent())?.slice(1));
    await numbers.first().click();
    const dialog = page.getByRole("dialog", { name: new RegExp(`^${number} more links? of `) });
    await dialog.getByRole("link").first().waitFor();
    await examine(page, "folded links");
    while ((await dialog.getByRole("button", { name: "Show more" }).count()) > 0) {
      const listed = await dialog.getByRole("link").count();
      await dialog.getByRole("button", { name: "Show more" }).click();
      await dialog.getByRole("link").nth(listed).waitFor();
    }
    const listed = await dialog.getByRole("listitem").count();
    const inPicture = await dialog.getByText("in the picture").count();
    assert.ok(listed > 0 && listed <= number, `${listed} pages for ${number} links`);
    assert.ok(inPicture < listed);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await picture.getByRole("link").count(), shown);
    await numbers.first().click();
    await dialog.getByRole("button", { name: "Add them to the picture" }).click();
    await picture.getByRole("link").nth(shown).waitFor({ state: "attached" });
    assert.ok((await picture.getByRole("link").count()) <= 300);
    await numbers.first().click();
    await page.getByRole("dialog").getByRole("link").first().click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.waitForURL((url) => !url.search.includes("view=graph"));
  });
});
