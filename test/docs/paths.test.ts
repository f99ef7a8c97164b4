import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");

const existing = globSync("{packages,test,bench,scripts,docs,deploy,interop,clients}/**", {
  cwd: root,
  exclude: (path) => path.includes("node_modules"),
});

/** Paths in a document's code: those that begin at the root, and files that are below a folder that the text names. */
function pathsIn(document: string): { fromRoot: string[]; files: string[] } {
  const code = [...document.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/`([\w./-]+)`/g)].map(
    ([, text = ""]) => text.replace(/\/$/, ""),
  );
  return {
    fromRoot: code.filter((path) =>
      /^(?:packages|test|bench|scripts|docs|deploy|interop|clients)\//.test(path),
    ),
    files: code.filter((path) => /\/.*\.(?:tsx?|css|mjs)$/.test(path)),
  };
}

for (const name of ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/how-to-add.md"]) {
  test(`${name} names files and folders that exist`, async () => {
    const { fromRoot, files } = pathsIn(await readFile(join(root, name), "utf8"));
    assert.ok(fromRoot.length > 0);
    assert.deepEqual(
      fromRoot.filter((path) => !existing.includes(path)),
      [],
    );
    const ends = (path: string) => existing.some((file) => file === path || file.endsWith(`/${path}`));
    assert.deepEqual(
      files.filter((path) => !ends(path)),
      [],
    );
  });
}
