import assert from "node:assert/strict";
import { before, describe, type TestContext, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { stageOf } from "../support/stage.ts";
import { emptyClew, sharedBrowser } from "./shared.ts";
import { openSignedIn, seeSynced } from "./steps.ts";
import { withoutWebGl } from "./without-web-gl.ts";

describe("the map in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  async function signedIn(t: TestContext) {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const visitor = await visit(stage, browser);
    // Chromium tells that it draws in software.
    visitor.expectedFaults.push(/GPU stall due to ReadPixels/);
    await openSignedIn(visitor.page, url);
    await seeSynced(visitor.page);
    return { ...visitor, open: () => visitor.page.goto(new URL("dashboard/map", url).href) };
  }

  test("GRAPH-30: pages are found on the map by pointer and by keyboard, and opened from it", async (t) => {
    const { page, open } = await signedIn(t);
    await open();
    const map = page.getByRole("application", { name: "Map of 3 pages" });
    await page.getByRole("status").filter({ hasText: "Drag to move" }).waitFor();
    await map.focus();
    await page.keyboard.press("+");
    await page.keyboard.press("-");
    const title = page.getByRole("status").filter({ hasText: /Ariadne|Minotaur|Theseus/ });
    const box = await map.boundingBox();
    assert.ok(box);
    // The map is searched in rows for a point that is a page.
    search: for (let y = 10; y < box.height; y += 16) {
      for (let x = 10; x < box.width; x += 16) {
        await page.mouse.move(box.x + x, box.y + y);
        if (await title.isVisible()) break search;
      }
    }
    await title.waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/dashboard\/graph\/[0-9a-f-]{36}/);
    await page.goBack();
    await page.getByRole("tab", { name: "As a table" }).click();
    await page.getByRole("link", { name: "Ariadne" }).waitFor();
  });

  test("GRAPH-30: the labels of a large map come with one request, and the map always has its help", async (t) => {
    const { page, open } = await signedIn(t);
    await page.addInitScript({ content: recordNames });
    await page.route("**/workspaces/*/map/", (route) =>
      route.fulfill({ contentType: "application/octet-stream", body: scattered(10_000) }),
    );
    const asked: (readonly number[])[] = [];
    await page.route("**/map/nodes/**", async (route) => {
      const positions = new URL(route.request().url()).searchParams.get("positions")?.split(",").map(Number);
      asked.push(positions ?? []);
      const items = positions?.map((position) => ({ position, id: unknownId, title: `P${position}` }));
      await route.fulfill({ json: { graph_version: 0, total: 10_000, items: items ?? [] } });
    });
    await page.route("**/neighbors/**", (route) => route.fulfill({ json: { items: [] } }));
    await open();
    await page.waitForFunction(() => Reflect.get(globalThis, "written").size > 0);
    const [first, ...others] = asked;
    assert.ok(first !== undefined && first.length > 10 && first.length <= 100, `${first?.length} positions`);
    assert.deepEqual(others, []);
    // A page that is named already is not asked for again.
    const map = page.getByRole("application");
    await map.focus();
    await page.keyboard.press("+");
    await page.getByRole("status").filter({ hasText: /^P\d+/ }).waitFor();
    const described =
      "document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent";
    assert.match(await page.evaluate<string>(described), /Drag to move/);
    const all = asked.flat();
    assert.equal(new Set(all).size, all.length);
  });

  test("GRAPH-30: the buttons of the map and its help are in sight without scrolling", async (t) => {
    const { page, open } = await signedIn(t);
    await open();
    for (const [width, height] of [
      [1440, 900],
      [1280, 720],
      [360, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      const fit = page.getByRole("button", { name: "Show everything" });
      await fit.waitFor();
      const bottom = await fit.evaluate((element) => element.getBoundingClientRect().bottom);
      // In a narrow window the sections are below.
      const covered = width < 768 ? 60 : 0;
      assert.ok(bottom < height - covered, `${width} × ${height}: ${bottom}`);
    }
  });

  test("GRAPH-30: a browser without WebGL says so, and a lost context is restored", async (t) => {
    const { page, open } = await signedIn(t);
    await open();
    await page.getByRole("application").waitFor();
    await page.evaluate(loseContext);
    await page.addInitScript({ content: withoutWebGl });
    await open();
    await page.getByText("This browser cannot draw the map").waitFor();
  });

  test("GRAPH-30: how long large maps take to draw, in software", async (t) => {
    const { page, open } = await signedIn(t);
    await page.addInitScript({ content: countDrawing });
    for (const size of [10_000, 100_000]) {
      await page.route("**/workspaces/*/map/", (route) =>
        route.fulfill({ contentType: "application/octet-stream", body: scattered(size) }),
      );
      await open();
      await page.waitForFunction(() => Reflect.get(Reflect.get(globalThis, "drawn"), "first") !== null);
      const ms = await page.evaluate<number>(`drawn.first - ${responseEnd}`);
      const rate = await framesPerSecond(page);
      t.diagnostic(
        `${size} pages: first picture ${Math.round(ms)} ms after the bytes, ${rate.toFixed(1)} frames/s`,
      );
      assert.ok(ms > 0 && rate > 0);
      await page.unrouteAll({ behavior: "ignoreErrors" });
    }
  });
});

const responseEnd =
  'performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/map/")).responseEnd';

const unknownId = "99999999-9999-4999-8999-999999999999";

/** Records which names are written on the map. */
const recordNames = `
  globalThis.written = new Set();
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    written.add(text);
    return fillText.call(this, text, ...place);
  };
`;

/** Records when the points are first drawn, the drawing itself included, and how often they are. */
const countDrawing = `
  globalThis.drawn = { first: null, frames: 0 };
  const { drawArrays } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.drawArrays = function (...parameters) {
    drawArrays.apply(this, parameters);
    // Reading a pixel waits until all is drawn.
    if (drawn.first === null) this.readPixels(0, 0, 1, 1, this.RGBA, this.UNSIGNED_BYTE, new Uint8Array(4));
    drawn.first ??= performance.now();
    drawn.frames += 1;
  };
`;

const loseContext = `(async () => {
  const canvas = document.querySelector("canvas");
  const extension = canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
  const restored = new Promise((resolve) => canvas.addEventListener("webglcontextrestored", resolve));
  extension.loseContext();
  await new Promise((resolve) => setTimeout(resolve, 100));
  extension.restoreContext();
  await restored;
})()`;

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
