import type { Locator, Page } from "playwright-core";

/** Steps of a person on the dashboard. Each waits for its result. */

export const signInLink = (page: Page): Locator =>
  page.getByRole("link", { name: /^(?:Sign in|Try again) with |^Try the demo workspace/ });

export async function openSignedOut(page: Page, clew: URL): Promise<void> {
  await page.goto(new URL("dashboard", clew).href);
  await signInLink(page).waitFor();
}

/** Goes from the dashboard's sign-in button to the consent screen. */
export async function openConsent(page: Page): Promise<void> {
  await signInLink(page).click();
  await page.getByRole("button", { name: "Allow" }).waitFor();
}

/** Presses Allow on the consent screen, and waits for the dashboard. */
export async function allow(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Allow" }).click();
  await seeDashboard(page);
}

export async function seeDashboard(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Workspaces", exact: true }).waitFor();
}

/** Signs in as the first person, sharing everything. */
export async function signIn(page: Page, clew: URL): Promise<void> {
  await openSignedOut(page, clew);
  await openConsent(page);
  await allow(page);
}

/** Waits for the end of the sync that a sign-in has started. */
export async function seeSynced(page: Page): Promise<void> {
  await page.getByText(/^Synced /).waitFor();
}

/** Creates a token with the form's defaults, and returns the raw token. */
export async function makeToken(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "Create a token" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create token" }).click();
  return revealed(page).locator("code").first().innerText();
}

/** The panel that shows a new token. */
export const revealed = (page: Page): Locator => page.getByRole("region", { name: /^The token of / });

/** The entry of a token in the list. */
export const tokenItem = (page: Page, name: string): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });

/** Everything that the page stores: the session's tokens, but never a service token. */
export async function storedText(page: Page): Promise<string> {
  return page.evaluate<string>(
    "JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])",
  );
}

/** The session's tokens, which the page stores for its tab. */
export async function storedSession(page: Page): Promise<{ access: string; refresh: string } | null> {
  return page.evaluate('JSON.parse(sessionStorage.getItem("clew.session"))');
}
