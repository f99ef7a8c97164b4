import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { authorizationUrl, writeFolder } from "./testing/serve-folder.ts";

test("by itself it serves a folder, says where, and ends on SIGTERM", async (t) => {
  const directory = await writeFolder(t, { "a.md": "# A", "b.md": "# B" });
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const child = spawn(process.execPath, [
    main,
    "--dir",
    directory,
    "--port",
    "0",
    "--client-id",
    "test-client",
  ]);
  t.after(() => child.kill("SIGKILL"));
  const [line] = await once(createInterface(child.stdout), "line");
  const url = /^2 pages and databases at (http:\S+)$/.exec(String(line))?.[1];
  assert.ok(url !== undefined, String(line));
  assert.equal((await fetch(authorizationUrl({ url }))).status, 200);
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});
