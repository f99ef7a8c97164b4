import type { ServiceTokenList } from "@clew/contract";
import { startSmallClew } from "../../browser/small-clew.ts";
import {
  chooseFor,
  confirmSaved,
  draftToken,
  makeToken,
  openSection,
  openSignedIn,
  revealed,
  seeSynced,
} from "../../browser/steps.ts";
import { visit } from "../../support/browser.ts";
import { call } from "../../support/call.ts";
import { signIn as signInWithoutBrowser } from "../../support/session.ts";
import type { Walk } from "../looks.ts";

/** Tokens from the first to the last, and the activity. */
export const walkTokens: Walk = async (stage, browser, see) => {
  const url = await startSmallClew(stage);
  const { page, expectedFaults } = await visit(stage, browser, { reducedMotion: "reduce" });
  expectedFaults.push(/^Failed to load resource/);
  const dialog = page.getByRole("dialog");
  await openSignedIn(page, url);
  await seeSynced(page);
  await openSection(page, "Tokens");
  await page.getByText("No token yet").waitFor();
  await see(page, "no token");
  await page.getByRole("link", { name: "Create token" }).click();
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByText("Give it a name.").waitFor();
  await page.getByLabel("Expires").selectOption("Never");
  await see(page, "token form with faults");
  await page.getByLabel("Expires").selectOption("On a date…");
  await page.getByLabel("Date").fill("");
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByText("Choose a date from tomorrow on").waitFor();
  await see(page, "date of expiry");
  await page.goto(new URL("dashboard/tokens/new?name=Digest&scopes=graph:search&days=30", url).href);
  await page.getByText("A link filled in this form.").waitFor();
  await see(page, "form filled in by a link");
  await openSection(page, "Tokens");
  await draftToken(page, "An agent with a long name and-a-word-that-does-not-end-before-the-line-does");
  await see(page, "review");
  await page.getByRole("button", { name: "Create token" }).click();
  await revealed(page).waitFor();
  await see(page, "token revealed");
  const raw = await page.getByRole("main").locator("code", { hasText: /^svc_/ }).first().innerText();
  const read = (path: string) => call(url, `api/v1/${path}`, { token: raw });
  await read("search/?q=theseus");
  await page.getByText("Connected.").waitFor();
  await see(page, "token connected");
  await page.getByRole("tab", { name: "Python" }).click();
  await page.getByRole("button", { name: "Copy the token" }).click();
  await see(page, "another example");
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Workspaces" }).click();
  await dialog.waitFor();
  await see(page, "stored?");
  await page.getByRole("button", { name: "Stay" }).click();
  await confirmSaved(page);
  const menu = page.getByRole("button", { name: /^Actions for / });
  await see(page, "menu of a token", async () => {
    await page.keyboard.press("Escape");
    await menu.click();
  });
  await page.keyboard.press("Escape");
  await menu.click();
  await page.getByRole("button", { name: /^Rotate/ }).click();
  await dialog.waitFor();
  await see(page, "rotate?");
  await dialog.getByLabel("The old one stops working").selectOption("now");
  await dialog.getByRole("button", { name: "Rotate" }).click();
  await revealed(page).waitFor();
  await see(page, "rotated token revealed");
  await confirmSaved(page);
  await makeToken(page, "script");
  await confirmSaved(page);
  await chooseFor(page, "script", "Revoke…");
  await dialog.waitFor();
  await see(page, "revoke?");
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Revoked and expired tokens", { exact: true }).click();
  await page.getByText("Revoked", { exact: true }).first().waitFor();
  await see(page, "tokens");
  await page.getByLabel("Filter by name").fill("nothing like this");
  await see(page, "no token of that name");
  await page.getByLabel("Filter by name").fill("");
  await page
    .getByRole("link", { name: /^An agent with a long name/ })
    .first()
    .click();
  await page.getByText("No call yet").waitFor();
  await see(page, "token without a call");
  await openSection(page, "Tokens");
  await page.getByText("Revoked and expired tokens", { exact: true }).click();
  await page
    .getByRole("link", { name: /^An agent with a long name/ })
    .last()
    .click();
  await read("tree/");
  await read("search/?q=a-word-that-does-not-end-before-the-line-does-and-goes-on-and-on-and-on-and-on");
  await page.reload();
  await page.getByText("refused (401)").first().waitFor();
  await page.getByRole("link", { name: "Theseus" }).first().waitFor();
  await see(page, "what a token read");
  await openSection(page, "Tokens");
  await page.getByText("Revoked and expired tokens", { exact: true }).click();
  await page.getByRole("link", { name: "script" }).click();
  await page.getByRole("heading", { level: 1, name: "script" }).waitFor();
  await page.getByText("Token revoked").waitFor();
  await see(page, "token");
  await page.goto(new URL("dashboard/tokens/999999", url).href);
  await page.getByRole("heading", { name: "There is no such token" }).waitFor();
  await see(page, "no such token");

  // Tokens that age and fill the list would take months: the answer is changed instead.
  await page.route("**/api/tokens/?is_active=true", async (route) => {
    const response = await route.fetch();
    const { items, ...rest }: ServiceTokenList = await response.json();
    const day = 86_400_000;
    const aged = Array.from({ length: 10 }, (_, index) => ({
      ...(items[0] as ServiceTokenList["items"][number]),
      id: index + 1,
      name: `script ${index + 1}`,
      created_at: new Date(Date.now() - 200 * day).toISOString(),
      expires_at: new Date(Date.now() + (index + 1) * 3 * day).toISOString(),
    }));
    await route.fulfill({ response, json: { items: aged, ...rest } });
  });
  await page.goto(new URL("dashboard/tokens", url).href);
  await page.getByText("All ten tokens are in use.").waitFor();
  await see(page, "ten tokens, some about to expire");
  await page.unrouteAll();

  await signInWithoutBrowser(url);
  await openSection(page, "Activity");
  await page.getByText("Signed in", { exact: true }).first().waitFor();
  await see(page, "activity");
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await dialog.waitFor();
  await see(page, "sign out everywhere else?");
  await page.keyboard.press("Escape");
  await page.getByLabel("Show").selectOption("Refused uses");
  await page.getByText("Signed in", { exact: true }).first().waitFor({ state: "detached" });
  await see(page, "no refused use");
};
