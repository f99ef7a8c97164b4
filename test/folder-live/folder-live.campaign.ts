import { runLiveEdits } from "./scenario.ts";

/**
 * Folders that are edited at random while a Clew runs over them and is ended by `kill -9` (SRC-2, GRAPH-11): `EDITS=1000 RUNS=1 SEED=1
 * npm run campaign folder-live`. Prints a line for each run, and one
 * for each tenth batch; the exit code is 1 if the graph, the changes feed or an id was wrong. A
 * seed decides the edits; at what moment they are seen depends on the machine.
 */
const runs = Number(process.env.RUNS ?? 1);
const edits = Number(process.env.EDITS ?? 1_000);
const files = Number(process.env.FILES ?? 40);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

for (let run = 0; run < runs; run += 1) {
  try {
    const report = await runLiveEdits(seed + run, {
      ...{ edits, files },
      onBatch: ({ batches, edits: made }) => {
        if (batches % 10 === 0) console.log(`seed ${seed + run}: ${batches} batches, ${made} edits`);
      },
    });
    console.log(`seed ${seed + run}: ${JSON.stringify(report)}`);
  } catch (error) {
    console.log(error);
    process.exitCode = 1;
  }
}
