import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { programs } from "./programs.ts";

const root = join(import.meta.dirname, "..");

function call(...args: readonly string[]) {
  return spawnSync(process.execPath, [join(root, "scripts/run-program.ts"), ...args], { encoding: "utf8" });
}

test("every bench, campaign and packaging is a file, and every such file has a name", () => {
  const named = Object.values(programs).flatMap((each) => Object.values(each).map(({ file }) => file));
  const files = globSync(["bench/*/{run,backends}.ts", "test/**/*.campaign.ts", "packaging/*/build.ts"], {
    cwd: root,
  });
  assert.deepEqual(
    files.filter((file) => !named.includes(file)),
    [],
  );
  assert.deepEqual(
    named.filter((file) => globSync(file, { cwd: root }).length === 0),
    [],
  );
});

/** The commands in a document that name no script of package.json, or no program of a script that has several. */
function unknownCommands(document: string, scripts: object): string[] {
  // A command with -w is one of another package.
  const commands = document.matchAll(/npm run (?:-s )?([\w:-]+)(?![\w:-]| -w)(?: ([a-z][\w-]*))?/g);
  return [...commands].flatMap(([command, script = "", name]) => {
    const choices = programs[script];
    const isKnown = Object.hasOwn(scripts, script) && (!choices || !name || Object.hasOwn(choices, name));
    return isKnown ? [] : [command];
  });
}

test("documents name commands that exist", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
  const folders = "{docs,packages,bench,interop,test,deploy,clients}/**/*.md";
  const documents = globSync(["*.md", folders], {
    cwd: root,
    exclude: (path) => path.includes("node_modules"),
  });
  const unknown = documents.flatMap((file) =>
    unknownCommands(readFileSync(join(root, file), "utf8"), scripts).map((command) => `${file}: ${command}`),
  );
  assert.deepEqual(unknown, []);
  const planted = "`npm run docs`, `npm run bench:context`, `PAGES=9 npm run bench txt`";
  assert.deepEqual(unknownCommands(planted, scripts), ["npm run bench:context", "npm run bench txt"]);
});

test("npm run bench, campaign and package list their programs", () => {
  for (const [command, choices] of Object.entries(programs)) {
    const { status, stdout } = call(command);
    assert.equal(status, 0);
    for (const name of Object.keys(choices)) assert.match(stdout, new RegExp(`^  ${name} `, "m"));
  }
});

test("an unknown name is refused with the list, whatever an object has by itself", () => {
  for (const name of ["nonsense", "constructor"]) {
    const { status, stdout, stderr } = call("campaign", name);
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(stderr, new RegExp(`^There is no campaign ${name}\\.\n[^]*^  kill-sync `, "m"));
  }
});

test("a program gets its arguments, and its exit code is the command's", () => {
  const { status, stderr } = call("bench", "compare", "/there/is/no/checkout");
  assert.equal(status, 1);
  assert.match(stderr, /Name the folder of another checkout/);
});
