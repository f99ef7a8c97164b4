import { examine, passesWithout } from "./examine.ts";
import { plantedFaults } from "./planted-faults.ts";

/**
 * Gives tests and campaigns the faults of `planted-faults.ts`, one at a time, and says which they see: `npm run campaign planted`. ONLY names
 * tests, separated by commas. Each must pass without the fault first. The exit code is 1 if a fault was not seen, or if a test failed for
 * another reason.
 */
const only = process.env.ONLY?.split(",");

/** Lines of a failure that are printed. */
const shownLines = 30;

const faults = plantedFaults.filter(({ by }) => only === undefined || only.includes(by));
const lines: string[] = [];
/** Whether each run passed without a fault, by its program and variables. */
const passed = new Map<string, boolean>();
for (const fault of faults) {
  const { by, name, testFile, variables } = fault;
  const key = JSON.stringify([by, testFile, variables]);
  const passes = passed.get(key) ?? (await passesWithout(fault));
  passed.set(key, passes);
  const { kind, seconds, output } = await examine(fault);
  const isRight = passes && kind === "seen";
  lines.push(
    `${isRight ? "✔" : "✖"} ${by}: ${name}: ${passes ? kind : "fails without the fault too"}, ${seconds} s`,
  );
  console.log(lines.at(-1));
  if (isRight) continue;
  console.log(output.split("\n").slice(-shownLines).join("\n"));
  process.exitCode = 1;
}
console.log(`\n${lines.join("\n")}`);
