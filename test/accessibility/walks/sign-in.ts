import { startSmallClew } from "../../browser/small-clew.ts";
import { openConsent, openSignedOut, seeDashboard, signInLink, signOut } from "../../browser/steps.ts";
import { visit } from "../../support/browser.ts";
import { makeNotionToken, startNotion } from "../../support/notion.ts";
import { writeSmallWorkspace } from "../../support/small-workspace.ts";
import type { Walk } from "../looks.ts";

/** The pages for people who are not signed in, and during an outage. */
export const walkSignIn: Walk = async (stage, browser, see) => {
  const url = await startSmallClew(stage);
  const { page, context, expectedFaults } = await visit(stage, browser, { reducedMotion: "reduce" });
  expectedFaults.push(/^Failed to load resource/);
  await page.goto(new URL("docs/api", url).href);
  await page.getByRole("heading", { level: 1, name: "API reference" }).waitFor();
  await see(page, "reference");
  await page.goto(new URL("dashboard/nothing", url).href);
  await page.getByRole("heading", { name: "There is no page here" }).waitFor();
  await see(page, "not found");
  await openSignedOut(page, url);
  await see(page, "signed out");
  await page.getByText("How to connect Notion").click();
  await see(page, "how to connect");
  await page.goto(new URL("dashboard#error=constructor", url).href);
  await page.reload();
  await page.goto(new URL("dashboard?again#error=exchange_failed", url).href);
  await page.getByRole("alert").waitFor();
  await see(page, "sign-in failed");

  await openConsent(page);
  await see(page, "consent");
  const consent = page.url();
  const foreign = new URL(consent);
  foreign.searchParams.set("client_id", "another-client");
  await page.goto(foreign.href);
  await page.getByRole("heading", { name: "This request cannot be answered" }).waitFor();
  await see(page, "consent refused");
  await page.goto(consent);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alert").waitFor();
  await see(page, "cancelled");

  await openConsent(page);
  await page.getByRole("button", { name: "Allow" }).click();
  await seeDashboard(page);
  await page.goto(new URL("dashboard/workspaces", url).href);
  await page.getByText(/^3 pages, /).waitFor();
  await page.goto(new URL("dashboard/account", url).href);
  await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
  await see(page, "account");
  await page.getByRole("button", { name: "Delete account…" }).click();
  await page.getByRole("dialog").waitFor();
  await see(page, "delete the account?");
  await page.keyboard.press("Escape");
  await context.setOffline(true);
  await signOut(page);
  await page.getByText("You are still signed in.").waitFor();
  await see(page, "offline");
  await context.setOffline(false);
  await page.goto(new URL("dashboard/account/nothing", url).href);
  await page.goto(new URL("dashboard/account", url).href);
  await page.getByRole("button", { name: "Delete account…" }).waitFor();
  await signOut(page);
  await signInLink(page).waitFor();
  await see(page, "signed out again");
  await page.route("**/api/**", (route) => route.abort());
  await page.reload();
  await page.getByRole("alert").getByText("Clew can’t be reached.").waitFor();
  await see(page, "Clew is away");
  await page.unrouteAll();

  const notion = await startNotion(stage, await writeSmallWorkspace(stage));
  const clew = await stage.start({
    NOTION_TOKEN: await makeNotionToken(notion),
    NOTION_API_URL: notion.url,
  });
  await openSignedOut(page, clew.url);
  await signInLink(page).click();
  await page.getByLabel("Code").fill("0000");
  await see(page, "sign-in code");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  await see(page, "wrong sign-in code");
};
