import { join } from "node:path";
import { before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { startRunning } from "../support/running-clew.ts";
import { shared } from "../support/shared.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { stageOf } from "../support/stage.ts";
import { examine } from "./examine.ts";
import { sharedBrowser } from "./shared.ts";
import { openSection, seeDashboard } from "./steps.ts";

/** A Clew with two sources: Notion, and a folder. */
const twoSources: () => Promise<URL> = shared(async (stage) => {
  const folder = join(stage.folder, "garden");
  await writeFiles(folder, {
    "Bees.md": markdownPage("Bees", "They fly to [[Clover]]."),
    "Clover.md": "# Clover\n",
  });
  const notion = await startNotion(stage, await writeSmallWorkspace(stage));
  const clew = await startRunning({ env: { ...settingsFor(notion), FOLDERS: `garden=${folder}` } });
  stage.defer(() => clew.stop());
  return clew.url;
});

describe("two sources in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  let clew: URL;
  before(async () => {
    [browser, clew] = await Promise.all([sharedBrowser(), twoSources()]);
  });

  test("SIGN-5, SIGN-7: one press opens a folder, and Notion is added to the same account", async (t) => {
    const { page } = await visit(await stageOf(t), browser);
    await page.goto(new URL("dashboard", clew).href);
    await page.getByRole("link", { name: "Sign in with Notion" }).waitFor();
    await examine(page, "sign-in with two sources");
    await page.getByRole("link", { name: "Open garden" }).click();
    await seeDashboard(page);
    await openSection(page, "Workspaces");
    const card = (name: string) => page.getByRole("article", { name });
    await card("garden").waitFor();

    await page.getByRole("button", { name: "Share more pages or connect another" }).press("Enter");
    const choice = page.getByRole("button", { name: "Notion service" });
    await choice.waitFor();
    await examine(page, "a choice of sources");
    await choice.click();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("Connected. Its pages appear here as they are read.").waitFor();
    await card("Labyrinth").getByText("Notion").waitFor();
    await card("garden").getByText("2 pages, 1 link").waitFor();
    await examine(page, "the cards of two sources");
  });

  test("SRC-4: one switch makes the tags of a folder nodes, which the search then finds", async (t) => {
    const stage = await stageOf(t);
    const folder = join(stage.folder, "meadow");
    await writeFiles(folder, {
      "Bees.md": "---\ntags: [insects, summer]\n---\n# Bees\n",
      "Moths.md": "---\ntags: [insects]\n---\n# Moths\n",
    });
    const tagged = await startRunning({ env: { FOLDERS: `meadow=${folder}` } });
    stage.defer(() => tagged.stop());
    const { page } = await visit(stage, browser);
    await page.goto(new URL("dashboard", tagged.url).href);
    await page.getByRole("link", { name: "Open meadow" }).click();
    await seeDashboard(page);
    await openSection(page, "Workspaces");
    const card = page.getByRole("article", { name: "meadow" });
    await card.getByText("2 pages, 0 links").waitFor();
    const choice = card.getByRole("checkbox", { name: "Tags in the graph: meadow" });
    await choice.press("Space");
    await card.getByText("4 pages, 3 links").waitFor();
    await examine(page, "a workspace with tags");
    await openSection(page, "Graph");
    await page.getByText("Filters", { exact: true }).click();
    await page.getByLabel("Kind").selectOption("Tags");
    await page.locator("[data-results]").getByRole("link", { name: "insects", exact: true }).click();
    const mentions = page.getByRole("region", { name: "Linked from" });
    await mentions.getByRole("link", { name: "Moths" }).waitFor();
    await examine(page, "the page of a tag");
    await openSection(page, "Workspaces");
    await choice.press("Space");
    await card.getByText("2 pages, 0 links").waitFor();
  });
});
