import assert from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";

/** The rules that are on by default, and the sizes of targets. */
const options = { rules: { "target-size": { enabled: true } }, resultTypes: ["violations"] };

/** What is wrong with a state of a page: what axe finds, and whether the page scrolls sideways. */
export async function findProblems(page: Page): Promise<readonly string[]> {
  // It is still there unless the page was loaded again.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate<axe.AxeResults>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  assert.ok(passes.length > 10, "axe did not look");
  const tooWide = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
    ...(tooWide === 0 ? [] : [`the page scrolls sideways by ${tooWide} pixels`]),
  ];
}

/** Asserts that nothing is wrong with a state of a page. */
export async function examine(page: Page, state: string): Promise<void> {
  assert.deepEqual(await findProblems(page), [], state);
}
