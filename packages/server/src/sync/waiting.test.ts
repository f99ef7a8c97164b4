import assert from "node:assert/strict";
import { test } from "node:test";
import { findConnection } from "../store/queries/connections.ts";
import { isText } from "./testing/calls.ts";
import { apiError, createWorkspace } from "./testing/workspace.ts";

const files = {
  "one.md": "# One\n\nTo [two](two.md), with some secret words.\n",
  "two.md": "# Two\n\nTo [three](three.md).\n",
  "three.md": "# Three\n\nTo [one](one.md).\n",
};

const links = ["One -link-> Two", "Three -link-> One", "Two -link-> Three"];

test("SYNC-4: while the provider's limit makes the sync wait, the connection says so", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const states = new Set<string>();
  const begun = workspace.clock();
  let waitingUntil: number | null = null;
  let refused = false;
  workspace.intercept(async (call, pass) => {
    if (!isText(call) || refused) return pass();
    refused = true;
    return apiError(429, "rate_limited", { "retry-after": "40" });
  });
  workspace.onSleep(async () => {
    while (!states.has("waiting")) {
      const sync = (await findConnection(workspace.database.read, id))?.sync;
      states.add(sync?.state ?? "gone");
      waitingUntil = sync?.waitingUntil ?? null;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  });
  const { sync } = await workspace.run(id);
  assert.ok(states.has("waiting"));
  assert.equal(waitingUntil, begun + 40_000);
  assert.equal(sync.state, "idle");
  assert.equal(sync.waitingUntil, null);
  assert.deepEqual(await workspace.edges(id), links);
});

test("SYNC-4: the budget of a minute is kept by the sync as a whole", async (t) => {
  const pages = Array.from({ length: 25 }, (_, index) => [`p${index}.md`, `# P${index}\n`]);
  const workspace = await createWorkspace(t, Object.fromEntries(pages), { requestsPerMinute: 10 });
  const { id } = await workspace.connect();
  const at: number[] = [];
  workspace.intercept((_, pass) => {
    at.push(workspace.clock());
    return pass();
  });
  await workspace.run(id);
  // The search, the texts, and the names of authors.
  assert.equal(at.length, 27);
  for (const [index, time] of at.entries()) {
    const tenth = at[index + 10];
    if (tenth !== undefined) assert.ok(tenth - time >= 60_000);
  }
});
