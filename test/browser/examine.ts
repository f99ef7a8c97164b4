import assert from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Every rule of axe, including those that are off by default. */
const everyRule = { rules: { "target-size": { enabled: true } }, resultTypes: ["violations"] };

/** Asserts that axe finds nothing wrong with a state of a page, and that the page does not scroll sideways. */
export async function examine(page: Page, state: string): Promise<void> {
  // It is still there unless the page was loaded again.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate<axe.AxeResults>(
    `axe.run(document, ${JSON.stringify(everyRule)})`,
  );
  const problems = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  assert.deepEqual(problems, [], state);
  assert.ok(passes.length > 10, `${state}: axe did not look`);
  const tooWide = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  assert.equal(tooWide, 0, `${state}: the page scrolls sideways`);
}
