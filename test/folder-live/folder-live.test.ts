import { test } from "node:test";
import { runLiveEdits } from "./scenario.ts";

// A part of the campaign in `folder-live.campaign.ts`.

test("SRC-2, GRAPH-11: a Clew that is killed while its folder is edited shows what a fresh import shows, as does a copy from its changes feed", async (t) => {
  const seed = Date.now() % 1_000_000;
  t.diagnostic(`seed ${seed}: ${JSON.stringify(await runLiveEdits(seed, { edits: 12, files: 10 }))}`);
});
