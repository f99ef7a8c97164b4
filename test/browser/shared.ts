import type { Browser } from "playwright-core";
import { launchBrowser } from "../support/browser.ts";
import { call } from "../support/call.ts";
import { signIn } from "../support/session.ts";
import { shared } from "../support/shared.ts";
import { startSmallClew } from "./small-clew.ts";

/** The browser of all tests of a process. */
export const sharedBrowser: () => Promise<Browser> = shared(async (stage) => {
  const browser = await launchBrowser();
  stage.defer(() => browser.close());
  return browser;
});

const smallClew = shared(startSmallClew);

/**
 * The PUBLIC_URL of a Clew over a workspace of three pages. Deletes the accounts that earlier tests have made: not after
 * those tests, because their pages were still open, and their requests would have been refused.
 */
export async function emptyClew(): Promise<URL> {
  const url = await smallClew();
  for (const person of ["Librarian", "Visitor"]) {
    const { access } = await signIn(url, { person });
    await call(url, "api/auth/me/", { method: "DELETE", token: access });
  }
  return url;
}
