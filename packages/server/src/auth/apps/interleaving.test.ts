import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AppScenario, arbitrarySteps } from "../testing/app-scenario.ts";

test("APP-4, TOK-6, TOK-8: whatever happens at the same time, no code serves twice, no token outlives its end, and ten places are all", async (t) => {
  let given = 0;
  let late = 0;
  let killed = 0;
  let fullest = 0;
  await fc.assert(
    fc.asyncProperty(arbitrarySteps(40), async (batches) => {
      const scenario = await AppScenario.open(t);
      for (const steps of batches) await scenario.take(steps);
      given += scenario.given;
      late += scenario.late;
      killed += scenario.killed;
      fullest = Math.max(fullest, scenario.fullest);
    }),
    { numRuns: 8, seed: 2031, endOnFailure: true },
  );
  assert.ok(given > 10, `only ${given} codes gave a token`);
  assert.ok(late > 2, `only ${late} codes were late`);
  assert.ok(killed > 2, `only ${killed} instances were killed`);
  assert.equal(fullest, 10, "the limit was reached");
});
