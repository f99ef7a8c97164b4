/**
 * Takes the pictures of docs/pictures anew, of the demo workspace.
 *
 *     npm run docs:pictures
 *
 * It needs fonts with emoji and Chinese characters, and P052 for titles; on Debian: `fonts-noto-color-emoji fonts-noto-cjk`, and P052 of
 * `fonts-urw-base35` alone. With the other fonts of that package, bold words have serifs.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Client } from "@clew/client";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser } from "../support/browser.ts";
import { call } from "../support/call.ts";
import { setTimes } from "../support/markdown-folder.ts";
import { startRunning } from "../support/running-clew.ts";
import { clientOf, readWorkspaces, signIn, waitForSync } from "../support/session.ts";
import { alsoDark, alsoNarrow, entrance, type Scene, scenes } from "./scenes.ts";

const folder = join(import.meta.dirname, "../../docs/pictures");
const sample = join(import.meta.dirname, "../../packages/stand-in/sample");
const dayMs = 86_400_000;

/** The time at which the pictures are taken, on any day. */
const shownTime = Date.UTC(2026, 10, 22, 9);

/** A clock that runs, and that can be set. */
let shiftMs = 0;
const clock = () => Date.now() + shiftMs;
const setClock = (ms: number) => {
  shiftMs = ms - Date.now();
};

/** Tokens with a past: one that is in use, one that expires soon, and one that was revoked and tried again. */
async function liveThrough(clew: URL): Promise<void> {
  setClock(shownTime - 26 * dayMs);
  const session = await signIn(clew);
  await waitForSync(clew, session);
  const api = clientOf(clew, session);
  const workspace_ids = (await readWorkspaces(clew, session)).map(({ id }) => id);
  const create = (name: string, days: number, ...scopes: ("search" | "read" | "neighbors")[]) =>
    api.createServiceToken({
      name,
      scopes: scopes.map((scope) => `graph:${scope}` as const),
      workspace_ids,
      expires_in_days: days,
    });
  const agent = await create("reading agent", 90, "search", "read", "neighbors");
  await create("docs pipeline", 30, "search", "read");
  const script = await create("old script", 90, "search");
  setClock(shownTime - 9 * dayMs);
  const later = clientOf(clew, await signIn(clew));
  await later.revokeServiceToken({ id: script.id });
  await call(clew, "api/v1/search/?q=moon", { token: script.token });
  await seeRefusal(later);
  setClock(shownTime - 2 * 3_600_000);
  await call(clew, "api/v1/search/?q=moon", { token: agent.token });
  const today = await signIn(clew);
  for (const id of workspace_ids) await clientOf(clew, today).startSync({ id });
  await waitForSync(clew, today);
}

/** Waits for the refused use in the audit trail, which is written some time later. */
async function seeRefusal(api: Client): Promise<void> {
  while (!(await api.listAuditTrail()).items.some(({ event }) => event === "token_refused"))
    await setTimeout(250);
}

/** A copy of the demo workspace, as if all of it had been written at one time. */
async function copySample(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "clew-pictures-"));
  await cp(sample, copy, { recursive: true });
  await setTimes(copy, new Date(shownTime - 40 * dayMs));
  return copy;
}

/** Takes what differs from run to run out of the page: its port, and every part of a token. Nothing has the focus. */
const neutralise = `(() => {
  document.activeElement.blur();
  document.documentElement.style.setProperty("--font-code", "DejaVu Sans Mono");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    node.nodeValue = node.nodeValue
      .replaceAll(/svc_[\\w-]{16,}/g, "svc_ExampleOfATokenThatWorksNowhere")
      .replaceAll(/svc_[\\w-]{4,12}(?![\\w-])/g, "svc_Example")
      .replaceAll(/localhost:[0-9]+/g, "localhost:8420");
})()`;

async function take(page: Page, file: string): Promise<number> {
  await page.waitForLoadState("networkidle");
  // The map names its pages once it rests, and an element may fade.
  await page.waitForTimeout(700);
  await page.evaluate(neutralise);
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 86 });
  await devtools.detach();
  const picture = Buffer.from(data, "base64");
  await writeFile(join(folder, file), picture);
  return picture.length;
}

/** Takes the wanted pictures in one window. It goes through their scenes alone, after those by which one enters. */
async function walk(
  browser: Browser,
  clew: URL,
  options: BrowserContextOptions,
  fileOf: (scene: Scene) => string | null,
): Promise<number> {
  setClock(shownTime);
  const context = await browser.newContext({
    deviceScaleFactor: 2,
    reducedMotion: "reduce",
    timezoneId: "UTC",
    locale: "en-GB",
    ...options,
  });
  await context.clock.install({ time: clock() });
  const page = await context.newPage();
  let bytes = 0;
  for (const scene of scenes) {
    const file = fileOf(scene);
    if (file === null && !entrance.includes(scene.name)) continue;
    await scene.reach(page, clew);
    if (file !== null) bytes += await take(page, file);
  }
  await context.close();
  return bytes;
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const directory = await copySample();
const clew = await startRunning({ clock, directory });
const browser = await launchBrowser();
try {
  await liveThrough(clew.url);
  const wide = { width: 1280, height: 800 };
  const only = (names: readonly string[], ending: string) => (scene: Scene) =>
    names.includes(scene.name) ? `${scene.name}${ending}.webp` : null;
  const narrow = { viewport: { width: 360, height: 740 }, hasTouch: true };
  const bytes = [
    await walk(browser, clew.url, { viewport: wide }, ({ name }) => `${name}.webp`),
    await walk(browser, clew.url, { viewport: wide, colorScheme: "dark" }, only(alsoDark, "-dark")),
    await walk(browser, clew.url, narrow, only(alsoNarrow, "-narrow")),
  ];
  const kilobytes = Math.round(bytes.reduce((sum, each) => sum + each, 0) / 1000);
  console.log(`docs/pictures: ${kilobytes} kB`);
} finally {
  await browser.close();
  await clew.stop();
  await rm(directory, { recursive: true });
}
