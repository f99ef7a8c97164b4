import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { programs } from "../../scripts/programs.ts";
import type { PlantedFault } from "./planted-faults.ts";

/** How a test that was given a fault ended. `otherwise` is a failure that does not say what the fault broke. */
export interface Verdict {
  readonly kind: "seen" | "not seen" | "otherwise";
  /** From the start to the end of the run. */
  readonly seconds: number;
  readonly output: string;
}

const root = join(import.meta.dirname, "../..");
const plant = pathToFileURL(join(import.meta.dirname, "plant.ts"));

/** Runs the test of a fault with the fault. */
export async function examine(fault: PlantedFault): Promise<Verdict> {
  const at = new URL(plant);
  const { file, changes } = fault;
  at.searchParams.set("fault", JSON.stringify({ file, changes }));
  const { exitCode, seconds, output } = await run(fault, [`--import=${at.href}`]);
  if (exitCode === 0) return { kind: "not seen", seconds, output };
  return { kind: fault.seen.test(output) ? "seen" : "otherwise", seconds, output };
}

/** Runs the test of a fault without the fault: it must pass, or its failure with the fault would say nothing. */
export async function passesWithout(fault: PlantedFault): Promise<boolean> {
  return (await run(fault, [])).exitCode === 0;
}

async function run({ by, testFile, variables = {} }: PlantedFault, options: readonly string[]) {
  const campaign = programs.campaign?.[by];
  const program = testFile ?? campaign?.file;
  if (program === undefined) throw new Error(`There is no campaign ${by}.`);
  const own = testFile === undefined ? (campaign?.nodeOptions ?? []) : ["--test", "--test-timeout=240000"];
  const nodeOptions = [process.env.NODE_OPTIONS ?? "", ...options].join(" ").trim();
  const start = performance.now();
  const child = spawn(process.execPath, [...own, program], {
    cwd: root,
    // Within a test, Node would skip the tests of a file: it takes them for a repetition.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: nodeOptions, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const seconds = Math.round((performance.now() - start) / 1_000);
  return { exitCode: child.exitCode, seconds, output: printed + errors };
}
