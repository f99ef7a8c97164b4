import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { freePort, main, type Settings, withoutSettings } from "../support/clew-process.ts";

const isRoot = process.getuid?.() === 0;

/** The user of the processes below, who owns nothing: nobody, or this process's own if it is not root. */
const user = isRoot
  ? { uid: 65_534, gid: 65_534 }
  : { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
const name =
  spawnSync("id", ["-un", String(user.uid)], { encoding: "utf8" }).stdout.trim() || String(user.uid);

const skip =
  spawnSync(process.execPath, ["--version"], user).status !== 0 ||
  spawnSync("test", ["-r", main], user).status !== 0
    ? "other users cannot read this checkout"
    : false;

/** A folder that everyone can look into, with a folder in it that `user` may not write. */
async function foreignFolder(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), "clew-data "));
  await chmod(root, 0o755);
  const folder = join(root, "it's root's");
  await mkdir(folder);
  await chmod(folder, isRoot ? 0o755 : 0o555);
  t.after(async () => {
    await chmod(folder, 0o755);
    await rm(root, { recursive: true });
  });
  return { root, folder };
}

/** Runs a command as `user`, and returns what it says. Fails unless it ends with this exit code and without a stack trace. */
function run(
  words: readonly string[],
  { cwd = "/", code = 2, prefix = [] as readonly string[] },
  settings: Settings,
) {
  const [command = "", ...args] = [...prefix, process.execPath, main, ...words];
  const env = { ...withoutSettings, ...settings };
  const ended = spawnSync(command, args, { cwd, env, encoding: "utf8", ...(prefix.length === 0 && user) });
  assert.equal(ended.status, code, ended.stderr);
  assert.doesNotMatch(ended.stderr, /^ +at /m);
  return ended.stderr;
}

test("OPS-5: a DATA_DIR that cannot be written is named with its owner, and the commands shown mend it", {
  skip,
}, async (t) => {
  const { folder } = await foreignFolder(t);
  const settings = { DATA_DIR: folder, PORT: String(await freePort()) };
  const owner = isRoot ? "root \\(mode 755\\)" : `${name} \\(mode 555\\)`;
  let said = "";
  for (const command of ["serve", "migrate"]) {
    said = run([command], {}, settings);
    assert.match(
      said,
      new RegExp(
        `  - DATA_DIR is ${folder}, and cannot be written: it belongs to ${owner}, and Clew runs as ${name}\\.`,
      ),
    );
  }
  assert.deepEqual(await readdir(folder), []);
  const commands = [...said.matchAll(/^ +sudo (.+)$/gm)].map(([, command = ""]) => command);
  assert.equal(commands.length, 2);
  for (const command of commands) execFileSync("sh", ["-ec", command]);
  run(["migrate"], { code: 0 }, settings);
  assert.ok((await readdir(folder)).includes("clew.db"));
});

test("OPS-5: a DATA_DIR that is a file, or below one, is named", { skip }, async (t) => {
  const { root } = await foreignFolder(t);
  const file = join(root, "file");
  await writeFile(file, "");
  for (const words of [["serve"], ["users", "list"]])
    assert.match(
      run(words, {}, { DATA_DIR: file }),
      /DATA_DIR is .*file, which is a file: .* set DATA_DIR to a folder$/m,
    );
  assert.match(run(["migrate"], {}, { DATA_DIR: join(file, "data") }), /data, and .*file is a file: /);
});

test("OPS-5: in a checkout that cannot be written, Clew asks for a DATA_DIR, and the commands shown make one", {
  skip,
}, async (t) => {
  const { folder } = await foreignFolder(t);
  const said = run(["serve"], { cwd: folder }, { PORT: String(await freePort()) });
  assert.match(
    said,
    /data, and cannot be created: .*'s belongs to .*\. Set DATA_DIR to a folder that .* can write, or run:$/m,
  );
  assert.deepEqual(await readdir(folder), []);
  if (!isRoot) return;
  for (const [, command = ""] of said.matchAll(/^ +sudo (.+)$/gm)) execFileSync("sh", ["-ec", command]);
  run(["migrate"], { cwd: folder, code: 0 }, {});
});

const mounts = ["unshare", "--mount", "sh", "-ec", 'mount -t tmpfs -o ro tmpfs "$0"; cd "$0"; exec "$@"'];

test("OPS-5: on a read-only file system, Clew asks for a DATA_DIR", {
  skip:
    spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", tmpdir()]).status !== 0 &&
    "it cannot mount",
}, async (t) => {
  const { folder } = await foreignFolder(t);
  for (const settings of [{}, { DATA_DIR: folder }]) {
    const said = run(["serve"], { prefix: [...mounts, folder] }, settings);
    assert.match(said, /where the file system is read-only: set DATA_DIR to a folder that Clew can write$/m);
  }
});

test("OPS-7: a command of a user who may not look into DATA_DIR does not say that there is no database", {
  skip,
}, async (t) => {
  const { folder } = await foreignFolder(t);
  await chmod(folder, isRoot ? 0o700 : 0o000);
  for (const command of [["tokens", "list"], ["backup", "/tmp/none.db"], ["verify"]])
    assert.match(
      run(command, {}, { DATA_DIR: folder }),
      /cannot be written: it belongs to /,
      command.join(" "),
    );
});

test("OPS-7: a file that cannot be opened is named without a stack trace", { skip }, async (t) => {
  const { folder } = await foreignFolder(t);
  await chmod(folder, 0o755);
  await chown(folder, user.uid, user.gid);
  const settings = { DATA_DIR: folder, PORT: String(await freePort()) };
  run(["migrate"], { code: 0 }, settings);
  const key = join(folder, "encryption.key");
  await writeFile(key, "", { mode: 0o000 });
  assert.match(run(["serve"], {}, settings), /^Cannot open .*encryption\.key: permission denied\.$/m);
});
