import { startSmallClew } from "../../browser/small-clew.ts";
import { openSignedIn, seeSynced } from "../../browser/steps.ts";
import { withoutWebGl } from "../../browser/without-web-gl.ts";
import { visit } from "../../support/browser.ts";
import type { Walk } from "../looks.ts";

/** The map in every form. */
export const walkMap: Walk = async (stage, browser, see) => {
  const url = await startSmallClew(stage);
  const { page, expectedFaults } = await visit(stage, browser, { reducedMotion: "reduce" });
  // Chromium tells that it draws in software.
  expectedFaults.push(/^Failed to load resource/, /GPU stall due to ReadPixels/);
  await openSignedIn(page, url);
  await seeSynced(page);
  await page.goto(new URL("dashboard/map", url).href);
  const map = page.getByRole("application");
  await map.waitFor();
  await see(page, "map");
  await map.focus();
  await page.keyboard.press("+");
  await page
    .getByRole("status")
    .filter({ hasText: /Ariadne|Minotaur|Theseus/ })
    .waitFor();
  await see(page, "map with a page lit");
  await page.getByRole("tab", { name: "As a table" }).click();
  await page.getByRole("link", { name: "Ariadne" }).waitFor();
  await see(page, "map as a table");
  await page.addInitScript({ content: withoutWebGl });
  await page.reload();
  await page.getByText("This browser cannot draw the map").waitFor();
  await see(page, "no WebGL");
  await page.route("**/map/", (route) => route.fulfill({ status: 500, contentType: "text/plain", body: "" }));
  await page.reload();
  await page.getByRole("main").getByRole("button", { name: "Try again" }).waitFor();
  await see(page, "map that failed to load");
};
