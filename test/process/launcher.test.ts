import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import manifest from "../../packages/server/package.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");
const launcher = join(root, "bin/clew");

/** A link to the launcher in another folder. */
async function link(t: TestContext): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "clew launcher "));
  t.after(() => rm(folder, { recursive: true }));
  await symlink(launcher, join(folder, "first"));
  await symlink("first", join(folder, "clew"));
  return { folder, path: join(folder, "clew") };
}

/** Tools of the shell, and whatever Node the system has, which may be too old. */
const PATH = "/usr/bin:/bin";

test("OPS-7: bin/clew runs through links, from any folder, with the Node that Clew brings", async (t) => {
  const { folder, path } = await link(t);
  const { stdout, stderr } = await promisify(execFile)(path, ["--version"], { cwd: folder, env: { PATH } });
  assert.deepEqual([stdout.trim().split(" ")[0], stderr], [manifest.version, ""]);
  const refused = await promisify(execFile)(path, ["search"], { cwd: folder, env: { PATH } }).catch(
    (error: { readonly code: number }) => error.code,
  );
  assert.equal(refused, 2);
});

for (const { name, what, standard, other } of [
  {
    name: "MALLOC_MMAP_THRESHOLD_",
    what: "has glibc return the memory of builds",
    standard: "73728",
    other: "65536",
  },
  {
    name: "NODE_COMPILE_CACHE",
    what: "has Node keep compiled code",
    standard: join(root, "node_modules/.cache/compiled"),
    other: "",
  },
]) {
  test(`OPS-7: bin/clew ${what}, unless the environment says otherwise`, async (t) => {
    const { folder, path } = await link(t);
    const shows = `data:text/javascript,console.error('is:'+process.env.${name})`;
    const valueWith = async (env: Readonly<Record<string, string>>) => {
      const given = { PATH, NODE_OPTIONS: `--import ${shows}`, ...env };
      const { stderr } = await promisify(execFile)(path, ["--version"], { cwd: folder, env: given });
      return stderr.trim();
    };
    assert.equal(await valueWith({}), `is:${standard}`);
    assert.equal(await valueWith({ [name]: other }), `is:${other}`);
  });
}
