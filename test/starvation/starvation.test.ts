import { test } from "node:test";
import { isSimulation } from "../../packages/server/src/store/testing/location.ts";
import { scratchLocation } from "../../packages/server/src/store/testing/scratch.ts";
import { playStarvation } from "./scenario.ts";

// A part of the campaign in `starvation.campaign.ts`, on smaller workspaces and a slower database.
test("SYNC-9: during long first syncs a new person can search titles within 10 s, and a small workspace is complete within 60 s", {
  skip: isSimulation,
}, async (t) => {
  const summary = await playStarvation({
    location: await scratchLocation(t),
    large: { count: 20, pages: 60 },
    small: { count: 12, pages: 35 },
    requestsPerMinute: 40,
    arrivalSeconds: 10,
    writeMs: 3,
  });
  t.diagnostic(JSON.stringify(summary));
});
