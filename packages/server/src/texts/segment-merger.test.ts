import assert from "node:assert/strict";
import { test } from "node:test";
import { openTextWriter } from "../store/database.ts";
import { scratchDatabase, someConnection } from "../store/testing/scratch.ts";
import { Indexer } from "./indexer.ts";
import { SegmentMerger } from "./segment-merger.ts";
import { StoredIndex } from "./stored-index.ts";
import { writeTexts } from "./testing/indexed-texts.ts";

test("GRAPH-18: segments are merged at once, and again only once what was replaced is gone, unless there are many", async (t) => {
  const { database } = await scratchDatabase(t);
  const texts = await openTextWriter(database.location, new Uint8Array(), assert.fail);
  t.after(() => texts.close());
  const index = new StoredIndex(texts);
  const indexer = new Indexer({ db: database.read, texts, index, onProgress: () => {} });
  const merger = new SegmentMerger(database.read, texts, index);
  const id = await someConnection(database);
  let page = 0;
  /** Indexes another page; the number of segments after that. */
  const add = async () => {
    page += 1;
    await writeTexts(database, id, { [page]: `a comet ${page}` });
    await indexer.update(id, { waits: true });
    merger.mergeLater(id, assert.ifError);
    await merger.settled();
    return (await index.manifest(id))?.segments.length;
  };
  const counts = async (updates: number) => {
    const found: unknown[] = [];
    for (let update = 0; update < updates; update += 1) found.push(await add());
    return found;
  };
  assert.deepEqual(await counts(4), [1, 2, 3, 1]);
  assert.equal(await texts.hasDropped(id), true);
  assert.equal(await texts.hasDropped(await someConnection(database)), false);
  assert.deepEqual(await counts(5), [2, 3, 4, 5, 1], "six of them are many");
  assert.deepEqual(await counts(3), [2, 3, 4]);
  while (await texts.removeDropped(-60_000));
  assert.equal(await texts.hasDropped(id), false);
  assert.deepEqual(await counts(1), [1]);
});
