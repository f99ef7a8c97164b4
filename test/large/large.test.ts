import { test } from "node:test";
import { launchBrowser, noBrowser } from "../support/browser.ts";
import { stageOf } from "../support/stage.ts";
import { walkLarge } from "./walk.ts";

// A part of the campaign in `large.campaign.ts`; axe looks at these states in `test/accessibility`.
test("GRAPH-15, GRAPH-30: the first sync of many pages is shown as it goes, and they are searched, read and mapped", {
  skip: noBrowser,
}, async (t) => {
  const stage = await stageOf(t);
  const browser = await launchBrowser();
  stage.defer(() => browser.close());
  await walkLarge(stage, browser, 1_000, async () => {});
});
