import { startSmallClewWithNotion, textCalls } from "../../browser/small-clew.ts";
import {
  allow,
  openAccountMenu,
  openConsent,
  openSection,
  openSignedOut,
  seeSynced,
} from "../../browser/steps.ts";
import { visit } from "../../support/browser.ts";
import type { Walk } from "../looks.ts";

/** Workspaces in every condition, and the frame around all views. */
export const walkWorkspaces: Walk = async (stage, browser, see) => {
  const { url, notion } = await startSmallClewWithNotion(stage);
  const { page, expectedFaults } = await visit(stage, browser, { reducedMotion: "reduce" });
  expectedFaults.push(/^Failed to load resource/);
  await openSignedOut(page, url);
  await openConsent(page);
  const ticked = page.getByRole("checkbox", { checked: true });
  while ((await ticked.count()) > 0) await ticked.first().uncheck();
  await allow(page);
  await openSection(page, "Workspaces");
  await page.getByText("You shared no pages").waitFor();
  await see(page, "nothing shared");
  await openSection(page, "Graph");
  await see(page, "graph of nothing");
  await page.goto(new URL("dashboard/map", url).href);
  await page.getByText("No map yet").waitFor();
  await see(page, "map of nothing");

  await openSection(page, "Workspaces");
  await page.getByRole("link", { name: "Choose pages to share" }).click();
  notion.faults.set([{ on: textCalls, fault: { kind: "error", code: "validation_error" }, times: 1 }]);
  await allow(page);
  await openSection(page, "Workspaces");
  await page.getByText(/^3 pages, /).waitFor();
  await seeSynced(page);
  await page.getByText("Sync report").click();
  await page.getByText("1 page could not be read.").waitFor();
  await see(page, "sync report with a failed page");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await see(page, "keyboard shortcuts");
  await page.keyboard.press("Escape");
  await see(page, "account menu", async () => {
    await page.keyboard.press("Escape");
    await openAccountMenu(page);
    await page.getByRole("link", { name: "Your account" }).waitFor();
  });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Disconnect/ }).click();
  await page.getByRole("dialog").waitFor();
  await see(page, "disconnect?");
  await page.keyboard.press("Escape");

  notion.faults.set([{ on: "*", fault: { kind: "withdrawn" } }]);
  await page.getByRole("button", { name: "Sync now" }).click();
  await page.getByRole("link", { name: "Reconnect" }).waitFor();
  await see(page, "grant withdrawn");
  notion.faults.clear();
  await page.getByRole("link", { name: "Reconnect" }).click();
  await allow(page);
  await openSection(page, "Workspaces");
  await seeSynced(page);
  notion.faults.set([{ on: "*", fault: { kind: "error", code: "rate_limited", retryAfter: 300 } }]);
  await page.getByRole("button", { name: "Sync now" }).click();
  await page.getByText("Waiting for the provider’s limit").waitFor();
  await see(page, "sync waits");

  await page.getByRole("button", { name: /^Disconnect/ }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("Labyrinth");
  await page.keyboard.press("Enter");
  await page.getByText("No workspace connected yet").waitFor();
  await see(page, "no workspace");
  await openSection(page, "Tokens");
  await page.getByText("Connect a workspace first").waitFor();
  await see(page, "no workspace for a token");

  await page.route("**/api/provider-graph/workspaces/", () => {});
  await page.goto(new URL("dashboard/workspaces", url).href);
  await page.locator(".skeleton").first().waitFor();
  await see(page, "loading");
  await page.unrouteAll();
  await page.route("**/api/provider-graph/workspaces/", (route) =>
    route.fulfill({ status: 500, contentType: "text/plain", body: "" }),
  );
  await page.reload();
  await page.getByRole("main").getByRole("button", { name: "Try again" }).waitFor();
  await see(page, "failed to load");
};
