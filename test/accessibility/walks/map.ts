import { startSmallClew } from "../../browser/small-clew.ts";
import { openSignedIn, seeSynced } from "../../browser/steps.ts";
import { visit } from "../../support/browser.ts";
import type { Walk } from "../looks.ts";

/** The map in every form. */
export const walkMap: Walk = async (stage, browser, see) => {
  const url = await startSmallClew(stage);
  const { page, expectedFaults } = await visit(stage, browser, { reducedMotion: "reduce" });
  expectedFaults.push(/^Failed to load resource/);
  await openSignedIn(page, url);
  await seeSynced(page);
  await page.goto(new URL("dashboard/map?colour=edited&only=0", url).href);
  const map = page.getByRole("application");
  await map.waitFor();
  await see(page, "map with some pages alone");
  await page.goto(new URL("dashboard/map", url).href);
  await see(page, "map");
  await map.focus();
  await page.keyboard.press("ArrowRight");
  await page.getByText(/^Linked with/).waitFor();
  await see(page, "map with a page selected");
  await page.getByRole("button", { name: "Find a path from here" }).click();
  await page.getByText("Choose the page at the other end").waitFor();
  await see(page, "map that waits for the other end");
  await page.getByLabel("Find on the map").fill("e");
  await page.getByRole("option", { name: "Theseus" }).waitFor();
  await see(page, "map with matches");
  await page.goto(new URL("dashboard/map?view=table", url).href);
  await page.getByRole("rowheader").first().waitFor();
  await see(page, "map as a table");
  await page.route(/\/map\/\?/, (route) =>
    route.fulfill({ status: 500, contentType: "text/plain", body: "" }),
  );
  await page.reload();
  await page.getByRole("main").getByRole("button", { name: "Try again" }).waitFor();
  await see(page, "map that failed to load");
};
