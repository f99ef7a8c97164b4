import { test } from "node:test";
import { sharedBrowser } from "../browser/shared.ts";
import { noBrowser } from "../support/browser.ts";
import { stageOf } from "../support/stage.ts";
import { walkLarge } from "./walk.ts";

// A part of the campaign in `large.campaign.ts`; axe looks at these states in `test/accessibility`.
test("GRAPH-15, GRAPH-30: the first sync of many pages is shown as it goes, and they are searched, read and mapped", {
  skip: noBrowser,
}, async (t) => {
  const stage = await stageOf(t);
  const browser = await sharedBrowser();
  // With this seed, the table of the map has more rows than are listed at once.
  await walkLarge(stage, browser, { seed: 22, pages: 800, leastSteps: 1 }, async () => {});
});
