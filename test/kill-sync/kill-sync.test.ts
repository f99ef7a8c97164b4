import { test } from "node:test";
import { repetitions, runSeed } from "@clew/stand-in/testing/share";
import { runRound } from "./scenario.ts";

// A part of the campaign in `kill-sync.campaign.ts`.
const rounds = repetitions(1, 2);

test("SYNC-6: kill -9 at any moment of a sync loses nothing committed, and nothing is fetched twice", async (t) => {
  const seed = runSeed % 1_000_000;
  for (let round = 0; round < rounds; round += 1) {
    const report = await runRound(seed + round);
    t.diagnostic(`seed ${seed + round}: ${JSON.stringify(report)}`);
  }
});
