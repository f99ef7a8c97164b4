import { test } from "node:test";
import { stageOf } from "../support/stage.ts";
import { runRound, runUndisturbed } from "./scenario.ts";

// A part of the campaign in `kill.campaign.ts`, on a smaller folder.
const rounds = 2;
const pages = 50;

test("OPS-6: kill -9 at any moment loses no token, revocation, session or page", async (t) => {
  const undisturbed = await runUndisturbed(await stageOf(t), pages);
  const seed = Date.now() % 1_000_000;
  for (let round = 0; round < rounds; round += 1) {
    const report = await runRound(seed + round, undisturbed);
    t.diagnostic(`seed ${seed + round}: ${JSON.stringify(report)}`);
  }
});
