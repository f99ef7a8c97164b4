import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database, WriteTransaction } from "../port.ts";
import { recordStatements } from "../testing/record-statements.ts";
import { nodeId, page, scratchDatabase, someConnection } from "../testing/scratch.ts";
import { saveContent } from "../testing/write-graph.ts";
import { failContent, removeNodes, setParents, upsertNodes } from "./graph-pages.ts";
import {
  connectionsWithPagesElsewhere,
  nextRereading,
  nodesAwaitingContent,
  requeueAllTexts,
  requeueDoubtfulTexts,
  requeueDueRereadings,
  requeueTexts,
} from "./reading-list.ts";
import { removeConnection } from "./removed-connections.ts";

const minute = 60_000;
const text = { markdown: "text", references: [], state: "ready" } as const;

const awaiting = async (database: Database, id: number) =>
  (await nodesAwaitingContent(database.read, id)).map((node) => node.id);

test("SYNC-6: texts never tried come before those that failed, the latest edit first", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction(async (trx) => {
    const nodes = [
      page(1),
      page(2, { updatedAt: 9 }),
      page(3),
      page(4, { type: "database", updatedAt: 5 }),
      page(5),
    ];
    await upsertNodes(trx, id, nodes);
    await failContent(trx, id, nodeId(2), "odd block");
    await saveContent(trx, id, nodeId(3), text);
    await saveContent(trx, id, nodeId(5), { markdown: "", references: [], state: "empty" });
  });
  assert.deepEqual(await nodesAwaitingContent(database.read, id), [
    { id: nodeId(4), type: "database", description: null, textState: "unread", hasFailed: false },
    { id: nodeId(1), type: "page", description: null, textState: "unread", hasFailed: false },
    { id: nodeId(2), type: "page", description: null, textState: "unread", hasFailed: true },
  ]);
});

test("SRC-1: connections with pages at another address are found, and all of their texts are read again", async (t) => {
  const { database } = await scratchDatabase(t);
  const [id, other, elsewhere] = [
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
  ];
  const at = (base: string, number: number) => page(number, { url: `${base}/${number}` });
  for (const [connection, bases] of [
    [id, ["https://old.example", "https://old.example", "https://new.example"]],
    [other, ["https://new.example"]],
    [elsewhere, ["https://old.example"]],
  ] as const)
    await database.transaction(async (trx) => {
      await upsertNodes(
        trx,
        connection,
        bases.map((base, index) => at(base, index + 1)),
      );
      for (const [index] of bases.entries()) await saveContent(trx, connection, nodeId(index + 1), text);
    });
  await database.transaction((trx) => removeConnection(trx, elsewhere, 1));
  const base = "https://new.example/";
  assert.deepEqual(await connectionsWithPagesElsewhere(database.read, "some", base), [id]);
  assert.deepEqual(await connectionsWithPagesElsewhere(database.read, "another", base), []);
  await database.transaction((trx) => requeueAllTexts(trx, id));
  assert.deepEqual(new Set(await awaiting(database, id)), new Set([1, 2, 3].map(nodeId)));
  assert.deepEqual(await awaiting(database, other), []);
});

test("SYNC-7: a text is read again that is unsettled, or was read within two minutes of the edit it shows", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const edited = 100 * minute;
  await database.transaction(async (trx) => {
    const readings = [
      { at: edited + 30_000, state: "whole" },
      { at: edited + 2 * minute - 1, state: "whole" },
      { at: edited + 2 * minute, state: "whole" },
      { at: edited + 2 * minute, state: "unsettled" },
    ] as const;
    for (const [number, reading] of readings.entries()) {
      await upsertNodes(trx, id, [page(number, { updatedAt: edited })]);
      await saveContent(trx, id, nodeId(number), { ...text, reading });
    }
    await requeueDoubtfulTexts(trx, id, { roundsEditTimes: false });
  });
  assert.deepEqual(await awaiting(database, id), [nodeId(3)]);
  await database.transaction((trx) => requeueDoubtfulTexts(trx, id, { roundsEditTimes: true }));
  assert.deepEqual(await awaiting(database, id), [nodeId(0), nodeId(1), nodeId(3)]);
});

test("SYNC-7, SYNC-11: a text is read again once the minute of its edit is over, and once more after two", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const edited = 100 * minute;
  const readAt = (at: number, updatedAt = edited, number = 1) =>
    database.transaction(async (trx) => {
      await upsertNodes(trx, id, [page(number, { updatedAt })]);
      await saveContent(trx, id, nodeId(number), { ...text, reading: { at, state: "whole" } });
    });
  const next = (now: number) => nextRereading(database.read, id, now);
  await readAt(edited + 30_000);
  assert.equal(await next(edited + 30_000), edited + minute);
  await database.transaction((trx) => requeueDueRereadings(trx, id, edited + minute - 1));
  assert.deepEqual(await awaiting(database, id), []);
  await database.transaction((trx) => requeueDueRereadings(trx, id, edited + minute));
  assert.deepEqual(await awaiting(database, id), [nodeId(1)]);
  await readAt(edited + minute);
  assert.equal(await next(edited + minute), edited + 2 * minute);
  await readAt(edited + 2 * minute);
  assert.equal(await next(edited + 2 * minute), null);
  // Its edit lies in the future, so that no reading would be the last.
  await readAt(edited + 2 * minute, edited + 9 * minute, 2);
  assert.equal(await next(edited + 2 * minute), null);
});

test("SYNC-7: an empty text is read again like another, from the moment of its edit on", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const edited = 100 * minute;
  const reading = { at: edited, state: "whole" } as const;
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1, { updatedAt: edited })]);
    await saveContent(trx, id, nodeId(1), { markdown: "", references: [], state: "empty", reading });
  });
  assert.equal(await nextRereading(database.read, id, edited - 1), null);
  assert.equal(await nextRereading(database.read, id, edited), edited + minute);
  await database.transaction((trx) => requeueDueRereadings(trx, id, edited + minute));
  assert.deepEqual(await awaiting(database, id), [nodeId(1)]);
  assert.equal(await nextRereading(database.read, id, edited + minute), null, "it is awaited already");
});

test("SYNC-7: a text that was read two minutes after its edit is not read again", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const edited = 100 * minute;
  const reading = { at: edited + 2 * minute, state: "whole" } as const;
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1, { updatedAt: edited })]);
    await saveContent(trx, id, nodeId(1), { ...text, reading });
    await requeueDueRereadings(trx, id, edited + 9 * minute);
  });
  assert.deepEqual(await awaiting(database, id), []);
});

test("SYNC-5, SYNC-6: requeueing leaves failed texts as failed, and those of databases as they are", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const soon = { at: 1, state: "unsettled" } as const;
  const requeue: Readonly<Record<string, (trx: WriteTransaction) => Promise<void>>> = {
    due: (trx) => requeueDueRereadings(trx, id, 9 * minute),
    doubtful: (trx) => requeueDoubtfulTexts(trx, id, { roundsEditTimes: true }),
    some: (trx) => requeueTexts(trx, id, [1, 2, 3].map(nodeId)),
    all: (trx) => requeueAllTexts(trx, id),
  };
  for (const [name, work] of Object.entries(requeue)) {
    await database.transaction(async (trx) => {
      await upsertNodes(trx, id, [page(1), page(2), page(3, { type: "database" })]);
      for (const number of [1, 2, 3]) await saveContent(trx, id, nodeId(number), { ...text, reading: soon });
      await failContent(trx, id, nodeId(2), "odd block");
      await work(trx);
    });
    assert.deepEqual(
      (await nodesAwaitingContent(database.read, id)).map((node) => [node.id, node.hasFailed]),
      [
        [nodeId(1), false],
        [nodeId(2), true],
      ],
      name,
    );
  }
});

test("SYNC-6: texts of pages that were edited at one time are read in the order of their ids", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  for (const number of [4, 1, 3, 2])
    await database.transaction((trx) => upsertNodes(trx, id, [page(number)]));
  const statements = recordStatements(t);
  assert.deepEqual(await awaiting(database, id), [1, 2, 3, 4].map(nodeId));
  // The index that finds them may happen to have this order.
  assert.match(
    statements().find((statement) => statement.includes("nodes")) ?? "",
    /"updated_at" desc, "id"$/,
  );
});

test("SYNC-7: pages that lose or gain a child await their texts again", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction(async (trx) => {
    const below = (parent: number) => ({ parentId: nodeId(parent) });
    await upsertNodes(trx, id, [page(1), page(2), page(3), page(4, below(1)), page(5, below(3)), page(6)]);
    for (const number of [1, 2, 3, 4, 5, 6]) await saveContent(trx, id, nodeId(number), text);
    await setParents(trx, id, [{ id: nodeId(4), from: nodeId(1), to: nodeId(2) }]);
    await removeNodes(trx, id, [nodeId(5)], 1);
  });
  assert.deepEqual(await awaiting(database, id), [nodeId(1), nodeId(2), nodeId(3)]);
});
