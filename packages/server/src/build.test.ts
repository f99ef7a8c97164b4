import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { buildText, commitOf, readBuild } from "./build.ts";

const skip = spawnSync("git", ["--version"]).status === 0 ? false : "git is not installed";

/** A folder like a checkout's, with a commit if `isClone`. */
function checkout(t: TestContext, { isClone }: { readonly isClone: boolean }) {
  const folder = mkdtempSync(join(tmpdir(), "clew-build-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const packageFolder = join(folder, "packages/server");
  mkdirSync(packageFolder, { recursive: true });
  if (!isClone) return { folder, packageFolder, head: null };
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=x", "-c", "user.email=x@example.org", ...words], {
      encoding: "utf8",
      stdio: "pipe",
    });
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "first");
  return { folder, packageFolder, head: git("log", "-1", "--format=%H").trim() };
}

test("OPS-7: the build of a clone is its commit", { skip }, (t) => {
  const { packageFolder, head } = checkout(t, { isClone: true });
  const build = readBuild(packageFolder);
  assert.equal(build.commit, head);
  assert.equal(buildText(build), `${build.version} (commit ${head})`);
});

test("OPS-7: a packaged build is what its build.json says, also inside another repository", { skip }, (t) => {
  const { folder, packageFolder } = checkout(t, { isClone: true });
  for (const commit of ["f".repeat(40), null]) {
    writeFileSync(join(packageFolder, "build.json"), JSON.stringify({ commit }));
    assert.equal(readBuild(packageFolder).commit, commit);
  }
  const inside = join(folder, "node_modules/clew");
  mkdirSync(inside, { recursive: true });
  assert.equal(commitOf(inside), null);
  // Not a repository either: git must not go on to the one around it.
  mkdirSync(join(inside, ".git"));
  assert.equal(commitOf(inside), null);
});

test("OPS-7: without git the build has no commit", (t) => {
  const { packageFolder } = checkout(t, { isClone: false });
  const build = readBuild(packageFolder);
  assert.equal(build.commit, null);
  assert.equal(buildText(build), build.version);
});
