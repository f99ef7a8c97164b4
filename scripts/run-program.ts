import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Program, programs } from "./programs.ts";
import { beginResult } from "./results/results.ts";

// `npm run bench`, `npm run campaign` and `npm run package`: each runs one of its programs by name, or lists them. With
// RECORD=1 the end of what it prints is kept beside the program, with the day, the machine and the commit.
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

async function run(program: Program): Promise<number> {
  const { file, nodeOptions = [], needs } = program;
  if (needs !== undefined && !existsSync(join(root, needs, "node_modules"))) {
    const { status } = spawnSync("npm", ["install", "--no-save", "--prefix", needs], inRoot);
    if (status !== 0) return status ?? 1;
  }
  const command = [...nodeOptions, file, ...args];
  if (process.env.RECORD !== "1") return spawnSync(process.execPath, command, inRoot).status ?? 1;
  return await runAndKeep(program, command);
}

/** Runs a program, shows what it prints, and keeps the result. */
async function runAndKeep(
  { file, variables = [] }: Program,
  nodeArguments: readonly string[],
): Promise<number> {
  const set = variables.flatMap((each) =>
    process.env[each] === undefined ? [] : `${each}=${process.env[each]}`,
  );
  const given = args.length === 0 ? [] : ["--", ...args];
  const keep = beginResult(file, [...set, `npm run ${command} ${name}`, ...given].join(" "));
  const child = spawn(process.execPath, nodeArguments, { cwd: root, stdio: ["inherit", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  await once(child, "close");
  const exitCode = child.exitCode ?? 1;
  keep(output, exitCode);
  return exitCode;
}

const inRoot = { cwd: root, stdio: "inherit" } as const;
const program = name === undefined || !Object.hasOwn(choices, name) ? undefined : choices[name];
if (program !== undefined) process.exitCode = await run(program);
else if (name === undefined) console.log(list());
else {
  console.error(`There is no ${command} ${name}.\n${list()}`);
  process.exitCode = 2;
}
