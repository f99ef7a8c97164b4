import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Command } from "@clew/cli";
import { captureOutput } from "@clew/cli/testing";
import { buildProgram } from "./program.ts";

async function scratchFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "clew-cli-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Runs a command in this process, and returns what it printed. */
async function run(env: Readonly<Record<string, string>>, ...words: string[]): Promise<string> {
  const lines: string[] = [];
  const serve = async () => assert.fail("it served");
  const program = buildProgram({
    env,
    fromEnvFile: new Set(),
    clock: Date.now,
    random: randomBytes,
    print: (line) => lines.push(line),
    writeLog: (line) => assert.fail(line),
    serve,
    reading: captureOutput().reading,
  });
  await program.parseAsync(words, { from: "user" });
  return lines.join("\n");
}

/** A command and its subcommands, by their names. */
function withSubcommands(command: Command, before: readonly string[] = []): [string, Command][] {
  const words = [...before, command.name()];
  return [[words.join(" "), command], ...command.commands.flatMap((each) => withSubcommands(each, words))];
}

test("OPS-7: every command exists and has a help text", () => {
  const nothing = async () => {};
  const program = buildProgram({
    env: {},
    fromEnvFile: new Set(),
    clock: Date.now,
    random: randomBytes,
    print: () => {},
    writeLog: () => {},
    serve: nothing,
    reading: captureOutput().reading,
  });
  const commands = withSubcommands(program);
  assert.deepEqual(
    commands.map(([words]) => words),
    [
      "clew",
      "clew serve",
      "clew migrate",
      "clew upgrade",
      "clew backup",
      "clew restore",
      "clew move",
      "clew move-person",
      "clew verify",
      "clew config",
      "clew health",
      "clew doctor",
      "clew sign-in-code",
      "clew keys",
      "clew keys rotate",
      "clew keys reset",
      "clew tokens",
      "clew tokens list",
      "clew tokens revoke",
      "clew users",
      "clew users list",
      "clew users sign-out",
      "clew users remove",
      "clew connections",
      "clew connections list",
      "clew connections sync",
      "clew connections disconnect",
      "clew sessions",
      "clew sessions end",
      "clew search",
      "clew text",
      "clew read",
      "clew links",
      "clew path",
      "clew recent",
      "clew table",
      "clew check",
      "clew export",
      "clew whoami",
      "clew mcp",
      "clew login",
      "clew logout",
    ],
  );
  for (const [words, command] of commands) {
    const help = command.helpInformation();
    assert.ok(help.startsWith(`Usage: ${words} `), help);
    assert.ok(command.description().length > 10, words);
    assert.match(help, /-h, --help/);
  }
});

test("OPS-7: a command without an installation creates none", async (t) => {
  const folder = await scratchFolder(t);
  const env = { DATA_DIR: join(folder, "mistyped") };
  const commands = [
    ["backup", join(folder, "copy")],
    ["verify"],
    ["keys", "rotate"],
    ["tokens", "list"],
    ["tokens", "revoke", "1"],
    ["users", "list"],
    ["users", "sign-out", "x"],
    ["users", "remove", "x"],
    ["move-person", "x", "--to", "2"],
    ["connections", "list"],
    ["connections", "sync", "1"],
    ["connections", "disconnect", "1"],
    ["sessions", "end", "--all"],
    ["sign-in-code"],
  ];
  for (const words of commands) await assert.rejects(run(env, ...words), /mistyped/, words.join(" "));
  assert.deepEqual(await readdir(folder), []);
});

test("OPS-5: every command refuses invalid settings as the server does", async () => {
  await assert.rejects(run({ PORT: "x" }, "config"), /- PORT must be/);
  await assert.rejects(run({ CLEW_PORT: "1" }, "tokens", "list"), /CLEW_PORT is not a setting/);
});

test("SIGN-8: config shows effective values and their sources, and no secrets", async (t) => {
  const file = join(await scratchFolder(t), "secret");
  await writeFile(file, "from-a-file-xyz\n");
  const key = Buffer.alloc(32, 7).toString("base64");
  const output = await run(
    {
      NOTION_CLIENT_ID: "public-id",
      NOTION_CLIENT_SECRET_FILE: file,
      NOTION_WEBHOOK_TOKEN: "webhook-abc",
      ENCRYPTION_KEY: key,
      PORT: "9000",
      SYNC_INTERVAL: "2h",
    },
    "config",
  );
  assert.match(output, /^PORT +9000 +the environment$/m);
  assert.match(output, /^PUBLIC_URL +http:\/\/localhost:9000\/ +default$/m);
  const callback = "http://localhost:9000/api/integrations/auth/provider/callback";
  assert.ok(output.endsWith(`Redirect URI for an OAuth app at Notion: ${callback}`), output);
  assert.match(output, /^SYNC_INTERVAL +7200s +the environment$/m);
  assert.match(output, new RegExp(`^NOTION_CLIENT_SECRET +\\(not shown\\) +${file}$`, "m"));
  for (const secret of ["from-a-file", "webhook-abc", key]) assert.ok(!output.includes(secret));
});
