import { test } from "node:test";
import { onPostgres } from "../../packages/server/src/store/testing/location.ts";
import { scratchLocation } from "../../packages/server/src/store/testing/scratch.ts";
import { playStarvation } from "./scenario.ts";

// A part of the campaign in `starvation.campaign.ts`: smaller workspaces and a slower database.
const part = onPostgres
  ? { instances: 2, large: { count: 8, pages: 40 }, small: { count: 6, pages: 15 } }
  : { instances: 1, large: { count: 20, pages: 60 }, small: { count: 12, pages: 35 } };

test("SYNC-9: during long first syncs a new person can search titles within 10 s, and a small workspace is complete within 60 s", async (t) => {
  const summary = await playStarvation({
    ...part,
    location: await scratchLocation(t),
    requestsPerMinute: 40,
    arrivalSeconds: 10,
    writeMs: 3,
  });
  t.diagnostic(JSON.stringify(summary));
});
