/**
 * Measures what agents get from Clew (README.md):
 *
 *     npm run bench retrieval -- mistakes | holes
 *     npm run bench retrieval -- quick <set, tuning or proof> …
 */
import { parseArgs } from "node:util";
import { countHoles } from "./holes.ts";
import { countMistakes } from "./mistakes.ts";
import { measureQuickly } from "./quick.ts";
import { setsNamed } from "./sets.ts";

const commands: Readonly<Record<string, (names: readonly string[]) => Promise<void>>> = {
  mistakes: countMistakes,
  holes: countHoles,
  quick: (names) => measureQuickly(setsNamed(names)),
};

const { positionals } = parseArgs({ allowPositionals: true });
const [name = "", ...rest] = positionals;
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  console.error(`usage: npm run bench retrieval -- ${Object.keys(commands).join(" | ")}`);
  process.exitCode = 2;
} else await command(rest);
