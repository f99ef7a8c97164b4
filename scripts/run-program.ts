import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Program, programs } from "./programs.ts";

// `npm run bench`, `npm run campaign` and `npm run package`: each runs one of its programs by name, or lists them.
const root = join(import.meta.dirname, "..");
const [command = "", name, ...args] = process.argv.slice(2);
const choices = programs[command];
if (choices === undefined) throw new Error(`Use one of ${Object.keys(programs).join(", ")}, not ${command}.`);

function list(): string {
  const width = Math.max(...Object.keys(choices ?? {}).map((each) => each.length));
  const lines = Object.entries(choices ?? {}).map(([each, { help, variables = [] }]) => {
    const suffix = variables.length === 0 ? "" : ` (${variables.join(", ")})`;
    return `  ${each.padEnd(width)}  ${help}${suffix}`;
  });
  return `npm run ${command} <name> [-- <arguments>], with variables of the environment in parentheses:\n${lines.join("\n")}`;
}

function run({ file, nodeOptions = [], needs }: Program): number {
  if (needs !== undefined && !existsSync(join(root, needs, "node_modules"))) {
    const { status } = spawnSync("npm", ["install", "--no-save", "--prefix", needs], inRoot);
    if (status !== 0) return status ?? 1;
  }
  return spawnSync(process.execPath, [...nodeOptions, file, ...args], inRoot).status ?? 1;
}

const inRoot = { cwd: root, stdio: "inherit" } as const;
const program = name === undefined || !Object.hasOwn(choices, name) ? undefined : choices[name];
if (program !== undefined) process.exitCode = run(program);
else if (name === undefined) console.log(list());
else {
  console.error(`There is no ${command} ${name}.\n${list()}`);
  process.exitCode = 2;
}
