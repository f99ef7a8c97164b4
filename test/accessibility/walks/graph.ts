import type { Page } from "playwright-core";
import { filterRows, openPage, openSection, openSignedIn, seeSynced } from "../../browser/steps.ts";
import { visit } from "../../support/browser.ts";
import { startRunning } from "../../support/running-clew.ts";
import type { See, Walk } from "../looks.ts";

/** Search, pages, local graphs and paths in the demo workspace. */
export const walkGraph: Walk = async (stage, browser, see) => {
  const demo = await startRunning();
  stage.defer(() => demo.stop());
  const { page, expectedFaults } = await visit(stage, browser, { reducedMotion: "reduce" });
  expectedFaults.push(/^Failed to load resource/);
  const open = (path: string) => page.goto(new URL(`dashboard/${path}`, demo.url).href);
  const dialogOf = (name: string) => page.getByRole("region", { name });
  await openSignedIn(page, demo.url);
  await seeSynced(page);
  await openSection(page, "Graph");
  await page.getByRole("link", { name: "See the path" }).waitFor();
  await see(page, "start");
  await page.getByText("Filters", { exact: true }).click();
  await see(page, "choosing a page", async () => {
    await page.getByLabel("Only below").fill("");
    await page.getByLabel("Only below").fill("Jup");
    await page.getByRole("option", { name: /^Jup/ }).first().waitFor();
  });
  await page.getByLabel("Only below").fill("zzzzqqq");
  await page.getByRole("main").getByText("No page with such a title").waitFor();
  await see(page, "no page to choose");
  await open("graph?q=light+-ring&is=orphan");
  await page.getByText(/^None of the \d+ pages that match/).waitFor();
  await see(page, "nothing found with a filter");
  await open("graph?q=light+-ring");
  await page.locator("mark").first().waitFor();
  await see(page, "results");
  await see(page, "copy as", () => openCopyMenu(page));
  await open("graph?is=broken");
  await page.locator("[data-results]").waitFor();
  await see(page, "list");
  await openSection(page, "Graph");

  await openPage(page, "Jupiter");
  await dialogOf("Linked from").getByRole("link").first().waitFor();
  await see(page, "page");
  await page.getByText("Outline", { exact: true }).click();
  await see(page, "page without its outline");
  await page.getByRole("link", { name: "Local graph", exact: true }).click();
  const picture = page.getByRole("group", { name: /^Pages around/ });
  await picture.waitFor();
  await see(page, "local graph");
  await picture.getByRole("link", { name: /^Jupiter/ }).focus();
  await page.keyboard.press("ArrowRight");
  await see(page, "local graph with a page lit");
  await page.keyboard.press("Space");
  await page.getByRole("dialog").getByRole("link").first().waitFor();
  await see(page, "links that the picture folds");
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: "2 steps" }).check();
  await page.waitForURL(/depth=2/);
  await page.getByRole("region", { name: "The same as a table" }).waitFor();
  await page
    .getByText(/ with other pages here$/)
    .first()
    .click();
  await see(page, "local graph of two steps");
  await openPage(page, "Neptune");
  await dialogOf("Broken links").waitFor();
  await see(page, "page with broken links");
  await openPage(page, "Stars");
  await dialogOf("Rows of Stars").waitFor();
  await see(page, "database");
  await filterRows(page, { column: "Magnitude", condition: "is less than", value: "0" });
  await page.getByText("4 rows", { exact: true }).waitFor();
  await see(page, "filtered rows");
  await filterRows(page, { column: "Magnitude", condition: "is less than", value: "many" });
  await page
    .getByRole("alert")
    .getByText(/Magnitude/)
    .waitFor();
  await see(page, "wrong filter of rows");
  await open("graph/9a4beed0-598c-87bb-8c0b-000000000000");
  await page.getByRole("heading", { level: 1, name: "There is no such page" }).waitFor();
  await see(page, "no such page");

  await seeLists(page, see);
  await seeAnswers(page, open, see);

  await open("graph/path");
  await page.getByText("Choose two pages to begin.").waitFor();
  await see(page, "no path yet");
  await openSection(page, "Graph");
  await page.getByRole("link", { name: "See the path" }).click();
  await page.getByLabel("Paths", { exact: true }).selectOption("Up to 5 paths");
  await page.getByRole("heading", { name: /^Path 1/ }).waitFor();
  await see(page, "paths");
  const ends = new URL(page.url()).searchParams;
  await page.route("**/api/provider-graph/paths/**", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), paths: [], status: "none" } });
  });
  await open(`graph/path?from=${ends.get("to")}&to=${ends.get("from")}`);
  await page.getByText("These pages are not connected.").waitFor();
  await see(page, "not connected");
};

async function openCopyMenu(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Copy as…" }).first().click();
  await page.locator(":popover-open").waitFor();
}

/** The lists that appear while a person types. */
async function seeLists(page: Page, see: See): Promise<void> {
  const field = page.getByRole("combobox", { name: "Search pages" });
  const palette = page.getByRole("dialog", { name: "Pages and commands" });
  await openSection(page, "Tokens");
  await see(page, "suggestions", async () => {
    await field.fill("");
    await field.fill("Jup");
    await page.getByRole("option", { name: /^Jup/ }).first().waitFor();
    await page.keyboard.press("ArrowDown");
  });
  await see(page, "no suggestion", async () => {
    await field.fill("zzzzqqq");
    await page.getByRole("option", { name: /^No title matches/ }).waitFor();
  });
  await see(page, "pages opened lately", async () => {
    await field.fill("");
    await page.getByRole("listbox", { name: "Opened lately" }).getByRole("option").first().waitFor();
  });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await palette.getByRole("option").first().waitFor();
  await see(page, "palette");
  await page.keyboard.type("to");
  await palette.getByRole("option", { name: "Create token" }).waitFor();
  await palette.getByText("Pages", { exact: true }).waitFor();
  await see(page, "palette with matches");
  await page.keyboard.press("Escape");
}

/** A question and what an agent gets for it. */
async function seeAnswers(page: Page, open: (path: string) => Promise<unknown>, see: See): Promise<void> {
  await open("graph/ask");
  await page.getByText("Clew finds the passages that answer").waitFor();
  await see(page, "no question yet");
  await open("graph/ask?question=zebrafish+telescope+Jupiter&tokens=1000");
  await page.getByText("No passage has: zebrafish.").waitFor();
  await page.getByText("As the agent gets it", { exact: true }).click();
  await see(page, "passages for a question");
  await open("graph/ask?question=qqzzxx");
  await page.getByRole("heading", { name: "No passage answers that" }).waitFor();
  await see(page, "no passage");
}
