import { giveConsent } from "@clew/stand-in/testing";
import type { Locator, Page } from "playwright-core";

/** Steps of a person on the dashboard. Each waits for its result. */

/** The link that begins a sign-in; by its address as well, since the application has links that open other things. */
export const signInLink = (page: Page): Locator =>
  page
    .getByRole("link", { name: /^Sign in with |^Try the demo workspace$|^Open / })
    .and(page.locator('[href*="/api/integrations/auth/"]'));

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

/** Waits for the signed-in application. */
export async function seeDashboard(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Sections" }).waitFor();
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** Goes to one of the sections. */
export async function openSection(
  page: Page,
  name: "Graph" | "Workspaces" | "Tokens" | "Activity",
): Promise<void> {
  // A narrow window has Activity in the menu of the account.
  if (name === "Activity" && (page.viewportSize()?.width ?? 1280) < 768) {
    await openAccountMenu(page);
    await page.getByRole("link", { name }).click();
  } else await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** Signs in as the first person, sharing everything, and goes to the workspaces. */
export async function signIn(page: Page, clew: URL): Promise<void> {
  await openSignedOut(page, clew);
  await openConsent(page);
  await allow(page);
  await openSection(page, "Workspaces");
}

/** The same without opening the pages on the way, for tests of what comes after. */
export async function openSignedIn(page: Page, clew: URL): Promise<void> {
  const provider = new URL("api/integrations/auth/provider/", clew).href;
  const begun = await page.context().request.get(provider, { maxRedirects: 0 });
  const { location = "" } = begun.headers();
  // A folder on this machine has no consent screen.
  await page.goto(location.startsWith(provider) ? location : await giveConsent(location));
  await seeDashboard(page);
  await openSection(page, "Workspaces");
}

/** Waits for the end of the sync that a sign-in has started. */
export async function seeSynced(page: Page, options: { timeout?: number } = {}): Promise<void> {
  await page.getByText(/^Synced /).waitFor(options);
}

/** Opens the button at the foot or the head of the page that has the person's name. */
export async function openAccountMenu(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account: / }).click();
}

export async function signOut(page: Page): Promise<void> {
  await openAccountMenu(page);
  await page.locator(":popover-open").getByRole("button", { name: "Sign out" }).click();
}

/** Fills in the form of a new token that may do everything, and opens the review. */
export async function draftToken(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: "Create token" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Tick what agents need" }).click();
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("heading", { name: "Is this right?" }).waitFor();
}

/** Creates a token on the page of tokens. Returns the raw token, which the page then shows. */
export async function makeToken(page: Page, name: string): Promise<string> {
  await draftToken(page, name);
  await page.getByRole("button", { name: "Create token" }).click();
  await revealed(page).waitFor();
  return page.getByRole("main").locator("code", { hasText: /^svc_/ }).innerText();
}

/** The title of the page that shows a new token. */
export const revealed = (page: Page): Locator =>
  page.getByRole("heading", { name: /^Token created: |^New token: / });

/** Says that the token is stored, and waits for the list. */
export async function confirmSaved(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Done, I’ve saved it" }).click();
  await page.getByRole("heading", { level: 1, name: "Tokens" }).waitFor();
}

/** The row of a token. */
export const tokenRow = (page: Page, name: string): Locator =>
  page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });

/** Opens the menu of a token or a connected app in its table, and chooses from it. */
export async function chooseFor(page: Page, name: string, action: "Rotate…" | "Revoke…" | "Disconnect…") {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("button", { name: `${action} ${name}` }).click();
}

/** Everything that the page stores: the session's tokens, but never a service token. */
export async function storedText(page: Page): Promise<string> {
  return page.evaluate<string>(
    "JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])",
  );
}

/** The session's tokens, which the browser stores for all tabs. */
export async function storedSession(page: Page): Promise<{ access: string; refresh: string } | null> {
  return page.evaluate(
    'JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith("clew.session:"))?.[1] ?? "null")',
  );
}

/** Filters the rows of the database that is open. */
export async function filterRows(
  page: Page,
  { column, condition, value }: { column: string; condition: string; value: string },
): Promise<void> {
  await page.getByLabel("Column").selectOption(column);
  await page.getByLabel("Condition").selectOption(condition);
  await page.getByLabel("Value").fill(value);
  await page.getByLabel("Value").press("Enter");
}

/** Finds a page by its title, and opens it. */
export async function openPage(page: Page, title: string): Promise<void> {
  const field = page.getByLabel("Search pages");
  await field.fill(title);
  await field.press("Enter");
  await page.locator("[data-results]").getByRole("link", { name: title, exact: true }).first().click();
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
}

/** Signs in, waits for the first sync, and goes to the tokens. */
export async function openTokens(page: Page, clew: URL): Promise<void> {
  await openSignedIn(page, clew);
  await seeSynced(page);
  await openSection(page, "Tokens");
}

/** Stops the installed clock of a page a minute ahead of its time, which a test may have advanced. It polls no more. */
export async function stopTime(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
}
