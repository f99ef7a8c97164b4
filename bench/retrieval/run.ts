/**
 * Measures what agents get from Clew (README.md):
 *
 *     npm run bench retrieval -- mistakes | holes
 *     npm run bench retrieval -- compare | quick | parts <set, tuning or proof> …
 */
import { parseArgs } from "node:util";
import { compare } from "./compare.ts";
import { countHoles } from "./holes.ts";
import { countMistakes } from "./mistakes.ts";
import { measureParts } from "./parts.ts";
import { measureQuickly } from "./quick.ts";
import { setsNamed } from "./sets.ts";

const commands: Readonly<Record<string, (names: readonly string[]) => Promise<void>>> = {
  mistakes: countMistakes,
  holes: countHoles,
  compare: (names) => compare(setsNamed(names)),
  parts: (names) => measureParts(setsNamed(names)),
  quick: (names) => measureQuickly(setsNamed(names)),
};

const { positionals } = parseArgs({ allowPositionals: true });
const [name = "", ...rest] = positionals;
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  console.error(`usage: npm run bench retrieval -- ${Object.keys(commands).join(" | ")}`);
  process.exitCode = 2;
} else await command(rest);
