import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { stageOf } from "../support/stage.ts";

test("OPS-10: under systemd Clew takes its credentials for settings, and tells systemd when it serves", async (t) => {
  const stage = await stageOf(t);
  const place = (name: string) => join(stage.folder, name);
  for (const folder of ["credentials", "bin"]) mkdirSync(place(folder));
  writeFileSync(place("credentials/clew_LOG_LEVEL"), "warn\n");
  // In place of systemd's program: notes what it is called with.
  const noted = place("noted");
  const program = `#!${process.execPath}
const { renameSync, writeFileSync } = require("node:fs");
writeFileSync("${noted}.new", JSON.stringify({ args: process.argv.slice(2), env: process.env }));
renameSync("${noted}.new", "${noted}");
`;
  writeFileSync(place("bin/systemd-notify"), program, { mode: 0o755 });
  const clew = await stage.start({
    CREDENTIALS_DIRECTORY: place("credentials"),
    NOTIFY_SOCKET: "/run/systemd/notify",
    PATH: place("bin"),
    WORKSPACE_DIR: await writeSmallWorkspace(stage),
  });
  while (!existsSync(noted)) await sleep(20);
  const { args, env } = JSON.parse(readFileSync(noted, "utf8"));
  assert.deepEqual(args, ["--ready"]);
  // Neither settings nor secrets are passed on.
  assert.deepEqual(env, { NOTIFY_SOCKET: "/run/systemd/notify", PATH: place("bin") });
  assert.equal(await clew.terminate(), 0);
  assert.doesNotMatch(clew.output(), /server listening/);
});
