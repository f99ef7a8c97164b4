import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const folder = join(import.meta.dirname, "../../docs/decisions");
const files = (await readdir(folder)).filter((name) => /^\d{4}-/.test(name));

/** The longest that a decision may be without a summary, in lines. */
const shortLines = 60;

/** A summary: five items, before anything else. */
const summary = /^# .+\n\n\*\*Status:\*\* .+\n\n\*\*In short\.\*\*\n(?:- .+\n){5}\n/;

test("a long decision begins with five lines that say it all", async () => {
  for (const name of files) {
    const text = await readFile(join(folder, name), "utf8");
    if (text.split("\n").length > shortLines) assert.match(text.slice(0, 3_000), summary, name);
  }
});

test("the list of decisions has each of them once", async () => {
  const list = await readFile(join(folder, "README.md"), "utf8");
  const linked = [...list.matchAll(/\((\d{4}-[\w-]+\.md)\)/g)].map(([, name]) => name ?? "");
  assert.deepEqual(linked.toSorted(), files.toSorted());
});
