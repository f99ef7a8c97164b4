import assert from "node:assert/strict";
import { appendFile, mkdir, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { writeFiles, writeFolder } from "../testing/index.ts";
import { type OpenWorkspace, openWorkspace } from "../workspace/open.ts";
import { FolderUnavailable } from "../workspace/scan.ts";
import { type WatchState, watchFolder } from "./watch-folder.ts";
import { WatchedFolders } from "./watched-folders.ts";

const files = { "a.md": "# A", "b.md": "# B\n\n[[c]]", "sub/deep/d.md": "# D" };

/** A folder that is watched. Only `scanEvery` makes it look without an event. */
async function watching(t: TestContext, scanEvery = 3_600_000) {
  const directory = await writeFolder(t, files);
  const opened = await openWorkspace(directory);
  await opened.ready();
  const told: string[] = [];
  const failures: unknown[] = [];
  const states = Promise.withResolvers<WatchState>();
  let onNews = () => {};
  const watch = watchFolder(opened, {
    quiet: 10,
    scanEvery,
    onChange: (changed) => {
      // Pages that have gone keep their ids.
      told.push(...changed.map(({ id }) => opened.current().entry(id)?.path ?? id));
      onNews();
    },
    onState: (state) => states.resolve(state),
    onFailure: (error) => {
      failures.push(error);
      onNews();
    },
  });
  t.after(() => watch.stop());
  assert.equal(await states.promise, "events");
  return {
    directory,
    opened,
    failures,
    place: (name: string) => path.join(directory, name),
    idAt: (place: string) => opened.current().entries.find((entry) => entry.path === place)?.id ?? "",
    watch,
    /** Waits until the watch has reported all of these. */
    async told(...wanted: readonly string[]) {
      for (;;) {
        const news = new Promise<void>((resolve) => {
          onNews = resolve;
        });
        if (wanted.every((one) => told.includes(one))) break;
        await news;
      }
      return told.splice(0).sort();
    },
    async fails() {
      const count = failures.length;
      while (failures.length === count) await new Promise<void>((resolve) => (onNews = resolve));
    },
  };
}

test("SRC-2: a watch tells which pages were edited, added, moved and removed, and whose links now lead elsewhere", async (t) => {
  const { place, told, idAt } = await watching(t);
  await appendFile(place("a.md"), "more");
  assert.deepEqual(await told("a.md"), ["a.md"]);
  await writeFile(place("sub/c.md"), "# C");
  assert.deepEqual(await told("sub/c.md", "b.md", "sub"), ["b.md", "sub", "sub/c.md"]);
  const id = idAt("sub/c.md");
  await rename(place("sub/c.md"), place("c.md"));
  assert.deepEqual(await told("c.md", "sub"), ["c.md", "sub"], "b.md leads to the same page as before");
  await rm(place("c.md"));
  assert.deepEqual(await told(id, "b.md"), [id, "b.md"].sort());
});

test("SRC-2: an edit that keeps size and time is seen, as are folders that are made, filled, moved and made anew", async (t) => {
  const { place, told } = await watching(t);
  const { atime, mtime } = await stat(place("a.md"));
  await writeFile(place("a.md"), "# Z");
  await utimes(place("a.md"), atime, mtime);
  await told("a.md");
  await writeFiles(place("."), { "new/deep/er/one.md": "1", "new/deep/er/two.md": "2" });
  await told("new", "new/deep", "new/deep/er", "new/deep/er/one.md", "new/deep/er/two.md");
  await appendFile(place("new/deep/er/two.md"), "!");
  await told("new/deep/er/two.md");
  await rename(place("new"), place("old"));
  await told("old/deep/er/one.md", "old/deep/er/two.md");
  await mkdir(place("new"));
  await writeFile(place("new/three.md"), "3");
  await told("new/three.md");
  await appendFile(place("old/deep/er/one.md"), "!");
  await told("old/deep/er/one.md");
  await rm(place("new"), { recursive: true });
  await writeFiles(place("."), { "new/four.md": "4" });
  await told("new/four.md");
  await appendFile(place("new/four.md"), "!");
  await told("new/four.md");
});

test("SRC-2: nothing that leaves the folder by a link is followed while it is watched", async (t) => {
  const { directory, place, told, opened } = await watching(t);
  const outside = path.join(path.dirname(directory), "outside");
  await mkdir(outside);
  await writeFile(path.join(outside, "secret.md"), "secret");
  await symlink(outside, place("linked"));
  await symlink(path.join(outside, "secret.md"), place("linked.md"));
  await rename(place("sub/deep"), place("sub/kept"));
  await symlink(outside, place("sub/deep"));
  await appendFile(path.join(outside, "secret.md"), "!");
  await told("sub/kept/d.md");
  assert.deepEqual(
    opened.current().entries.map((entry) => entry.path),
    ["a.md", "b.md", "sub", "sub/kept", "sub/kept/d.md"],
  );
});

test("SRC-2: a root that vanishes or is empty removes nothing and is a failure, and its edits are seen once it is back", async (t) => {
  const { directory, place, told, fails, failures, opened } = await watching(t, 20);
  const before = opened.current();
  await rename(directory, `${directory}-away`);
  await fails();
  await mkdir(directory);
  await fails();
  assert.ok(failures.every((error) => error instanceof FolderUnavailable));
  assert.match(String(failures.at(-1)), /it is empty/);
  assert.equal(opened.current(), before);
  await assert.rejects(openWorkspace(directory), FolderUnavailable);
  await rm(directory, { recursive: true });
  await assert.rejects(openWorkspace(directory), FolderUnavailable);
  await rename(`${directory}-away`, directory);
  await appendFile(place("a.md"), "more");
  await told("a.md");
});

test("SRC-2: without events, all is seen at the next scan", async (t) => {
  const { watch, directory } = await watching(t);
  await watch.stop();
  const opened = await openWorkspace(directory);
  await opened.ready();
  const folders = new WatchedFolders(`${directory}/nothing`, () => {});
  assert.deepEqual(folders.follow(opened.scanned()), []);
  assert.equal(folders.isComplete, false);
  const changed = await new Promise<unknown>((resolve) => {
    const scanning = watchFolder(opened, {
      scanEvery: 20,
      quiet: 3_600_000,
      maxWait: 3_600_000,
      onChange: resolve,
    });
    t.after(() => scanning.stop());
    void appendFile(path.join(directory, "a.md"), "more");
  });
  assert.deepEqual(changed, [{ of: "page", id: opened.current().entries[0]?.id }]);
});

test("SRC-2: while events arrive, scans that take long are seldom, but not while the folder is away", async (t) => {
  const directory = await writeFolder(t, files);
  const opened = await openWorkspace(directory);
  await opened.ready();
  let scans = 0;
  let now = performance.now();
  t.mock.method(performance, "now", () => now);
  const slow: OpenWorkspace = {
    ...bound(opened),
    look: async (hints) => {
      if (hints === null) scans += 1;
      // Each look takes a second, by its own clock.
      now += 1_000;
      return opened.look(hints);
    },
  };
  const ready = Promise.withResolvers<WatchState>();
  const back = Promise.withResolvers<void>();
  const watch = watchFolder(slow, {
    scanEvery: 20,
    onChange: () => back.resolve(),
    onState: ready.resolve,
  });
  t.after(() => watch.stop());
  assert.equal(await ready.promise, "events");
  await setTimeout(500);
  assert.equal(scans, 1);
  await rename(directory, `${directory}-away`);
  while (scans < 4) await setTimeout(20);
  await writeFile(path.join(`${directory}-away`, "a.md"), "# Another");
  await rename(`${directory}-away`, directory);
  await back.promise;
});

test("SRC-2: events that come while a look is due and another is under way are not lost", async (t) => {
  const directory = await writeFolder(t, files);
  const opened = await openWorkspace(directory);
  await opened.ready();
  const place = (name: string) => path.join(directory, name);
  let gate = Promise.resolve();
  let onLook = () => {};
  const slow: OpenWorkspace = {
    ...bound(opened),
    look: async (hints) => {
      onLook();
      await gate;
      return opened.look(hints);
    },
  };
  const ready = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  const left = new Set(["a.md", "b.md", "sub/deep/d.md"]);
  const watch = watchFolder(slow, {
    quiet: 100,
    onState: () => ready.resolve(),
    onChange: (changed) => {
      for (const { id } of changed) left.delete(opened.current().entry(id)?.path ?? "");
      if (left.size === 0) all.resolve();
    },
  });
  t.after(() => watch.stop());
  await ready.promise;
  const held = Promise.withResolvers<void>();
  gate = held.promise;
  const isLooking = new Promise<void>((resolve) => {
    onLook = resolve;
  });
  await appendFile(place("a.md"), "more");
  await isLooking;
  await appendFile(place("b.md"), "more");
  await setTimeout(200);
  await appendFile(place("sub/deep/d.md"), "more");
  await setTimeout(20);
  held.resolve();
  await all.promise;
});

test("SRC-2: however many events come while a look is under way, one look sees them all", async (t) => {
  const directory = await writeFolder(t, files);
  const opened = await openWorkspace(directory);
  await opened.ready();
  const looks: unknown[] = [];
  let gate = Promise.resolve();
  const slow: OpenWorkspace = {
    ...bound(opened),
    look: async (hints) => {
      looks.push(hints);
      await gate;
      return opened.look(hints);
    },
  };
  const ready = Promise.withResolvers<void>();
  const watch = watchFolder(slow, {
    quiet: 1,
    maxWait: 1,
    onState: () => ready.resolve(),
    onChange: () => {},
  });
  t.after(() => watch.stop());
  await ready.promise;
  const held = Promise.withResolvers<void>();
  gate = held.promise;
  looks.length = 0;
  for (let count = 0; count < 10; count += 1) {
    await appendFile(path.join(directory, "a.md"), `more ${count}`);
    do await setTimeout(20);
    while (looks.length === 0);
  }
  assert.equal(looks.splice(0).length, 1);
  held.resolve();
  while (!opened.current().entries.some(({ body }) => body.includes("more 9"))) await setTimeout(10);
  await setTimeout(100);
  // An event may come with those that the look is about.
  assert(looks.length === 1 || looks.length === 2, `${looks.length} more looks`);
});

function bound(opened: OpenWorkspace): OpenWorkspace {
  return {
    directory: opened.directory,
    current: () => opened.current(),
    ready: () => opened.ready(),
    reload: () => opened.reload(),
    look: (hints) => opened.look(hints),
    followLinks: (mayStop) => opened.followLinks(mayStop),
    subscribe: (listener) => opened.subscribe(listener),
    scanned: () => opened.scanned(),
    isUnread: (id) => opened.isUnread(id),
    age: () => opened.age(),
    hasUnread: () => opened.hasUnread(),
  };
}
