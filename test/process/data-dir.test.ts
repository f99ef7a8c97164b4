import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { freePort } from "../support/clew-process.ts";
import {
  isRoot,
  unprivilegedName as name,
  runUnprivileged as run,
  skipUnprivileged as skip,
  unprivileged as user,
} from "../support/unprivileged.ts";

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

const cannotMount =
  spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", tmpdir()]).status !== 0 &&
  "it cannot mount";

const mounts = ["unshare", "--mount", "sh", "-ec", 'mount -t tmpfs -o ro tmpfs "$0"; cd "$0"; exec "$@"'];

test("OPS-5: on a read-only file system, Clew asks for a DATA_DIR", {
  skip: cannotMount,
}, async (t) => {
  const { folder } = await foreignFolder(t);
  for (const settings of [{}, { DATA_DIR: folder }]) {
    const said = run(["serve"], { prefix: [...mounts, folder] }, settings);
    assert.match(said, /where the file system is read-only: set DATA_DIR to a folder that Clew can write$/m);
  }
});

test("OPS-5: in a container, Clew says what helps there", {
  skip: skip || cannotMount,
}, async (t) => {
  const { folder } = await foreignFolder(t);
  await chown(folder, 1234, 5678);
  const { uid, gid } = user;
  const container = [
    ...["unshare", "--mount", "sh", "-ec"],
    `mount -t tmpfs tmpfs /run; touch /run/.containerenv; exec setpriv --reuid=${uid} --regid=${gid} --clear-groups "$@"`,
    "sh",
  ];
  const said = run(["serve"], { prefix: container }, { DATA_DIR: folder });
  assert.match(said, new RegExp(`^ +sudo chown -R ${uid} '`, "m"));
  assert.match(said, /^ +In a container: mount a named volume there, .* \(--user 1234:5678\)\.$/m);
});

/** Runs commands on a disk of this size, which ends with them. */
const onDisk = (size: string, script: string, folder: string) => [
  ...["unshare", "--mount", "sh", "-ec"],
  `mount -t tmpfs -o size=${size} tmpfs "$0"; ${script} exec "$@"`,
  folder,
];

test("OPS-7: a full disk is named with its size, and Clew may be started again", {
  skip: cannotMount,
}, async (t) => {
  const { folder } = await foreignFolder(t);
  const said = run(["migrate"], { prefix: onDisk("100k", "", folder), code: 4 }, { DATA_DIR: folder });
  assert.match(
    said,
    /^The disk of .*clew\.db is full: 0 MB of 0 MB are free\. Free some space, or move DATA_DIR/m,
  );
});

test("OPS-9: on a full disk, Clew opens its database with the reserve", { skip: cannotMount }, async (t) => {
  const { folder } = await foreignFolder(t);
  // As after a crash on a full disk: the database has no side files, and a file of others has taken the rest.
  const fill =
    '"$@" >/dev/null; head -c 8000000 /dev/zero >"$0/clew.db.reserve"; cat /dev/zero >"$0/other" 2>/dev/null || true;';
  run(["migrate"], { prefix: onDisk("16m", fill, folder), code: 0 }, { DATA_DIR: folder });
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
  assert.match(
    run(["serve"], { code: 3 }, settings),
    /^The key file .*encryption\.key cannot be read: it belongs to \w+ \(mode 000\), and Clew runs as \w+\. Run `.*encryption\.key'`\.$/m,
  );
});
