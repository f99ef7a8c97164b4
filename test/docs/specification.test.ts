import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFile(join(root, path), "utf8");

const ruleId = /\b(?:SIGN|SESS|TOK|GRAPH|AGT|APP|SYNC|SRC|ERR|LIM|OPS)-\d+\b/g;

/** The documents that claim that a rule is in effect. */
const claims = ["README.md", "docs/conformance.md", "docs/openapi.json", "docs/openapi-released.json"];

/** The rules of the specification: those with a row in effect, and those whose rows are all planned. */
async function readRules() {
  const inEffect = new Set<string>();
  const planned = new Set<string>();
  for (const [, id = "", text = ""] of (await read("docs/specification.md")).matchAll(
    /^\| ([A-Z]+-\d+) \| (.+) \|$/gm,
  ))
    (text.startsWith("*Planned:* ") ? planned : inEffect).add(id);
  return { inEffect, planned: planned.difference(inEffect), rowsPlanned: planned.size };
}

/** The rules that files name, each with the first file that does. */
async function rulesIn(files: readonly string[]): Promise<Map<string, string>> {
  const named = new Map<string, string>();
  for (const file of files) {
    for (const [id] of (await read(file)).matchAll(ruleId)) if (!named.has(id)) named.set(id, file);
  }
  return named;
}

const testFiles = () =>
  globSync("{packages,test,bench,scripts,interop}/**/*.{test,campaign}.ts", {
    cwd: root,
    exclude: (path) => path.includes("node_modules"),
  });

test("every rule that a test names is in the specification, and every rule in effect is named by a test", async () => {
  const { inEffect, planned } = await readRules();
  const named = new Set((await rulesIn(testFiles())).keys());
  assert.ok(inEffect.size > 80);
  assert.deepEqual([...named.difference(inEffect.union(planned))], [], "not in the specification");
  assert.deepEqual([...inEffect.difference(named)], [], "named by no test");
});

test("a rule that is planned is named by no test, and claimed nowhere", async () => {
  const { planned, rowsPlanned } = await readRules();
  assert.ok(rowsPlanned > 0);
  const found = [...(await rulesIn([...testFiles(), ...claims]))].filter(([id]) => planned.has(id));
  assert.deepEqual(found, [], "has it been built? Then take *Planned:* off its row");
});
