import assert from "node:assert/strict";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from "playwright-core";
import { findChromium, NoChromium } from "./chromium.ts";
import type { Stage } from "./stage.ts";

/** The reason why no browser can be started on this machine, for a test's `skip`; false if one can. */
export const noBrowser: string | false = await findChromium().then(
  () => false,
  (error: unknown) => {
    if (error instanceof NoChromium) return error.message;
    throw error;
  },
);

/** Starts a headless browser that can reach only this machine. */
export async function launchBrowser(): Promise<Browser> {
  const { executable, env } = await findChromium();
  return chromium.launch({
    executablePath: executable,
    env: { ...process.env, ...env },
    args: [
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
      // It is not visible, so it needs no GPU process.
      "--disable-gpu",
      "--in-process-gpu",
    ],
  });
}

/** A person with a separate browser profile. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console errors that the test expects. Any other error fails it. */
  readonly expectedFaults: RegExp[];
}

/** Milliseconds after which a step on a page fails. Where a first sync is waited for, busy machines need most of it. */
const timeoutMs = 90_000;

/**
 * Opens a profile that closes with the stage. The test fails if a page logged an error to the console, threw, or sent a
 * request to another origin.
 */
export async function visit(
  stage: Stage,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(timeoutMs);
  const faults: string[] = [];
  const expectedFaults: RegExp[] = [];
  context.on("console", (message) => {
    // The speed of software drawing says nothing about the page.
    if (/GL Driver Message \(OpenGL, Performance/.test(message.text())) return;
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  context.on("weberror", (error) => faults.push(String(error.error())));
  context.on("request", (request) => {
    if (isStray(request)) faults.push(`asked for ${request.url()}`);
  });
  stage.defer(async () => {
    if (stage.hasFailed()) for (const page of context.pages()) console.error(await seen(page));
    await context.close();
    assert.deepEqual(
      faults.filter((fault) => !expectedFaults.some((expected) => expected.test(fault))),
      [],
      "faults in the browser",
    );
  });
  return { context, page: await context.newPage(), expectedFaults };
}

/** The content of a page as a person sees it, for the report of a test that failed. */
async function seen(page: Page): Promise<string> {
  const content = await page
    .locator("body")
    .ariaSnapshot({ timeout: 5_000 })
    .catch((error: unknown) => String(error));
  return `At the end, ${page.url()} showed:\n${content}`;
}

/** Whether a request of a page goes to another origin. */
function isStray(request: Request): boolean {
  const url = new URL(request.url());
  if (request.isNavigationRequest() || url.protocol === "data:") return false;
  return url.origin !== new URL(request.frame().url()).origin;
}
