import { runEdits } from "./scenario.ts";

/**
 * Folders that are edited at random while a process watches them and is ended by `kill -9` (SRC-2): `EDITS=1000 RUNS=1 SEED=1
 * npm run campaign folder-edits`. Prints a line for each run; the exit code is 1 if what was shown, what was told of changes,
 * or an id was wrong. A seed decides the edits; at what moment they are seen depends on the machine.
 */
const runs = Number(process.env.RUNS ?? 1);
const edits = Number(process.env.EDITS ?? 1_000);
const files = Number(process.env.FILES ?? 60);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

for (let run = 0; run < runs; run += 1) {
  try {
    console.log(`seed ${seed + run}: ${JSON.stringify(await runEdits(seed + run, { edits, files }))}`);
  } catch (error) {
    console.log(error);
    process.exitCode = 1;
  }
}
