import type { Page } from "playwright-core";
import { authorizationUrl, consentTitle } from "../browser/programs.ts";
import {
  allow,
  confirmSaved,
  draftToken,
  openAccountMenu,
  openConsent,
  openSection,
  openSignedOut,
  revealed,
  storedSession,
} from "../browser/steps.ts";
import { connect } from "../oauth/app.ts";
import { readWorkspaces } from "../support/session.ts";

/** A picture of the dashboard, and how a person who has seen the one before comes to it. */
export interface Scene {
  /** Its file in docs/pictures. */
  readonly name: string;
  reach(page: Page, clew: URL): Promise<void>;
}

/** In this order, in one window. */
export const scenes: readonly Scene[] = [
  { name: "sign-in", reach: openSignedOut },
  { name: "consent", reach: openConsent },
  {
    name: "graph",
    async reach(page) {
      await allow(page);
      await page.getByRole("heading", { name: /^How is .* connected with .*\?$/ }).waitFor();
    },
  },
  { name: "search", reach: (page) => search(page, "galileo") },
  { name: "page", reach: (page) => openPage(page, "Jupiter") },
  {
    name: "local-graph",
    async reach(page) {
      await page.getByRole("link", { name: "Local graph", exact: true }).click();
      await page.getByRole("group", { name: /^Pages around/ }).waitFor();
    },
  },
  {
    name: "path",
    async reach(page) {
      await openPage(page, "Jupiter");
      await page.getByRole("link", { name: "Find a path from here" }).click();
      await page.getByLabel("To", { exact: true }).fill("Hōkūleʻa");
      await page
        .getByRole("option", { name: /^Hōkūleʻa/ })
        .first()
        .click();
      await page.getByLabel("Paths", { exact: true }).selectOption("Up to 5 paths");
      await page.getByRole("heading", { name: /^Path 2/ }).waitFor();
    },
  },
  {
    name: "database",
    async reach(page) {
      await openPage(page, "Stars");
      await page.getByRole("region", { name: "Rows of Stars" }).waitFor();
    },
  },
  {
    name: "ask",
    async reach(page) {
      await page.getByRole("link", { name: "Ask", exact: true }).click();
      await page.getByLabel("Question").fill("Who found the moons of Jupiter?");
      await page.getByLabel("Question").press("Enter");
      await page.getByRole("region", { name: "What the agent gets" }).waitFor();
    },
  },
  {
    name: "map",
    async reach(page) {
      await page.getByRole("link", { name: "Map", exact: true }).click();
      await page.getByRole("application", { name: /^Map of/ }).waitFor();
    },
  },
  {
    name: "map-page",
    async reach(page) {
      await page.getByLabel("Find on the map").fill("Jupiter");
      await page
        .getByRole("option", { name: /^Jupiter/ })
        .first()
        .waitFor();
      await page.getByLabel("Find on the map").press("Enter");
      await page
        .getByRole("region", { name: "Jupiter" })
        .getByText(/^Linked with/)
        .waitFor();
      await page.getByLabel("Find on the map").fill("");
    },
  },
  {
    name: "workspaces",
    async reach(page) {
      await openSection(page, "Workspaces");
      await page.getByText(/^Synced /).waitFor();
      await page.getByText("Sync report").click();
      await page.getByText(/^Complete: /).waitFor();
    },
  },
  { name: "tokens", reach: (page) => openSection(page, "Tokens") },
  {
    name: "new-token",
    async reach(page) {
      await page.getByRole("link", { name: "Create token" }).click();
      await page.getByLabel("Name", { exact: true }).fill("research agent");
      await page.getByRole("button", { name: "Tick what agents need" }).click();
    },
  },
  {
    name: "review",
    async reach(page) {
      await openSection(page, "Tokens");
      await draftToken(page, "research agent");
    },
  },
  {
    name: "new-token-shown",
    async reach(page) {
      await page.getByRole("button", { name: "Create token" }).click();
      await revealed(page).waitFor();
    },
  },
  {
    name: "token",
    async reach(page) {
      await confirmSaved(page);
      await page.getByRole("rowheader", { name: "reading agent" }).getByRole("link").click();
      await page.getByRole("heading", { name: "What happened with it" }).waitFor();
    },
  },
  {
    name: "connected",
    async reach(page, clew) {
      const session = await storedSession(page);
      if (session === null) throw new Error("nobody is signed in");
      const workspaceIds = (await readWorkspaces(clew, session)).map(({ id }) => id);
      await connect({ url: clew, session, workspaceIds });
      await openSection(page, "Tokens");
      await page.getByRole("rowheader", { name: "Claude Code" }).waitFor();
    },
  },
  { name: "activity", reach: (page) => openSection(page, "Activity") },
  {
    name: "account",
    async reach(page) {
      await openAccountMenu(page);
      await page.getByRole("link", { name: "Your account" }).click();
      await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
    },
  },
  // Last: it has no way to the other sections.
  {
    name: "connect",
    async reach(page, clew) {
      await page.goto(authorizationUrl(clew));
      await consentTitle(page).waitFor();
    },
  },
];

/** The scenes by which a person enters. */
export const entrance: readonly string[] = ["sign-in", "consent", "graph"];

/** The scenes that are also shown in the dark, and in a narrow window. Each is reached from wherever the person is. */
export const alsoDark: readonly string[] = ["graph", "path", "map"];
export const alsoNarrow: readonly string[] = ["graph", "page", "map"];

async function search(page: Page, words: string): Promise<void> {
  const field = page.getByLabel("Search pages");
  await field.fill(words);
  await field.press("Enter");
  await page.locator("[data-results]").getByRole("link").first().waitFor();
}

async function openPage(page: Page, title: string): Promise<void> {
  await search(page, title);
  await page.locator("[data-results]").getByRole("link", { name: title, exact: true }).first().click();
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
}
