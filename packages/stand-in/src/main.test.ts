import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { writeFolder } from "@clew/folder/testing";
import { authorizationUrl } from "./testing/serve-folder.ts";

/** Starts it over a folder, and returns its first line. `shell` can set limits first. */
async function start(t: TestContext, directory: string, shell = "") {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const command = `${shell} exec "$0" "$1" --dir "$2" --port 0 --client-id test-client`;
  const child = spawn("sh", ["-c", command, process.execPath, main, directory]);
  t.after(() => child.kill("SIGKILL"));
  const [line] = await once(createInterface(child.stdout), "line");
  return { child, line: String(line) };
}

test("the command serves a folder, prints its address, and ends on SIGTERM", async (t) => {
  const directory = await writeFolder(t, { "a.md": "# A", "b.md": "# B" });
  const { child, line } = await start(t, directory);
  const url = /^2 pages and databases at (http:\S+)$/.exec(line)?.[1];
  assert.ok(url !== undefined, line);
  assert.equal((await fetch(authorizationUrl({ url }))).status, 200);
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});

test("a folder can contain more files than a process can open", async (t) => {
  const files = Array.from({ length: 600 }, (_, number) => [`page-${number}.md`, "Text"]);
  const { line } = await start(t, await writeFolder(t, Object.fromEntries(files)), "ulimit -n 200;");
  assert.match(line, /^600 pages and databases at /);
});
