import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TokenActivity } from "@clew/contract";
import { needsFile } from "../../packages/server/src/store/testing/location.ts";
import { call } from "../support/call.ts";
import { freePort } from "../support/clew-process.ts";
import { runCommand } from "../support/command-line.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { createToken, signIn, waitForSync } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { stageOf } from "../support/stage.ts";

test("APP-9: what a token read outlives a kill, is in no backup, and goes with a person whom the operator removes", {
  skip: needsFile,
}, async (t) => {
  const stage = await stageOf(t);
  const notion = await startNotion(stage, await writeSmallWorkspace(stage));
  const data = join(stage.folder, "data");
  const settings = { ...settingsFor(notion), PORT: String(await freePort()), DATA_DIR: data };
  const command = async (...words: string[]) => {
    const { code, output, errors } = await runCommand(settings, ...words);
    assert.equal(code, 0, errors);
    return output;
  };
  const clew = await stage.start(settings);
  const session = await signIn(clew.url, { person: "Librarian" });
  await waitForSync(clew.url, session);
  const { id, token } = await createToken(clew.url, session, "agent");
  const word = "mnemosyne";
  assert.equal((await call(clew.url, `api/v1/search/?q=${word}`, { token })).status, 200);
  const activity = async (url: URL) =>
    (await call<TokenActivity>(url, `api/tokens/${id}/activity/`, { token: session.access })).body;
  assert.equal((await activity(clew.url)).calls, 1);
  await clew.kill();

  const restarted = await stage.start(settings);
  assert.deepEqual(
    (await activity(restarted.url)).latest.map(({ words }) => words),
    [word],
  );
  const holds = async (file: string) => (await readFile(file)).includes(word);
  /** The files of Clew's that have the word. */
  const holding = async () => {
    const names = (await readdir(data, { withFileTypes: true })).filter((entry) => entry.isFile());
    const held = await Promise.all(
      names.map(async ({ name }) => ((await holds(join(data, name))) ? [name] : [])),
    );
    return held.flat();
  };
  assert.ok((await holding()).length > 0);
  assert.ok((await holding()).every((name) => name.startsWith("activity.db")));
  const backup = join(stage.folder, "backup.db");
  await command("backup", backup);
  assert.equal(await holds(backup), false);

  const [person] = JSON.parse(await command("users", "list", "--json"));
  await command("users", "remove", person.id);
  // Deleted rows are overwritten, and the log is emptied.
  assert.deepEqual(await holding(), []);
});
