import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root, sourceOf } from "./pages.ts";

/** A test as a document names it: the title is the text of a link to its file. */
const namedTest = /\[([^\]]+)\]\(\.\.\/([^)]+\.test\.ts)\)/g;

/** The titles in a file. Of a title that is made in a loop, its constant beginning. */
function titlesIn(path: string): ReadonlySet<string> {
  const source = readFileSync(path, "utf8");
  const plain = [...source.matchAll(/\btest\(\s*("(?:[^"\\\n]|\\.)*")/g)].map(([, title = ""]) =>
    JSON.parse(title),
  );
  const made = [...source.matchAll(/\btest\(\s*`([^`$]+)\$\{/g)].map(([, start = ""]) =>
    start.replace(/: $/, ""),
  );
  return new Set([...plain, ...made]);
}

/** The tests that a document names and that do not exist, and the number of those that it names. */
function missingIn(document: string): { readonly missing: readonly string[]; readonly named: number } {
  const named = [...document.matchAll(namedTest)].map(([, title = "", file = ""]) => ({ title, file }));
  const missing = named
    .filter(({ title, file }) => !existsSync(join(root, file)) || !titlesIn(join(root, file)).has(title))
    .map(({ title, file }) => `${file}: ${title}`);
  return { missing, named: named.length };
}

test("every test that docs/security.md names exists", () => {
  const { missing, named } = missingIn(sourceOf("docs/security.md"));
  assert.deepEqual(missing, [], "correct the row: its test was renamed or is gone");
  assert.ok(named > 150, `${named} tests are named`);
});

test("a named test that does not exist, and a file that does not, are found", () => {
  const own = "../test/docs/security.test.ts";
  const right = `[every test that docs/security.md names exists](${own})`;
  assert.deepEqual(missingIn(right), { missing: [], named: 1 });
  assert.equal(missingIn(`[every test that docs/security.md names](${own})`).missing.length, 1);
  assert.equal(missingIn(right.replace("security.test", "nothing.test")).missing.length, 1);
});

test("a row of a standard that holds names a test, and any other says why", () => {
  const [, standards = ""] = sourceOf("docs/security.md").split("## Standards");
  const rows = [...standards.matchAll(/^\| (.+) \| (holds|in part|does not|not applicable) \| (.+) \|$/gm)];
  assert.ok(rows.length > 150, `${rows.length} rows`);
  for (const [row, , verdict, reason = ""] of rows) {
    if (verdict === "holds") assert.match(reason, /\.test\.ts\)/, row);
    else assert.ok(reason.replaceAll(namedTest, "").length > 10 || reason.includes(".test.ts"), row);
  }
});
