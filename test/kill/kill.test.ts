import { test } from "node:test";
import { runSeed } from "@clew/stand-in/testing/share";
import { stageOf } from "../support/stage.ts";
import { runRound, runUndisturbed } from "./scenario.ts";

// A round of the campaign in `kill.campaign.ts`, with two kills, on a smaller folder.
const pages = 50;

test("OPS-6: kill -9 at any moment loses no token, revocation, session or page", async (t) => {
  const undisturbed = await runUndisturbed(await stageOf(t), pages);
  const seed = runSeed % 1_000_000;
  const report = await runRound(seed, undisturbed);
  t.diagnostic(`seed ${seed}: ${JSON.stringify(report)}`);
});
