import { test } from "node:test";
import { runSeed } from "@clew/stand-in/testing/share";
import { runEdits } from "./scenario.ts";

// A part of the campaign in `folder-edits.campaign.ts`.

test("SRC-2: a folder that is edited at random, while what watches it is killed, is shown as a fresh import shows it", async (t) => {
  const seed = runSeed % 1_000_000;
  t.diagnostic(`seed ${seed}: ${JSON.stringify(await runEdits(seed, { edits: 60, files: 30 }))}`);
});
