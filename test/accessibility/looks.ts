import type { Browser, Page } from "playwright-core";
import { findProblems } from "../browser/examine.ts";
import type { Stage } from "../support/stage.ts";

/** The ways in which a page can be shown. */
export interface Look {
  readonly colorScheme: "light" | "dark";
  readonly width: 360 | 1440;
}

export const looks: readonly Look[] = [
  { colorScheme: "light", width: 360 },
  { colorScheme: "dark", width: 1440 },
  { colorScheme: "light", width: 1440 },
  { colorScheme: "dark", width: 360 },
];

/**
 * Examines a state that the page is in. `open` brings about what a change of the width closes, and is called for each look.
 */
export type See = (page: Page, state: string, open?: () => Promise<void>) => Promise<void>;

/** A person who goes from state to state, and has each one examined. */
export type Walk = (stage: Stage, browser: Browser, see: See) => Promise<void>;

/** The states that were examined, and their problems. */
export interface Report {
  readonly states: string[];
  examined: number;
  readonly problems: string[];
}

/** Examines each state in some of the looks, in the same page: nothing is loaded again. */
export function examiner(looksOf: (index: number) => readonly Look[]): { see: See; report: Report } {
  const report: Report = { states: [], examined: 0, problems: [] };
  const see: See = async (page, state, open) => {
    const chosen = looksOf(report.states.length);
    if (chosen.length === 0) await open?.();
    report.states.push(state);
    for (const { colorScheme, width } of chosen) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
      await open?.();
      report.examined += 1;
      for (const problem of await findProblems(page))
        report.problems.push(`${state} (${colorScheme}, ${width} pixels wide): ${problem}`);
    }
  };
  return { see, report };
}
