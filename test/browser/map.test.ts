import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@clew/client";
import { until } from "@clew/stand-in/testing/until";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { fitted, toScreen } from "../../packages/dashboard/src/views/map/camera.ts";
import { at, readMapFile, transposed } from "../../packages/dashboard/src/views/map/map-file.ts";
import { noBrowser, visit } from "../support/browser.ts";
import { markdownPage } from "../support/markdown-folder.ts";
import { startRunning } from "../support/running-clew.ts";
import { clientOf } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { stageOf } from "../support/stage.ts";
import { examine } from "./examine.ts";
import { emptyClew, sharedBrowser } from "./shared.ts";
import { openSignedIn, seeSynced, stopTime, storedSession } from "./steps.ts";

describe("the map in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  /** A person at the map of three pages: Ariadne, Minotaur and Theseus, whom the other two are linked with. */
  async function enter(t: TestContext, options: BrowserContextOptions = {}) {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const visitor = await visit(stage, browser, { reducedMotion: "reduce", ...options });
    const { page } = visitor;
    await openSignedIn(page, url);
    await seeSynced(page);
    const session = await storedSession(page);
    assert.ok(session);
    const open = async (query = "") => {
      await page.goto(new URL(`dashboard/map${query}`, url).href);
      await page.getByRole("application", { name: /^Map of/ }).waitFor();
    };
    return { ...visitor, api: clientOf(url, session), open };
  }

  test("GRAPH-30: a click selects a page, a second one opens it, and Back restores the map as it was", async (t) => {
    const { page, api, open } = await enter(t);
    await open();
    const places = await placesOf(page, api);
    await page.mouse.click(...places.get("Theseus"));
    const panel = page.getByRole("region", { name: "Theseus" });
    await panel.getByText("He met the Minotaur").waitFor();
    await panel.getByText("Linked with 2 pages").waitFor();
    await panel.getByRole("button", { name: "Ariadne" }).waitFor();
    await page.waitForURL(/page=/);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.waitForURL(/at=/);
    const before = page.url();
    await panel.getByRole("link", { name: "Open" }).click();
    await page.getByRole("heading", { level: 1, name: "Theseus" }).waitFor();
    await page.goBack();
    await panel.getByText("Linked with 2 pages").waitFor();
    assert.equal(page.url(), before);
    await panel.getByRole("button", { name: "Close" }).click();
    await panel.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Show everything" }).click();
    await page.waitForURL(/map$/);
    const again = await placesOf(page, api);
    await page.mouse.click(...again.get("Minotaur"));
    await page.getByRole("region", { name: "Minotaur" }).waitFor();
    await page.mouse.click(...again.get("Minotaur"));
    await page.getByRole("heading", { level: 1, name: "Minotaur" }).waitFor();
  });

  test("GRAPH-30: a pointer that sweeps over the map asks for nothing; links are asked for once it rests", async (t) => {
    const { page, api, open } = await enter(t);
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/neighbors/")) asked.push(request.url());
    });
    await open();
    const places = await placesOf(page, api);
    // The names of a small map are all there before it rests; its timers are the test's from now on.
    await page.clock.install();
    await stopTime(page);
    for (const title of ["Theseus", "Ariadne", "Minotaur", "Theseus"]) {
      await page.mouse.move(...places.get(title));
      await page.clock.runFor(140);
    }
    await page.mouse.move(5, 5);
    await page.clock.runFor(1000);
    assert.deepEqual(asked, []);
    const resting = page.waitForRequest(/neighbors/);
    await page.mouse.move(...places.get("Theseus"));
    await page.clock.runFor(160);
    await resting;
    await page.clock.runFor(1000);
    assert.equal(asked.length, 1);
  });

  test("GRAPH-30: on a touchscreen a tap selects, two fingers zoom, and a path is drawn between two taps", async (t) => {
    const { page, api, open } = await enter(t, { hasTouch: true, viewport: { width: 390, height: 844 } });
    await open();
    const first = await placesOf(page, api);
    await page.touchscreen.tap(...first.get("Ariadne"));
    const sheet = page.getByRole("region", { name: "Ariadne" });
    await sheet.getByText("Linked with 1 page").waitFor();
    await examine(page, "page on a phone");
    await sheet.getByRole("button", { name: "Find a path from here" }).click();
    await page.getByText("Choose the page at the other end").waitFor();
    await examine(page, "other end on a phone");
    await sheet.getByRole("button", { name: "Close" }).click();
    await page.getByText("Choose the page at the other end").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Show everything" }).click();
    await page.waitForURL(/map$/);
    await pinch(page);
    await page.waitForURL(/at=/);
    const zoom = Number(/at=[^&]*?(?:%2C|,)([\d.]+)(?:&|$)/.exec(page.url())?.[1]);
    assert.ok(zoom > 0.5 && zoom < 1.5, `${zoom}`);
    // A link to the page with the other end.
    const ids = await idsOf(api);
    await open(`?page=${ids.get("Ariadne")}&to=${ids.get("Minotaur")}`);
    await page.getByRole("region", { name: "Path" }).getByText("2 steps").waitFor();
    await examine(page, "path on a phone");
  });

  test("GRAPH-30: Shift and a click draw the path between two pages on the map, and Escape takes it away", async (t) => {
    const { page, api, open } = await enter(t);
    await open();
    const places = await placesOf(page, api);
    await page.mouse.click(...places.get("Ariadne"));
    await page.getByRole("region", { name: "Ariadne" }).waitFor();
    await page.keyboard.down("Shift");
    await page.mouse.click(...places.get("Minotaur"));
    await page.keyboard.up("Shift");
    const path = page.getByRole("region", { name: "Path" });
    await path.getByText("2 steps").waitFor();
    assert.deepEqual(await path.getByRole("listitem").allInnerTexts(), ["Ariadne", "Theseus", "Minotaur"]);
    await page.waitForURL(/to=/);
    await page.getByRole("application").focus();
    await page.keyboard.press("Escape");
    await page.getByRole("region", { name: "Ariadne" }).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.searchParams.has("page"));
  });

  test("GRAPH-30: a page that is opened while the map still moves stays open", async (t) => {
    const { page, api, open } = await enter(t);
    await page.route("**/assets/page-view-*.js", async (route) => {
      await sleep(2_000);
      await route.continue();
    });
    await open(`?page=${(await idsOf(api)).get("Theseus")}`);
    await page.getByRole("region", { name: "Theseus" }).getByText("Linked with 2 pages").waitFor();
    await page.getByRole("application").focus();
    await page.keyboard.press("+");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Theseus" }).waitFor();
  });

  test("GRAPH-30: a key that is pressed as soon as there is a map selects a page", async (t) => {
    const { page, open } = await enter(t);
    await page.addInitScript(`new MutationObserver((_, observer) => {
      const map = document.querySelector("[role=application]");
      if (map === null) return;
      observer.disconnect();
      map.focus();
      map.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    }).observe(document, { childList: true, subtree: true })`);
    await open();
    await page.getByText("Linked with 2 pages").waitFor();
  });

  test("GRAPH-30: a newer map takes the place of the one that is shown, and the focus and the page stay", async (t) => {
    const stage = await stageOf(t);
    const folder = await writeSmallWorkspace(stage);
    const clew = await startRunning({ env: { WORKSPACE_DIR: folder } });
    stage.defer(() => clew.stop());
    const { page, context } = await visit(stage, browser, { reducedMotion: "reduce" });
    await openSignedIn(page, clew.url);
    await seeSynced(page);
    await page.clock.install();
    await page.goto(new URL("dashboard/map", clew.url).href);
    await page.getByRole("application", { name: "Map of 3 pages" }).focus();
    await page.keyboard.press("ArrowRight");
    const panel = page.getByRole("region", { name: "Theseus" });
    await panel.waitFor();
    await writeFile(join(folder, "daedalus.md"), markdownPage("Daedalus", "He built the labyrinth."));
    const other = await context.newPage();
    await other.goto(new URL("dashboard/workspaces", clew.url).href);
    await other.getByRole("button", { name: "Sync now" }).click();
    const newer = page.getByRole("application", { name: "Map of 4 pages" });
    for (; (await newer.count()) === 0; await sleep(100)) await page.clock.runFor(5_000);
    await newer.and(page.locator(":focus")).waitFor();
    await panel.waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
  });

  test("GRAPH-30: by keyboard, arrows go from page to page, Tab goes through links, Enter opens, and all is said", async (t) => {
    const { page, api, open } = await enter(t);
    await open();
    const places = await placesOf(page, api);
    const map = page.getByRole("application");
    const said = page.locator("#announcement");
    await map.focus();
    await page.keyboard.press("ArrowRight");
    await said.filter({ hasText: /^(Ariadne|Minotaur|Theseus)$/ }).waitFor();
    // Each arrow leads to a page that lies to its side.
    for (const key of ["Left", "Up", "Right", "Down", "Left"] as const) {
      const from = (await said.textContent()) ?? "";
      const [x, y] = places.get(from);
      const isThere = { Left: dxOf(-1), Right: dxOf(1), Up: dyOf(-1), Down: dyOf(1) }[key];
      const others = [...places.all].filter(([title, place]) => title !== from && isThere(place, [x, y]));
      if (others.length === 0) continue;
      await page.keyboard.press(`Arrow${key}`);
      await said.filter({ hasNotText: from }).waitFor();
      const to = await said.textContent();
      assert.ok(
        others.some(([title]) => title === to),
        `${from} ${key} ${to}`,
      );
    }
    await open(`?page=${(await idsOf(api)).get("Theseus")}`);
    await page.getByRole("region", { name: "Theseus" }).getByText("Linked with 2 pages").waitFor();
    await map.focus();
    await page.keyboard.press("Tab");
    await said.filter({ hasText: "1 of 2 links" }).waitFor();
    await page.keyboard.press("Tab");
    await said.filter({ hasText: "2 of 2 links" }).waitFor();
    const [last = ""] = ((await said.textContent()) ?? "").split(",");
    await page.keyboard.press("Shift+Tab");
    await said.filter({ hasText: "1 of 2 links" }).waitFor();
    await page.keyboard.press("Tab");
    await said.filter({ hasText: "2 of 2 links" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: last }).waitFor();
    await page.goBack();
    // After the last link the focus leaves the map.
    await page.getByRole("region", { name: "Theseus" }).getByText("Linked with 2 pages").waitFor();
    await map.focus();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("Tab");
    assert.equal(await map.evaluate((element) => element.matches(":focus")), false);
  });

  test("GRAPH-30: the search of the map lists while the person types, dims all other pages, and Enter flies to the first", async (t) => {
    const { page, api, open, expectedFaults } = await enter(t, { reducedMotion: "no-preference" });
    expectedFaults.push(/Multiple readback operations/);
    await open();
    const places = await placesOf(page, api);
    const before = await pixelAt(page, places.get("Minotaur"));
    await page.keyboard.press("/");
    await page.keyboard.type("ariad");
    await page.getByRole("option", { name: "Ariadne" }).waitFor();
    await page.waitForURL(/q=ariad/);
    const holds = (condition: string, given: unknown) =>
      until(() => page.evaluate<boolean>(`(${condition})(${JSON.stringify(given)})`));
    await holds(isPaler, { point: places.get("Minotaur"), than: before });
    await holds(standsOut, { bright: places.get("Ariadne"), dim: places.get("Minotaur") });
    await examine(page, "search of the map");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Ariadne" }).waitFor();
    await page.waitForURL(/at=/);
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.searchParams.has("q"));
  });

  test("GRAPH-30: a link opens the same map, and the legend shows some pages alone", async (t) => {
    const { page, open } = await enter(t);
    await open("?by=folder&colour=stale&at=0.50000,0.50000,1.00");
    await page.getByRole("button", { name: "By folder", pressed: true }).waitFor();
    await page.getByRole("combobox", { name: "Colour" }).selectOption("edited");
    await page.waitForURL(/colour=edited/);
    const legend = page.getByRole("group").filter({ hasText: "Colours: last edit" });
    const entry = legend.getByRole("button", { name: /^From \d{4}-\d\d-\d\d/ });
    await entry.click();
    await page.waitForURL(/only=/);
    await legend.getByRole("button", { name: "Show all" }).click();
    await page.waitForURL((url) => !url.searchParams.has("only"));
    assert.match(page.url(), /at=0.5/);
    await page.getByRole("combobox", { name: "Colour" }).selectOption("orphan");
    await page.getByRole("button", { name: /^Orphaned \d/ }).waitFor();
    await page.getByRole("button", { name: "As a table" }).click();
    await page.getByRole("columnheader", { name: "Region" }).waitFor();
    await page.getByRole("rowheader").first().getByRole("button").click();
    await page.getByRole("application").waitFor();
    await page.waitForURL(/at=/);
  });

  test("GRAPH-30: the map is downloaded as a picture, and its curl line writes a file", async (t) => {
    const { page, context, open } = await enter(t);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await open();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download PNG" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "map-Labyrinth.png");
    await page.getByRole("button", { name: "Copy as…" }).click();
    await page.getByRole("button", { name: "curl" }).click();
    const line = await page.evaluate<string>("navigator.clipboard.readText()");
    assert.match(line, /^curl --fail-with-body -o map\.cmap .*\/map\/\?links=true"$/);
  });

  test("GRAPH-30: a page leads to its place on the map", async (t) => {
    const { page, open } = await enter(t);
    await open();
    await page.goto(page.url().replace(/map.*/, "graph"));
    await page.getByRole("link", { name: "Theseus" }).first().click();
    await page.getByRole("link", { name: "Show on map" }).click();
    await page.getByRole("region", { name: "Theseus" }).waitFor();
    await page.waitForURL(/map\?.*page=/);
  });

  test("GRAPH-30: the bar is 44 pixels high, the map fills the rest, and nothing is outside of the window", async (t) => {
    const { page, open } = await enter(t);
    await open();
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [768, 1024],
      [360, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      const isNarrow = width < 768;
      const bar = await page
        .getByRole("main")
        .getByRole("banner")
        .or(page.locator("main header"))
        .first()
        .boundingBox();
      // A window of another shape has a map of its own, which may take the place of the last one between these steps.
      let map = null;
      do {
        await page.getByRole("application").waitFor();
        map = await page.getByRole("application").boundingBox();
      } while (map === null);
      assert.ok(bar && map);
      assert.deepEqual([bar.y, bar.height], [0, 44]);
      assert.ok(Math.abs(map.x + map.width - width) < 1, `${width}: ${map.x + map.width}`);
      assert.equal(map.y, 44);
      const foot = isNarrow ? await page.getByRole("navigation", { name: "Sections" }).boundingBox() : null;
      assert.ok(Math.abs(map.y + map.height - (foot?.y ?? height)) <= 1, `${width}: ${map.y + map.height}`);
      const fit = await page.getByRole("button", { name: "Show everything" }).boundingBox();
      assert.ok(fit && fit.y + fit.height < map.y + map.height);
      await examine(page, `map at ${width} pixels`);
    }
    await page.getByRole("button", { name: "What the map shows" }).click();
    await page.getByRole("button", { name: "By folder" }).waitFor();
    await examine(page, "switches in a narrow window");
  });

  test("GRAPH-30: names of a large map come with one request, and none is under a control", async (t) => {
    const { page, open } = await enter(t);
    await page.addInitScript({ content: recordNames });
    const asked = await serveScattered(page, 10_000);
    // So near that there are pages below the controls.
    await open("?at=0.5,0.5,1");
    await page.waitForFunction(() => Reflect.get(globalThis, "written").size > 10);
    const [first, ...others] = asked;
    assert.ok(first !== undefined && first.length > 10 && first.length <= 100, `${first?.length} positions`);
    assert.deepEqual(others, []);
    const covered = await page.locator("[data-covers]").evaluateAll((elements) =>
      elements.map((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return { left, top, right, bottom };
      }),
    );
    assert.equal(covered.length, 2);
    for (const { left, right } of covered) assert.ok(right - left > 100);
    const map = await page.getByRole("application").boundingBox();
    assert.ok(map);
    const written = await page.evaluate<Record<string, readonly [number, number]>>(
      "Object.fromEntries(globalThis.written)",
    );
    for (const [name, [x, y]] of Object.entries(written))
      for (const { left, top, right, bottom } of covered) {
        const isUnder = map.x + x > left && map.x + x < right && map.y + y > top && map.y + y < bottom;
        assert.ok(!isUnder, name);
      }
    // A page that is named already is not asked for again.
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.waitForURL(/at=.*(%2C|,)1\.68/);
    await page.waitForTimeout(100);
    const all = asked.flat();
    assert.equal(new Set(all).size, all.length);
  });

  test("GRAPH-30: a workspace without pages says why there is no map, and leads to what helps", async (t) => {
    const { page } = await enter(t);
    await page.route("**/workspaces/", async (route) => {
      const answer = await route.fetch();
      const { items } = (await answer.json()) as { items: readonly object[] };
      await route.fulfill({ json: { items: items.map((item) => ({ ...item, nodes: 0, edges: 0 })) } });
    });
    await page.goto(page.url().replace(/workspaces.*/, "map"));
    await page.getByText("Clew may read no page of Labyrinth: none is shared with it.").waitFor();
    await page.getByRole("link", { name: "Share pages" }).waitFor();
    await examine(page, "no map");
  });

  test("GRAPH-30: how long large maps take to draw, in software", async (t) => {
    const { page, open } = await enter(t);
    await page.addInitScript({ content: countDrawing });
    for (const size of [10_000, 100_000]) {
      await serveScattered(page, size);
      await open();
      await page.waitForFunction(() => Reflect.get(Reflect.get(globalThis, "drawn"), "first") !== null);
      const ms = await page.evaluate<number>(`drawn.first - ${responseEnd}`);
      const rate = await framesPerSecond(page);
      t.diagnostic(
        `${size} pages: first picture ${Math.round(ms)} ms after the bytes, ${rate.toFixed(1)} frames/s`,
      );
      assert.ok(ms > 0 && rate > 0);
    }
  });
});

const responseEnd =
  'performance.getEntriesByType("resource").find(({ name }) => /\\/map\\/\\?/.test(name)).responseEnd';

type Point = readonly [x: number, y: number];

/** The ids of the pages by their titles. */
async function idsOf(api: Client): Promise<ReadonlyMap<string, string>> {
  const { items } = await api.searchPages({});
  return new Map(items.map(({ node }) => [node.title, node.id]));
}

/** Finds the place of each page in the window, while it shows the whole map. */
async function placesOf(page: Page, api: Client) {
  const [{ id = "" } = {}] = (await api.listWorkspaces()).items;
  const read = readMapFile(new Uint8Array(await api.getMap({ id, links: true })).buffer);
  const box = await page.getByRole("application").boundingBox();
  assert.ok(box);
  const map = box.width / box.height < 0.85 ? transposed(read) : read;
  const camera = fitted(map, box);
  const { items } = await api.listMapPages({ id, count: 1000 });
  const all = new Map(
    items.map(({ title, position }): [string, [x: number, y: number]] => {
      const [x, y] = toScreen(camera, box, at(map.xs, position), at(map.ys, position));
      return [title, [box.x + x, box.y + y]];
    }),
  );
  return {
    all,
    get(title: string): [x: number, y: number] {
      const place = all.get(title);
      assert.ok(place, title);
      return place;
    },
  };
}

/** Whether a point lies to a side of another: within 45° of left (-1) or right (1), and of above or below. */
const dxOf =
  (sign: number) =>
  ([toX, toY]: Point, [x, y]: Point) =>
    (toX - x) * sign > Math.abs(toY - y);
const dyOf =
  (sign: number) =>
  ([toX, toY]: Point, [x, y]: Point) =>
    (toY - y) * sign > Math.abs(toX - x);

/** Spreads two fingers over the map to twice their distance, as the touchscreen reports it. */
async function pinch(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", apart: number) =>
    devtools.send("Input.dispatchTouchEvent", {
      type,
      touchPoints:
        type === "touchEnd"
          ? []
          : [
              { x: 195 - apart, y: 400, id: 1 },
              { x: 195 + apart, y: 400, id: 2 },
            ],
    });
  await send("touchStart", 50);
  for (let apart = 60; apart <= 100; apart += 10) await send("touchMove", apart);
  await send("touchEnd", 0);
  await devtools.detach();
}

/** The colour of the map at a point of the window. */
async function pixelAt(page: Page, point: Point): Promise<readonly number[]> {
  return page.evaluate(`(${readPixel})(${JSON.stringify(point)})`);
}

const readPixel = `([x, y]) => {
  const canvas = document.querySelector("[role=application] canvas");
  const { left, top, width } = canvas.getBoundingClientRect();
  const ratio = canvas.width / width;
  return [...canvas.getContext("2d").getImageData((x - left) * ratio, (y - top) * ratio, 1, 1).data.slice(0, 3)];
}`;

/** Whether the colour at a point has become nearer to that of the paper. */
const isPaler = `({ point, than }) => {
  const far = (colour) => colour.reduce((sum, part) => sum + Math.abs(part - 248), 0);
  return far((${readPixel})(point)) < 0.5 * far(than);
}`;

/** Whether one pixel of the picture is twice as far from the paper as another. */
const standsOut = `({ bright, dim }) => {
  const far = (point) => (${readPixel})(point).reduce((sum, part) => sum + Math.abs(part - 248), 0);
  return far(bright) > 2 * far(dim);
}`;

/** Records which names are written on the map, and where last. */
const recordNames = `
  globalThis.written = new Map();
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    written.set(text, place);
    return fillText.call(this, text, ...place);
  };
`;

/** Records when the pages are first drawn, and how often the map is. */
const countDrawing = `
  globalThis.drawn = { first: null, frames: 0 };
  const { drawImage } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.drawImage = function (...parameters) {
    drawImage.apply(this, parameters);
    // Reading a pixel waits until all is drawn.
    if (drawn.first === null) this.getImageData(0, 0, 1, 1);
    drawn.first ??= performance.now();
    drawn.frames += 1;
  };
`;

/** Serves a map of many pages in place of the workspace's. Returns the lists of pages that are named, as they are asked for. */
async function serveScattered(page: Page, size: number): Promise<(readonly number[])[]> {
  const asked: (readonly number[])[] = [];
  await page.route(/\/map\/\?/, (route) =>
    route.fulfill({ contentType: "application/octet-stream", body: scattered(size) }),
  );
  await page.route("**/map/nodes/**", async (route) => {
    const positions = new URL(route.request().url()).searchParams.get("positions")?.split(",").map(Number);
    asked.push(positions ?? []);
    const items = (positions ?? []).map((position) => ({
      position,
      id: idOf(position),
      title: `P${position}`,
    }));
    await route.fulfill({ json: { graph_version: 0, total: size, items } });
  });
  await page.route("**/neighbors/**", (route) => route.fulfill({ json: { items: [] } }));
  await page.route("**/edges/**", (route) =>
    route.fulfill({ json: { items: [], missing: [], truncated: false } }),
  );
  return asked;
}

const idOf = (position: number) => `99999999-9999-4999-8999-${String(position).padStart(12, "0")}`;

/**
 * Frames that are drawn in a second while the map is dragged about. It is moved from within the page: each move of Playwright's
 * mouse waits for a frame and its own way there and back, which was most of the time.
 */
async function framesPerSecond(page: Page): Promise<number> {
  const box = await page.getByRole("application").boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  const rate = await page.evaluate<number>(dragAbout);
  await page.mouse.up();
  return rate;
}

const dragAbout = `new Promise((resolve) => {
  const map = document.querySelector("[role=application]");
  const { left, top, width, height } = map.getBoundingClientRect();
  const [began, before] = [performance.now(), drawn.frames];
  const move = (step) => {
    const seconds = (performance.now() - began) / 1000;
    if (seconds > 0.5 && drawn.frames > before) return resolve((drawn.frames - before) / seconds);
    const clientX = left + width / 2 + 100 * Math.sin(step / 10);
    const clientY = top + height / 2 + 100 * Math.cos(step / 10);
    // The id of the mouse, which is pressed.
    map.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, pointerId: 1, clientX, clientY }));
    requestAnimationFrame(() => move(step + 1));
  };
  move(0);
})`;

/** A map with one region and points all over it. */
function scattered(size: number): Buffer {
  const [header, region, node] = [40, 24, 6];
  const bytes = Buffer.alloc(header + region + size * node);
  bytes.write("CMAP");
  bytes.writeUInt16LE(2, 4);
  bytes.writeUInt16LE(header, 6);
  bytes.writeUInt32LE(size, 8);
  bytes.writeUInt16LE(1, 20);
  for (const at of [28, 32]) bytes.writeUInt32LE(header + region, at);
  for (const [offset, value] of [
    [0, 32_768],
    [2, 32_768],
    [4, 32_000],
    [8, 0xffff],
  ] as const)
    bytes.writeUInt16LE(value, header + offset);
  bytes.writeUInt8(1, header + 6);
  bytes.writeUInt32LE(size, header + 12);
  for (let index = 0; index < size; index += 1) {
    const offset = header + region + index * node;
    const radius = 30_000 * Math.sqrt(index / size);
    bytes.writeUInt16LE(Math.round(32_768 + radius * Math.cos(index * 2.4)), offset);
    bytes.writeUInt16LE(Math.round(32_768 + radius * Math.sin(index * 2.4)), offset + 2);
    bytes.writeUInt8(180, offset + 4);
    bytes.writeUInt8(index % 256, offset + 5);
  }
  return bytes;
}
