import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { buildText, commitOf } from "../../packages/server/src/build.ts";
import { entry, stageApp } from "./app.ts";
import { compile } from "./compile.ts";
import { ownPlatform, productionPackages, stageDependencies } from "./dependencies.ts";
import { nodeOf } from "./node.ts";

const root = join(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly version: string;
};

/** A stage with its dependencies, and Clew's own packages once more. */
let stage: string;
let again: string;

before(() => {
  [stage, again] = [mkdtempSync(join(tmpdir(), "clew-stage-")), mkdtempSync(join(tmpdir(), "clew-stage-"))];
  stageApp(stage);
  stageApp(again);
});
after(() => {
  for (const folder of [stage, again]) rmSync(folder, { recursive: true });
});

/** The paths of the files below a folder. */
function filesIn(folder: string): string[] {
  const entries = globSync("**", { cwd: folder, withFileTypes: true }).filter((each) => each.isFile());
  return entries.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort();
}

function digestsIn(folder: string): ReadonlyMap<string, string> {
  const digest = (file: string) =>
    createHash("sha256")
      .update(readFileSync(join(folder, file)))
      .digest("hex");
  return new Map(filesIn(folder).map((file) => [file, digest(file)]));
}

/** Statements that load the third-party code that no import at the beginning of a module loads. */
const loadedLater = [
  'import { countTokens } from "./node_modules/@clew/server/src/model/tokens.js"; countTokens("word");',
  'import pretty from "pino-pretty"; pretty();',
  'import Database from "better-sqlite3"; new Database(":memory:").close();',
];

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
  for (const use of [
    'const a =\n "./worker.ts";',
    ["const a =\n `$", "{b}.ts`;"].join(""),
    'new URL(\n"a.ts", base);',
  ])
    assert.throws(() => compile("x.ts", use), /x\.ts:2 names a \.ts file/);
});

test("OPS-10: the stage has what runs and nothing else, and the same sources give the same bytes", (t) => {
  assert.deepEqual(digestsIn(again), digestsIn(stage));
  const platform = ownPlatform ?? "linux-x64";
  stageDependencies(stage, platform);
  const files = filesIn(stage);
  const ours = files.filter((file) => /^node_modules\/@clew\/[^/]+\/(?!dist|node_modules)/.test(file));
  const named = ours.filter((file) => /\.ts["'`]/.test(readFileSync(join(stage, file), "utf8")));
  assert.deepEqual(named, []);
  const unneeded = files.filter((file) => /\.([cm]?tsx?|map)$|\.test\.|\/testing\//.test(file));
  assert.deepEqual(unneeded, []);
  assert.deepEqual(
    files.filter((file) => file.endsWith(".node")),
    [`node_modules/better-sqlite3/prebuilds/${platform}.node`],
  );
  const licensed = files.filter((file) => /\/(LICEN[CS]E|COPYING)/i.test(file));
  assert.ok(licensed.length >= productionPackages().size * 0.9, `only ${licensed.length} licences`);
  if (ownPlatform === null) return t.diagnostic("There is no Node of this platform to run it with.");
  // A thread or a process begins with one of these: importing them would start it.
  const modules = ours.filter((file) => file.endsWith(".js") && !/(main|worker)\.js$/.test(file));
  assert.ok(modules.length > 500, `only ${modules.length} modules`);
  const program = [...modules.map((file) => `import "./${file}";`), ...loadedLater];
  writeFileSync(join(stage, "all.js"), program.join("\n"));
  const { binary } = nodeOf(ownPlatform);
  // It finds no git on the way.
  const run = (file: string) =>
    execFileSync(binary, [file, "--version"], { cwd: stage, env: {}, encoding: "utf8" });
  run("all.js");
  assert.equal(run(entry), `${buildText({ version, commit: commitOf(root) })}\n`);
});
