import assert from "node:assert/strict";
import { test } from "node:test";
import { isSimulation } from "../store/testing/location.ts";
import { scratchLocation } from "../store/testing/scratch.ts";
import { heldBytesOf } from "./state.ts";
import { openVirtualSyncing } from "./testing/virtual-syncing.ts";

test("SYNC-9: a sync without memory waits while small new ones run, and fetches nothing twice", {
  skip: isSimulation,
}, async (t) => {
  const pages = 300;
  // There is room for one of the large ones and a newcomer, with the texts that each fetches at a time.
  const syncing = await openVirtualSyncing({
    location: await scratchLocation(t),
    memoryLimit: heldBytesOf(pages) + heldBytesOf(50) + 20_000,
    smallNodes: 100,
  });
  try {
    const large = [await syncing.signIn(pages), await syncing.signIn(pages)];
    const states = new Set<string>();
    let newcomer: number | null = null;
    const arrive = async () => {
      await syncing.time.sleep(10_000);
      for (const id of large) states.add((await syncing.connection(id)).sync.state);
      newcomer = await syncing.signIn(50);
    };
    await syncing.time.run(arrive());
    await syncing.settle();
    const [first, second, small] = await syncing.times();
    assert.deepEqual([...states].sort(), ["running", "waiting"]);
    assert.ok(newcomer !== null);
    for (const sync of [first, second, small]) assert.equal(sync?.outcome, "complete");
    assert.ok((small?.end ?? 0) <= 60_000);
    // One after the other: each takes as long as the provider's limit makes it.
    const ends = [first?.end ?? 0, second?.end ?? 0].sort((one, other) => one - other);
    assert.ok((ends[1] ?? 0) > 1.8 * (ends[0] ?? 0), String(ends));
    // But for the few that were under way when it was suspended.
    assert.ok(syncing.texts() - (2 * pages + 50) <= 8, `${syncing.texts()} texts`);
  } finally {
    await syncing.close();
  }
});
