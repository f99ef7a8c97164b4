import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { startRunning } from "../support/running-clew.ts";
import { clientOf, createToken, signIn, waitForSync } from "../support/session.ts";

const root = join(import.meta.dirname, "../..");

test("docs/clients.md: the program that follows changes works as it is shown", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "clew-following-"));
  t.after(() => rm(directory, { recursive: true }));
  await writeFiles(directory, { "home.md": markdownPage("Home", "Text.") });
  const clew = await startRunning({ directory });
  t.after(() => clew.stop());
  const session = await signIn(clew.url);
  const [workspace] = await waitForSync(clew.url, session);
  const { token } = await createToken(clew.url, session, "follower");

  const guide = await readFile(join(root, "docs/clients.md"), "utf8");
  const [, code = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(guide) ?? [];
  const program = spawn(process.execPath, ["--input-type=module-typescript", "--eval", code], {
    cwd: root,
    env: { PATH: process.env.PATH, CLEW_URL: clew.url.href, CLEW_TOKEN: token },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(program, "close");
  try {
    const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
    assert.equal((await lines.next()).value, "following");
    await writeFiles(directory, { "new.md": markdownPage("New page", "More text.") });
    await clientOf(clew.url, session).startSync({ id: workspace?.id ?? "", full: true });
    assert.equal((await lines.next()).value, "added New page");
  } finally {
    program.kill();
    await ended;
  }
});
