import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isSimulation } from "../store/testing/location.ts";
import { scratchLocation } from "../store/testing/scratch.ts";
import { openVirtualSyncing } from "./testing/virtual-syncing.ts";

/** Milliseconds that the first sync of a workspace takes, and its calls. */
async function firstSync(t: TestContext, pages: number, isRefused?: (call: number) => boolean) {
  const syncing = await openVirtualSyncing({
    location: await scratchLocation(t),
    ...(isRefused && { isRefused }),
  });
  try {
    await syncing.signIn(pages);
    await syncing.settle();
    const [sync] = await syncing.times();
    assert.equal(sync?.outcome, "complete");
    return { duration: sync?.end ?? 0, calls: syncing.calls() };
  } finally {
    await syncing.close();
  }
}

test("SYNC-4: with one call in 41 refused a sync takes at most 2.5 times as long as without", {
  skip: isSimulation,
}, async (t) => {
  const pages = 1000;
  const smooth = await firstSync(t, pages);
  const refused = await firstSync(t, pages, (call) => call % 41 === 0);
  assert.equal(smooth.calls, pages + pages / 100);
  assert.ok(refused.calls > smooth.calls + 20);
  const ratio = refused.duration / smooth.duration;
  t.diagnostic(
    `${smooth.duration / 1000} s without, ${refused.duration / 1000} s with: ${ratio.toFixed(2)} times`,
  );
  assert.ok(ratio <= 2.5, `${ratio.toFixed(2)} times as long`);
});
