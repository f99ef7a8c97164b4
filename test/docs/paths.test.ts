import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");

const isFromRoot = (path: string) =>
  /^(?:packages|test|bench|scripts|docs|deploy|interop|clients)\//.test(path);
const isFile = (path: string) => /\.(?:tsx?|css|cjs|mjs|json)$/.test(path);

/** The path below the first of the folders that has it. */
const placeOf = (path: string, folders: readonly string[]) =>
  folders.map((folder) => join(folder, path)).find((place) => existsSync(join(root, place)));

/**
 * Paths in a document's code that do not exist. A path begins at the root, at the folder that its section names (“Paths are
 * below …”), or at a folder that its paragraph, list item or row of a table names, or that has a file which that names.
 */
function unknownPaths(document: string): string[] {
  const unknown: string[] = [];
  let ofSection: readonly string[] = [""];
  const blocks = document.replaceAll(/^```[\s\S]*?^```$/gm, "").split(/\n(?=\n|#|\||\d+\. |- )/);
  for (const block of blocks) {
    if (/^\s*#/.test(block)) ofSection = [""];
    const [, base] = /Paths are below `([\w./-]+)`/.exec(block) ?? [];
    if (base !== undefined) ofSection = ["", base];
    const paths = [...block.matchAll(/`([\w./-]+)`/g)].map(([, text = ""]) => text.replace(/\/$/, ""));
    const named: string[] = [];
    for (const path of paths) {
      const place = placeOf(path, [...ofSection, ...named]);
      if (place?.includes("/")) named.push(isFile(place) ? dirname(place) : place);
    }
    const folders = [...ofSection, ...named];
    unknown.push(
      ...paths.filter((path) => (isFromRoot(path) || isFile(path)) && placeOf(path, folders) === undefined),
    );
  }
  return unknown;
}

for (const name of ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/how-to-add.md"]) {
  test(`${name} names files and folders that exist`, async () => {
    const document = await readFile(join(root, name), "utf8");
    assert.match(document, /`packages\/[\w/]+`/);
    assert.deepEqual(unknownPaths(document), []);
  });
}

test("a file is looked for in the folders that its own list item names", () => {
  const flow = (file: string) =>
    `Paths are below \`packages/server/src\`.\n\n1. \`mcp/server.ts\`: starts\n2. \`queries/query-worker.ts\`: ends\n   (\`${file}\`)\n`;
  assert.deepEqual(unknownPaths(flow("errors.ts")), ["errors.ts"]);
  assert.deepEqual(unknownPaths(flow("text-job.ts")), []);
  assert.deepEqual(unknownPaths(flow("mcp/errors.ts")), []);
});
