import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { runSeed, share } from "@clew/stand-in/testing/share";
import type { Browser } from "playwright-core";
import { sharedBrowser } from "../browser/shared.ts";
import { noBrowser } from "../support/browser.ts";
import { stageOf } from "../support/stage.ts";
import { examiner, type Look, looks } from "./looks.ts";
import { walks } from "./walks.ts";

// A part of the campaign in `accessibility.campaign.ts`: every state is reached, and a third of them are examined, each in one of the
// four looks.

/** The look of each state of a walk: none if it was not drawn. */
function looksOf(name: string): (index: number) => readonly Look[] {
  const states = Array.from({ length: mostStates }, (_, index) => index);
  const drawn = new Set(share(`accessibility: states of "${name}"`, states, mostStates / 3));
  return (index) => (drawn.has(index) ? looks.slice((index + runSeed) % looks.length).slice(0, 1) : []);
}

/** No walk has more states. */
const mostStates = 60;

describe("accessibility in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  for (const { name, least, walk } of walks)
    test(`WCAG 2.2 AA: axe reports nothing, and no page is too wide: ${name}`, async (t) => {
      const { see, report } = examiner(looksOf(name));
      await walk(await stageOf(t), browser, see);
      assert.deepEqual(report.problems, []);
      assert.ok(report.states.length >= least, `${report.states.length} states`);
      assert.ok(report.states.length <= mostStates && report.examined > 0, `${report.examined} examined`);
    });
});
