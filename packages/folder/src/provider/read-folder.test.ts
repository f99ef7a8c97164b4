import assert from "node:assert/strict";
import { test } from "node:test";
import { writeFolder } from "../testing/index.ts";
import type { WatchState } from "../watch/watch-folder.ts";
import { openWorkspace } from "../workspace/open.ts";
import { PageTexts } from "./page-texts.ts";
import { FolderReading } from "./read-folder.ts";

test("SYNC-11: a look at a folder that is watched scans nothing; a whole listing and a look without events do", async (t) => {
  const directory = await writeFolder(t, { "a.md": "# A" });
  let scans = 0;
  let now = Date.now();
  const state = Promise.withResolvers<WatchState>();
  const folder = new FolderReading(directory, {
    open: async () => {
      const opened = await openWorkspace(directory, { clock: () => now });
      const reload = opened.reload.bind(opened);
      opened.reload = () => {
        scans += 1;
        return reload();
      };
      return opened;
    },
    texts: new PageTexts(),
    onChange: () => {},
    onState: state.resolve,
    onFailure: (error) => state.reject(error),
  });
  const scansOf = async (few: boolean) => {
    const before = scans;
    const { entries } = await folder.list({ of: "search", few, tags: false });
    assert.equal(entries.length, 1);
    return scans - before;
  };
  assert.equal(await scansOf(true), 1);
  await folder.watch(null);
  assert.equal(await state.promise, "events");
  assert.equal(await scansOf(true), 0);
  // The scans of the watch have not come to an end for a while.
  now += 2 * 60_000;
  assert.equal(await scansOf(true), 1);
  assert.equal(await scansOf(true), 0);
  assert.equal(await scansOf(false), 1);
  await folder.stopWatching(null);
  assert.equal(await scansOf(true), 1);
});
