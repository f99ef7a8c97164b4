import { spawnSync } from "node:child_process";
import { root, testFilesAt } from "./test-files.ts";

// Runs the tests in files or folders, and runs a file again when it or something that it imports changes.
const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error("Usage: npm run watch -- <file or folder> …");
  process.exit(2);
}
const files = [...new Set(paths.flatMap(testFilesAt))];
const { status } = spawnSync(process.execPath, ["--test", "--watch", ...files], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
