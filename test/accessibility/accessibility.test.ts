import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { repetitions, runSeed } from "@clew/stand-in/testing/share";
import type { Browser } from "playwright-core";
import { sharedBrowser } from "../browser/shared.ts";
import { noBrowser } from "../support/browser.ts";
import { stageOf } from "../support/stage.ts";
import { examiner, type Look, looks } from "./looks.ts";
import { walks } from "./walks.ts";

// A part of the campaign in `accessibility.campaign.ts`: every state is reached, and a third of them are examined, each in one of the
// four looks.

/** One of how many states is examined. */
const step = repetitions(3, 1);

/** The looks in which a state is examined: one for each of these states, which the seed of the run chooses. */
const looksOf = (index: number): readonly Look[] =>
  (index + runSeed) % step === 0 ? looks.slice((index + runSeed) % looks.length).slice(0, 1) : [];

describe("accessibility in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  for (const { name, least, walk } of walks)
    test(`WCAG 2.2 AA: axe reports nothing, and no page is too wide: ${name}`, async (t) => {
      const { see, report } = examiner(looksOf);
      await walk(await stageOf(t), browser, see);
      assert.deepEqual(report.problems, []);
      assert.ok(report.states.length >= least, `${report.states.length} states`);
      assert.ok(report.examined >= Math.floor(least / step), `${report.examined} examined`);
      t.diagnostic(
        `${report.examined} of ${report.states.length} states are examined, by TEST_SEED=${runSeed}`,
      );
    });
});
