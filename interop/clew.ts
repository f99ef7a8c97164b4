import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../test/support/clew-process.ts";
import { freshSample } from "../test/support/fresh-sample.ts";
import { startRunning } from "../test/support/running-clew.ts";
import { type SignedIn, signIn, waitForSync } from "../test/support/session.ts";
import { ScriptedBrowser } from "./scripted-browser.ts";

/** A Clew with the demo workspace, to which a person is signed in. */
export interface Stage {
  /** PUBLIC_URL, with a trailing slash. */
  readonly url: URL;
  /** The address of Clew's tools. */
  readonly mcp: URL;
  readonly session: SignedIn;
  /** The browser of that person. */
  readonly browser: ScriptedBrowser;
  /** A folder for what programs keep. */
  readonly folder: string;
}

/** Starts a Clew, and ends it after the work. */
export async function withClew<Result>(
  work: (stage: Stage) => Promise<Result>,
  env: Settings = {},
): Promise<Result> {
  const directory = await freshSample();
  const folder = await mkdtemp(join(tmpdir(), "clew-interop-"));
  const clew = await startRunning({ env, directory });
  try {
    const session = await signIn(clew.url);
    await waitForSync(clew.url, session);
    const browser = new ScriptedBrowser(clew.url, session);
    return await work({ url: clew.url, mcp: new URL("api/v1/mcp", clew.url), session, browser, folder });
  } finally {
    await clew.stop();
    await Promise.all([directory, folder].map((each) => rm(each, { recursive: true })));
  }
}
