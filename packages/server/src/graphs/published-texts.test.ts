import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { findConnection } from "../store/queries/connections.ts";
import { needsFile } from "../store/testing/location.ts";
import { scratchDatabase, someConnection } from "../store/testing/scratch.ts";
import { lockIndex, openTexts, writeTexts } from "../texts/testing/indexed-texts.ts";
import { Graphs } from "./graphs.ts";

test("SYNC-2: the first publication of a graph does not wait for the text index, which then follows", {
  skip: needsFile,
}, async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const { texts } = openTexts(t, database);
  const empty = await someConnection(database);
  await texts.update(empty);
  const unlock = lockIndex(t, database);
  // No time passes for a publication that waits.
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const graphs = new Graphs({ database, clock: () => 0, texts });
  t.after(() => graphs.close());
  await writeTexts(database, id, { 1: "a comet" });
  await graphs.publish(id);
  const connection = await findConnection(database.read, id);
  assert(connection);
  const { graph, texts: seen } = await graphs.current(connection);
  assert.equal(graph.nodeCount, 1);
  assert.equal((await seen.snapshot()).indexed, 0);
  const grown = new Promise<number>((resolve) => texts.onGrown(resolve));
  t.mock.timers.tick(1);
  unlock();
  assert.equal(await grown, id);
  await seen.refresh();
  assert.equal((await seen.snapshot()).indexed, 1);
});

test("SYNC-2: a later publication waits five seconds for the text index at most, which then follows", {
  skip: needsFile,
}, async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const { texts, find } = openTexts(t, database);
  const graphs = new Graphs({ database, clock: () => 0, texts });
  t.after(() => graphs.close());
  await writeTexts(database, id, { 1: "a comet" });
  await graphs.publish(id);
  await texts.update(id);
  const unlock = lockIndex(t, database);
  await writeTexts(database, id, { 2: "a comet" });
  const grown = new Promise<number>((resolve) => texts.onGrown(resolve));
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let isPublished = false;
  const published = graphs.publish(id).then(() => {
    isPublished = true;
  });
  for (let ms = 0; ms < 4_900; ms += 100) {
    await setImmediate();
    t.mock.timers.tick(100);
  }
  assert.equal(isPublished, false);
  t.mock.timers.tick(5_000);
  await published;
  const connection = await findConnection(database.read, id);
  assert(connection);
  const { graph, texts: seen } = await graphs.current(connection);
  assert.equal(graph.nodeCount, 2);
  assert.deepEqual(await find(id, "comet", await seen.snapshot()), [1]);
  unlock();
  assert.equal(await grown, id);
  await seen.refresh();
  assert.deepEqual(await find(id, "comet", await seen.snapshot()), [1, 2]);
});
