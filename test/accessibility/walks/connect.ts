import type { AppRequest, ServiceToken } from "@clew/contract";
import type { Page } from "playwright-core";
import { authorizationUrl, consentTitle, openRequest, register } from "../../browser/programs.ts";
import { startSmallClew } from "../../browser/small-clew.ts";
import { openSignedOut, signInLink, storedSession, tokenRow } from "../../browser/steps.ts";
import { connect } from "../../oauth/app.ts";
import { visit } from "../../support/browser.ts";
import { readWorkspaces } from "../../support/session.ts";
import type { Walk } from "../looks.ts";

/** A program that asks to be connected, and those that are. */
export const walkConnect: Walk = async (stage, browser, see) => {
  const url = await startSmallClew(stage);
  const { page, expectedFaults } = await visit(stage, browser, { reducedMotion: "reduce" });
  expectedFaults.push(/^Failed to load resource/);
  const allow = page.getByRole("button", { name: "Allow" });
  const title = (name: string) => page.getByRole("heading", { level: 1, name });
  await openSignedOut(page, url);
  await page.goto(authorizationUrl(url));
  await signInLink(page).waitFor();
  await see(page, "sign-in before a consent");
  await openRequest(page, url);
  await see(page, "program on this computer");
  await page.getByLabel("Labyrinth").uncheck();
  await page.getByLabel("Until when?").selectOption("For another number of days…");
  await page.getByLabel("Days").fill("");
  await allow.click();
  await page.getByText("Choose at least one workspace.").first().waitFor();
  await see(page, "consent with faults");
  const address = page.url();

  // Clew's answer is changed where the state would take many steps.
  const alter = async (change: (request: AppRequest) => Partial<AppRequest>) => {
    await page.unrouteAll();
    await page.route("**/api/apps/requests/*/", async (route) => {
      const response = await route.fetch();
      const request: AppRequest = await response.json();
      await route.fulfill({ response, json: { ...request, ...change(request) } });
    });
    await page.goto(address);
    await consentTitle(page).waitFor();
  };
  const session = await storedSession(page);
  if (session === null) throw new Error("nobody is signed in");
  const person = { url, session, workspaceIds: (await readWorkspaces(url, session)).map(({ id }) => id) };
  await connect(person);
  const host = "long-name-of-a-host-that-does-not-end.reader.example";
  const site = { host, is_loopback: false, uri: `https://${host}/${"callback-of-the-program".repeat(6)}` };
  await alter(() => ({ redirect: site, earlier_token: aToken(1, "Reader") }));
  await page.getByLabel(/^End the earlier connection/).waitFor();
  await see(page, "earlier connection of a website");
  await alter(() => ({
    redirect: { host: "cursor:", is_loopback: false, uri: "cursor://callback" },
    client: { name: "M".repeat(100), kind: "registered", host: null },
    limit_reached: true,
    usable_tokens: Array.from({ length: 10 }, (_, index) => aToken(index + 1, `script ${index + 1}`)),
    earlier_token: aToken(3, "script 3"),
  }));
  await allow.click();
  await page.getByText("Choose the one that ends.").waitFor();
  await see(page, "app of this device, with ten tokens");
  await alter(() => ({ limit_reached: true }));
  await page.getByText("held for programs").waitFor();
  await see(page, "places that codes hold");
  await alter(() => ({ workspaces: [] }));
  await page.getByRole("link", { name: "Connect a workspace" }).waitFor();
  await see(page, "consent without a workspace");
  await page.unrouteAll();
  await page.goto(address.replace(/request=.*/, `request=${"x".repeat(43)}`));
  await title("This request is over").waitFor();
  await see(page, "request over");
  await page.goto(authorizationUrl(url, { client_id: `https://${"w".repeat(60)}`, redirect_uri: "a.b:" }));
  await title("The program was not connected").waitFor();
  await see(page, "program that is not known");
  const client = await register(url, "Reader", "com.example.reader:/callback");
  await page.goto(authorizationUrl(url, { client_id: client, redirect_uri: "com.example.reader:/callback" }));
  await allow.click();
  await title("Allowed").waitFor();
  await see(page, "allowed");

  await page.goto(new URL("dashboard/tokens", url).href);
  await tokenRow(page, "Claude Code").waitFor();
  await connect(person);
  await page.reload();
  await page.getByRole("button", { name: "Disconnect all…" }).click();
  await see(page, "disconnect all?");
  await page.keyboard.press("Escape");
  await see(page, "connected apps");
  await page.getByRole("button", { name: "Actions for Claude Code" }).first().click();
  await page.getByRole("button", { name: "Disconnect… Claude Code" }).click();
  await page.getByRole("dialog").waitFor();
  await see(page, "disconnect?");
  await page.keyboard.press("Escape");
  await openApp(page);
  await see(page, "connected app");
};

async function openApp(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Claude Code" }).first().click();
  await page.getByRole("table").getByText("an app was connected").waitFor();
}

function aToken(id: number, name: string): ServiceToken {
  return {
    id,
    name,
    prefix: "svc_aBcDeFgH",
    scopes: ["graph:read"],
    workspace_ids: [],
    is_active: true,
    status: "active",
    created_at: "2026-11-01T09:00:00.000Z",
    expires_at: null,
    revoked_at: null,
    last_used_at: id % 2 === 0 ? null : "2026-11-20T09:00:00.000Z",
    client:
      id % 3 === 0 ? { name, host: "reader.example", resource: "https://clew.example/api/v1/mcp" } : null,
    created_by_browser: null,
  };
}
