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

/** Why no browser can be started on this machine, for a test's `skip`; false where one can. */
export const noBrowser: string | false = await findChromium().then(
  () => false,
  (error: unknown) => {
    if (error instanceof NoChromium) return error.message;
    throw error;
  },
);

/** Starts a browser without a window, for which no host exists but this machine. */
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
  /** Faults in the console that the test brings about; any other one fails it. */
  readonly expectedFaults: RegExp[];
}

/** Milliseconds that anything on a page may take before a test gives it up. */
const timeoutMs = 30_000;

/**
 * Opens a profile that closes with the stage. The test fails where a page reported a fault to the console, threw, or
 * asked another origin than its own for anything.
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
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  context.on("weberror", (error) => faults.push(String(error.error())));
  context.on("request", (request) => {
    if (isStray(request)) faults.push(`asked for ${request.url()}`);
  });
  stage.defer(async () => {
    await context.close();
    assert.deepEqual(
      faults.filter((fault) => !expectedFaults.some((expected) => expected.test(fault))),
      [],
      "faults in the browser",
    );
  });
  return { context, page: await context.newPage(), expectedFaults };
}

/** Whether a page asks another origin for something that it shows or sends. */
function isStray(request: Request): boolean {
  const url = new URL(request.url());
  if (request.isNavigationRequest() || url.protocol === "data:") return false;
  return url.origin !== new URL(request.frame().url()).origin;
}
