import assert from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";

/** The rules that are on by default, and the sizes of targets. */
const options = { rules: { "target-size": { enabled: true } }, resultTypes: ["violations", "incomplete"] };

/**
 * The results that axe cannot decide by itself, by the reason that it gives. A person looked at each; any other reason is a problem.
 * - `imgNode`, `shortTextContent`: names in drawings. They are written in ink with an outline in the colour of the paper, so
 *   the contrast is that of text, whatever lies below.
 * - `bgOverlap`: what lies below an open list of pages. The list covers it.
 * - `nonBmp`: the arrow of a sorted column, which is hidden from screen readers; `aria-sort` says the same.
 */
const judged = new Set(["imgNode", "shortTextContent", "bgOverlap", "nonBmp"]);

const isJudged = ({ any, all, none }: axe.NodeResult): boolean =>
  [...any, ...all, ...none].every(({ data }) => judged.has(data?.messageKey));

/** Runs axe. If elements came or went during the run, its results for them are wrong: it runs again, a few times at most. */
const runOfAxe = `(async () => {
  let hasChanged = false;
  const observer = new MutationObserver(() => { hasChanged = true; });
  observer.observe(document.body, { subtree: true, childList: true });
  for (let tries = 1; ; tries += 1) {
    hasChanged = false;
    const results = await axe.run(document, ${JSON.stringify(options)});
    if (hasChanged && tries < 3) continue;
    observer.disconnect();
    return results;
  }
})()`;

/** The problems of a state of a page: what axe finds, the cases that it cannot decide, and sideways scrolling. */
export async function findProblems(page: Page): Promise<readonly string[]> {
  // It is still there unless the page was loaded again.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const { violations, incomplete, passes } = await page.evaluate<axe.AxeResults>(runOfAxe);
  assert.ok(passes.length > 10, "axe did not look");
  const tooWide = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
    ...incomplete.flatMap(({ id, nodes }) =>
      nodes
        .filter((node) => !isJudged(node))
        .map(({ html, failureSummary }) => `${id}?: ${html} ${failureSummary}`),
    ),
    ...(tooWide === 0 ? [] : [`the page scrolls sideways by ${tooWide} pixels`]),
  ];
}

/** Asserts that nothing is wrong with a state of a page. */
export async function examine(page: Page, state: string): Promise<void> {
  assert.deepEqual(await findProblems(page), [], state);
}
