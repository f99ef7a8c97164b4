import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { sharedBrowser } from "../browser/shared.ts";
import { noBrowser } from "../support/browser.ts";
import { stageOf } from "../support/stage.ts";
import { examiner, type Look, looks } from "./looks.ts";
import { walks } from "./walks.ts";

// A part of the campaign in `accessibility.campaign.ts`: every state, each in one of the four looks. LOOK repeats a run.
const seed = Number(process.env.LOOK ?? Date.now() % looks.length);
const lookOf = (index: number): readonly Look[] => looks.slice((index + seed) % looks.length).slice(0, 1);

describe("accessibility in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  for (const { name, least, walk } of walks)
    test(`WCAG 2.2 AA: axe reports nothing, and no page is too wide: ${name} (look ${seed})`, async (t) => {
      const { see, report } = examiner(lookOf);
      await walk(await stageOf(t), browser, see);
      assert.deepEqual(report.problems, []);
      assert.ok(report.examined >= least, `${report.examined} states`);
    });
});
