import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { countStatements } from "../store/testing/count-statements.ts";
import { wrapWrites } from "../store/testing/wrap-writes.ts";
import { createWorkspace } from "./testing/workspace.ts";

const pages = Array.from({ length: 100 }, (_, index) => index);

/** A database of a hundred rows, each related to two others and with a link in its text. */
const files = (version: number) => ({
  "tasks/_database.yml": "title: Tasks\nproperties:\n  Blocks: { type: relation, database: . }\n",
  ...Object.fromEntries(
    pages.map((index) => {
      const [one, two, three] = [1, 7, 11].map((step) => `row-${(index + step * version) % pages.length}.md`);
      const front = `title: Row ${index}, version ${version}\nBlocks: [./${one}, ./${two}]`;
      return [
        `tasks/row-${index}.md`,
        `---\n${front}\nupdated: 2026-0${version}-01\n---\nTo [three](${three}).\n`,
      ];
    }),
  ),
});

/** The statements of a transaction that writes a batch, those that fence it and hold it to the storage limits included. */
const maxStatements = 12;

test("SYNC-3: a hundred pages, new, changed or unchanged, are written with twelve statements at most", async (t) => {
  let counts: number[] = [];
  const workspace = await createWorkspace(t, files(1), {
    storage: { connectionQuota: 0, hasRoom: () => true },
    wrapDatabase(database) {
      const counting = countStatements(database);
      counts = counting.counts;
      return counting.database;
    },
  });
  const { id } = await workspace.connect();
  const syncAll = async (full = false) => {
    counts.length = 0;
    workspace.pass(3_600_000);
    await workspace.sync.request(id, { full });
    assert.equal((await workspace.end(id)).sync.outcome, "complete");
    // Transactions that ended after the list was emptied left holes.
    return Math.max(...counts.filter(Number.isInteger));
  };
  assert.ok((await syncAll()) <= maxStatements, `new: ${counts}`);
  await workspace.write(files(2));
  assert.ok((await syncAll()) <= maxStatements, `changed: ${counts}`);
  assert.equal((await workspace.titles(id)).filter((title) => title.endsWith("version 2")).length, 100);
  assert.ok((await workspace.edges(id)).includes("Row 1, version 2 -relation Blocks-> Row 3, version 2"));
  const { revision } = await workspace.database.read
    .selectFrom("connections")
    .select("revision")
    .executeTakeFirstOrThrow();
  assert.ok((await syncAll()) <= maxStatements, `unchanged: ${counts}`);
  assert.ok((await syncAll(true)) <= maxStatements, `unchanged, in a full sync: ${counts}`);
  const after = workspace.database.read.selectFrom("connections").select("revision");
  assert.equal((await after.executeTakeFirstOrThrow()).revision, revision);
});

test("SYNC-3: texts are fetched during a write, and then written together", async (t) => {
  let underWay = 0;
  let transactions = 0;
  const workspace = await createWorkspace(t, files(1), {
    wrapDatabase: (database) =>
      wrapWrites(database, async (write) => {
        // As slow as the provider: a write ends once all the texts that were asked for are there.
        while (underWay > 0) await setImmediate();
        transactions += 1;
        return write();
      }),
  });
  workspace.intercept(async (_call, pass) => {
    underWay += 1;
    try {
      return await pass();
    } finally {
      underWay -= 1;
    }
  });
  const { id } = await workspace.connect();
  await workspace.run(id);
  assert.ok(transactions < 0.35 * pages.length, `${transactions} transactions for ${pages.length} texts`);
  const { count } = await workspace.database.read
    .selectFrom("contents")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("markdown", "like", "%To [three]%")
    .executeTakeFirstOrThrow();
  assert.equal(count, pages.length);
});
