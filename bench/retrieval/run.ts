/**
 * Measures what agents get from Clew (README.md):
 *
 *     npm run bench retrieval -- mistakes
 *     npm run bench retrieval -- holes
 */
import { parseArgs } from "node:util";
import { countHoles, holesFolder } from "./holes.ts";
import { countMistakes } from "./mistakes.ts";
import { type MeasuredClew, openClew } from "./served.ts";

interface Set {
  /** The folder that Clew serves; by default the demo workspace. */
  readonly folder?: string;
  readonly measure: (clew: MeasuredClew) => Promise<void>;
}

const sets: Readonly<Record<string, Set>> = {
  mistakes: { measure: countMistakes },
  holes: { folder: holesFolder, measure: countHoles },
};

const { positionals } = parseArgs({ allowPositionals: true });
const [name = ""] = positionals;
const set = Object.hasOwn(sets, name) ? sets[name] : undefined;
if (set === undefined) {
  console.error(`usage: npm run bench retrieval -- ${Object.keys(sets).join(" | ")}`);
  process.exitCode = 2;
} else {
  const clew = await openClew(set.folder);
  try {
    await set.measure(clew);
  } finally {
    await clew.close();
  }
}
