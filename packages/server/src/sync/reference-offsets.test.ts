import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorkspace } from "./testing/workspace.ts";

test("GRAPH-24: a sync stores where references stand, and finds it out for texts that an earlier program stored", async (t) => {
  const workspace = await createWorkspace(t, {
    "start.md": "🧵 To [two](two.md), [[three]] and [two](two.md) again.\n\n- [x](two.md)\n- [y](two.md)\n",
    "two.md": "No link.\n",
    "three.md": "```\n[two](two.md)\n```\n",
  });
  const { database } = workspace;
  const { id } = await workspace.connect();
  // A text that is read right after an edit is read again.
  workspace.pass(3_600_000);
  await workspace.run(id);
  const { markdown } = await workspace.node(id, "start");
  const offsets = async () => {
    const rows = await database.read
      .selectFrom("contents")
      .innerJoin("nodes", "nodes.id", "contents.node_id")
      .select(["nodes.title", "contents.reference_offsets as offsets"])
      .orderBy("nodes.title")
      .execute();
    return rows.map(({ title, offsets }) => [title, offsets]);
  };
  const points = [...(markdown ?? "")];
  const starts = points.flatMap((point, at) =>
    point === "[" || (point === "<" && points[at + 1] === "m") ? at : [],
  );
  const [first, mention, second, third] = starts;
  const expected = [
    ["start", JSON.stringify([[first, second, third], [mention]])],
    ["three", "[]"],
    ["two", "[]"],
  ];
  assert.deepEqual(await offsets(), expected);

  await database.transaction((trx) => trx.updateTable("contents").set({ reference_offsets: null }).execute());
  workspace.calls.length = 0;
  await workspace.run(id);
  assert.deepEqual(await offsets(), expected);
  assert.deepEqual(
    workspace.calls.filter(({ path }) => path.endsWith("/markdown")),
    [],
  );
});
