import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";

/** Stands for Clew's main module: says what the launcher gave it, and waits for a signal if it is asked to. */
const main = `
const { argv, execPath, env } = process;
const { MALLOC_MMAP_THRESHOLD_, NODE_COMPILE_CACHE, PACKAGED_DATA_DIR } = env;
process.stdout.write(JSON.stringify({ args: argv.slice(2), execPath, MALLOC_MMAP_THRESHOLD_, NODE_COMPILE_CACHE, PACKAGED_DATA_DIR }));
if (argv[2] === "serve") {
  const timer = setInterval(() => {}, 1000);
  process.once("SIGTERM", () => { clearInterval(timer); process.exitCode = 7; });
  process.stderr.write("ready");
} else process.exitCode = 3;
`;

/** Changes that make this Node look like another one to the launcher. */
const pretences = {
  old: 'Object.defineProperty(process.versions, "node", { value: "20.20.2" }); delete process.execve;',
  withoutExecve: "delete process.execve;",
  musl: "const report = process.report.getReport(); delete report.header.glibcVersionRuntime; process.report.getReport = () => report;",
};

/** The exit code of what stands for the platform's Node. */
const packagedStatus = 9;

/** The launcher as installed, with the package of the platform's Node or without. */
function installed(t: TestContext, { withNode }: { readonly withNode: boolean }) {
  const folder = mkdtempSync(join(tmpdir(), "clew-launcher-"));
  t.after(() => rmSync(folder, { recursive: true }));
  copyFileSync(join(import.meta.dirname, "clew.cjs"), join(folder, "clew.cjs"));
  const mainFile = join(folder, "node_modules/@clew/server/src/main.js");
  mkdirSync(dirname(mainFile), { recursive: true });
  writeFileSync(mainFile, main);
  if (withNode) {
    const packaged = join(folder, `node_modules/node-${process.platform}-${process.arch}`);
    mkdirSync(packaged);
    writeFileSync(join(packaged, "package.json"), '{"bin":{"node":"node"}}');
    writeFileSync(join(packaged, "node"), `#!/bin/sh\nexit ${packagedStatus}\n`, { mode: 0o755 });
  }
  const preload = join(folder, "pretence.cjs");
  return {
    folder,
    /** The words that run the launcher under a pretended Node. */
    words(pretence?: keyof typeof pretences): string[] {
      writeFileSync(preload, pretence === undefined ? "" : pretences[pretence]);
      return ["--require", preload, join(folder, "clew.cjs")];
    },
  };
}

const env = { HOME: "/home/somebody" };

for (const pretence of [undefined, "withoutExecve"] as const) {
  const how = pretence === undefined ? "in its place" : "beside it";
  test(`OPS-10: the npm package's launcher runs Clew ${how}, with arguments, exit code and a data folder`, (t) => {
    const { folder, words } = installed(t, { withNode: false });
    const { status, stdout } = spawnSync(process.execPath, [...words(pretence), "search", "a b"], { env });
    assert.equal(status, 3);
    assert.deepEqual(JSON.parse(String(stdout)), {
      args: ["search", "a b"],
      execPath: process.execPath,
      MALLOC_MMAP_THRESHOLD_: "73728",
      NODE_COMPILE_CACHE: join(folder, ".cache/compiled"),
      PACKAGED_DATA_DIR: "/home/somebody/.local/state/clew",
    });
  });

  test(`OPS-3: the npm package's launcher that runs Clew ${how} hands on SIGTERM and the exit code`, async (t) => {
    const { words } = installed(t, { withNode: false });
    const child = spawn(process.execPath, [...words(pretence), "serve"], { env });
    await once(child.stderr, "data");
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    assert.equal(code, 7);
  });
}

test("OPS-10: the npm package's launcher prefers the platform's Node, and needs it if the running one is old", (t) => {
  const withNode = installed(t, { withNode: true });
  assert.equal(spawnSync(process.execPath, withNode.words(), { env }).status, packagedStatus);
  assert.equal(spawnSync(process.execPath, withNode.words("old"), { env }).status, packagedStatus);
  // The packaged one needs glibc.
  assert.equal(spawnSync(process.execPath, withNode.words("musl"), { env }).status, 3);
  const without = installed(t, { withNode: false });
  const refused = spawnSync(process.execPath, without.words("old"), { env, encoding: "utf8" });
  assert.deepEqual([refused.status, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /^Clew needs Node 22\.18 or newer, and this is 20\.20\.2: .*\n$/);
});

test("OPS-10: the npm package's launcher leaves what the environment says, and reads XDG_STATE_HOME", (t) => {
  const { words } = installed(t, { withNode: false });
  const run = (more: Readonly<Record<string, string>>) =>
    JSON.parse(String(spawnSync(process.execPath, words(), { env: { ...env, ...more } }).stdout));
  assert.equal(run({ MALLOC_MMAP_THRESHOLD_: "65536" }).MALLOC_MMAP_THRESHOLD_, "65536");
  assert.equal(run({ NODE_COMPILE_CACHE: "" }).NODE_COMPILE_CACHE, "");
  assert.equal(run({ XDG_STATE_HOME: "/state" }).PACKAGED_DATA_DIR, "/state/clew");
  // Relative paths are invalid (XDG Base Directory Specification, Basics).
  assert.equal(run({ XDG_STATE_HOME: "state" }).PACKAGED_DATA_DIR, "/home/somebody/.local/state/clew");
});
