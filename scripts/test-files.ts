import { globSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";

export const root = join(import.meta.dirname, "..");

const isDependency = (path: string) => path.includes("node_modules");

/** Every test file of the project, relative to its root. */
export function allTestFiles(): readonly string[] {
  return globSync("{packages,test,bench,scripts,packaging}/**/*.test.ts", {
    cwd: root,
    exclude: isDependency,
  });
}

/**
 * The test files that `path` names or contains, relative to the root. A path is relative to the folder in which npm was
 * called. Ends the process if there are none.
 */
export function testFilesAt(path: string): readonly string[] {
  // npm runs a script in the root, wherever it was called.
  const full = resolve(process.env.INIT_CWD ?? ".", path);
  const isFolder = statSync(full, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const found = globSync(isFolder ? `${full}/**/*.test.ts` : full, { exclude: isDependency });
  const files = found.filter((file) => file.endsWith(".test.ts"));
  if (files.length === 0) {
    console.error(`There is no test file at ${path}.`);
    process.exit(1);
  }
  return files.map((file) => relative(root, file));
}
