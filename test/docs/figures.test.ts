import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { programs } from "../../scripts/programs.ts";
import { measuredOn, withoutAges, writeFiguresPage } from "../../scripts/results/figures-page.ts";
import { writeLimitsPage } from "../../scripts/results/limits-page.ts";
import { readResults } from "../../scripts/results/results.ts";
import { campaignLimits } from "../limits.ts";

const docs = join(import.meta.dirname, "../../docs");

/** Writes a page if the command is to, then compares it with what it should be. */
async function keep(
  file: string,
  page: string,
  comparable: (text: string) => string = String,
): Promise<void> {
  const path = join(docs, file);
  if (process.env.WRITE_DOCS === "1") await writeFile(path, page);
  const kept = await readFile(path, "utf8");
  assert.equal(comparable(kept), comparable(page), `docs/${file} is out of date: run npm run docs`);
}

test("docs/figures.md has the results that are kept beside the programs", async () => {
  await keep("figures.md", writeFiguresPage(), withoutAges);
});

test("docs/limits-of-our-tests.md says what test/limits.ts says", async () => {
  await keep("limits-of-our-tests.md", writeLimitsPage());
});

test("test/limits.ts says of every campaign what it shows and what it does not", () => {
  assert.deepEqual(Object.keys(campaignLimits).sort(), Object.keys(programs.campaign ?? {}).sort());
});

test("the last run of every campaign that is kept has passed", () => {
  const failed = Object.entries(programs.campaign ?? {}).flatMap(([name, { file }]) => {
    const last = readResults(file).at(-1);
    return last === undefined || last.exitCode === 0 ? [] : [`${name} at ${last.commit}: ${last.command}`];
  });
  assert.deepEqual(failed, [], "mend what it found, run it again, and keep that result too");
});

test("the days of measurements are read from prose, and other days are not", () => {
  const text =
    "Measured on 2026-11-24 at commit 017fd3df with Node.\n\nReleased on 2026-01-02.\n\n3 November 2026, Node 24:";
  assert.deepEqual(measuredOn(text), [
    { day: "2026-11-03", commit: null },
    { day: "2026-11-24", commit: "017fd3df" },
  ]);
});
