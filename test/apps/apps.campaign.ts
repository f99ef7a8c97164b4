import fc from "fast-check";
import { AppScenario, arbitrarySteps } from "../../packages/server/src/auth/testing/app-scenario.ts";

/**
 * Codes and tokens of connected apps under any order of what people and programs do: the property of
 * packages/server/src/auth/apps/interleaving.test.ts, for longer. On PostgreSQL with TEST_DATABASE_URL.
 */
const runs = Number(process.env.RUNS ?? 500);
const seed = Number(process.env.SEED ?? Date.now() % 0xffff_ffff);
let given = 0;
let late = 0;
let killed = 0;
let taken = 0;

console.log(`seed ${seed}, ${runs} runs`);
await fc.assert(
  fc.asyncProperty(arbitrarySteps(120), async (batches) => {
    const ends: (() => unknown)[] = [];
    const scenario = await AppScenario.open({ after: (end) => void ends.push(end as () => unknown) });
    try {
      for (const steps of batches) await scenario.take(steps);
    } finally {
      for (const end of ends.reverse()) await end();
    }
    given += scenario.given;
    late += scenario.late;
    killed += scenario.killed;
    taken += batches.flat().length;
  }),
  { numRuns: runs, seed },
);
if (given < runs) throw new Error(`only ${given} codes gave a token`);
if (late < runs) throw new Error(`only ${late} codes were late`);
if (killed < runs) throw new Error(`only ${killed} instances were killed`);
console.log(
  `${taken} steps, ${given} codes gave a token, ${late} were late, ${killed} instances were killed: nothing that must not happen did`,
);
