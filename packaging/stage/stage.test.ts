import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { stageApp } from "./app.ts";
import { compile } from "./compile.ts";
import { productionPackages, stageDependencies } from "./dependencies.ts";

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "clew-stage-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The files below a folder, with the digests of their bytes. */
function digestsIn(folder: string): ReadonlyMap<string, string> {
  const files = globSync("**", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
  return new Map(files.sort().map((file) => [file.slice(folder.length + 1), digest(file)]));
}

test("OPS-10: a staged module loads JavaScript, at the lines and columns of its source", () => {
  const source = [
    'import type { A } from "./a.ts";',
    'import { b, type B } from "../b.ts"; export * from "./c.ts"; export { d } from \'./d.ts\';',
    'const sign: string = "😀 .ts "; const e = (await import("./e.ts")).e as B;',
    'new Worker(new URL("./f-worker.ts", import.meta.url)); // "./comment.ts"',
    'import g from "./g.json" with { type: "json" };',
  ].join("\n");
  const { code, loaded } = compile("x.ts", source);
  assert.deepEqual([...loaded].sort(), [
    "../b.ts",
    "./c.ts",
    "./d.ts",
    "./e.ts",
    "./f-worker.ts",
    "./g.json",
  ]);
  const [first, second, ...rest] = code.split("\n");
  assert.equal(first?.trim(), "");
  assert.equal(
    second,
    'import { b,        } from "../b.js"; export * from "./c.js"; export { d } from \'./d.js\';',
  );
  assert.deepEqual(rest, [
    'const sign         = "😀 .ts "; const e = (await import("./e.js")).e     ;',
    'new Worker(new URL("./f-worker.js", import.meta.url)); // "./comment.ts"',
    'import g from "./g.json" with { type: "json" };',
  ]);
});

test("OPS-10: a name of a .ts file that would not be there at run time is refused", () => {
  for (const use of ['const a =\n "./worker.ts";', "const a =\n `${b}.ts`;", 'new URL(\n"a.ts", base);'])
    assert.throws(() => compile("x.ts", use), /x\.ts:2 names a \.ts file/);
});

test("OPS-10: the stage has what runs and nothing else, and the same sources give the same bytes", (t) => {
  const [one, other] = [temporaryFolder(t), temporaryFolder(t)];
  stageApp(one);
  stageDependencies(one, "linux-x64");
  stageApp(other);
  stageDependencies(other, "linux-x64");
  const digests = digestsIn(one);
  assert.deepEqual(digestsIn(other), digests);
  const files = [...digests.keys()];
  const ours = files.filter(
    (file) => file.startsWith("node_modules/@clew/") && !/\/(dist|node_modules)\//.test(file),
  );
  const named = ours.filter((file) => /\.ts["'`]/.test(readFileSync(join(one, file), "utf8")));
  assert.deepEqual(named, []);
  const unneeded = files.filter((file) => /\.([cm]?tsx?|map)$|\.test\.|\/testing\//.test(file));
  assert.deepEqual(unneeded, []);
  assert.deepEqual(
    files.filter((file) => file.endsWith(".node")),
    ["node_modules/better-sqlite3/prebuilds/linux-x64.node"],
  );
  const licensed = files.filter((file) => /\/(LICEN[CS]E|COPYING)/i.test(file));
  assert.ok(licensed.length >= productionPackages().size * 0.9, `only ${licensed.length} licences`);
});
