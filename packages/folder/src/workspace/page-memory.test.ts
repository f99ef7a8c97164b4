import assert from "node:assert/strict";
import { rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { writeFiles, writeFolder } from "../testing/index.ts";
import { type OpenOptions, openWorkspace } from "./open.ts";

const minute = 60_000;
/** When a test begins. */
const now = Date.UTC(2026, 5, 1, 12, 0, 30);
const edited = Date.UTC(2026, 0, 5, 10);
const dated = (text: string, day = "2026-01-05T10:00:00Z") =>
  `---\ncreated: 2026-01-01\nupdated: ${day}\n---\n${text}`;

const files = {
  "wiki.md": dated("[[Later]]"),
  "link.md": dated("[x](sub/later.md)"),
  "embed.md": dated("![[later]] [p](https://s.example/)"),
  "file.md": dated("[[scan.png]]"),
  "none.md": dated("No link, no [[ neither."),
  "kept.md": dated("[[wiki]]"),
  "rows/_database.yml": "properties:\n  Peer: { type: relation, database: . }",
  "rows/one.md": dated("").replace("---", "---\nPeer: two"),
  "scan.png": "",
};

/** A scanned folder, and the pages whose edit time another scan changed, with the difference from the clock. */
async function look(t: TestContext, options: Pick<OpenOptions, "roundsTimes"> = {}) {
  const directory = await writeFolder(t, files);
  const memoryFile = path.join(path.dirname(directory), "pages.jsonl");
  let time = now;
  const open = async () => {
    const opening = await openWorkspace(directory, { clock: () => time, memoryFile, ...options });
    await opening.ready();
    return opening;
  };
  let opened = await open();
  const times = () => new Map(opened.current().entries.map((entry) => [entry.path, entry.editedAt]));
  const moved = (before: ReadonlyMap<string, number>) =>
    [...times()]
      .filter(([file, time]) => before.has(file) && before.get(file) !== time)
      .map(([file]) => file);
  return {
    directory,
    memoryFile,
    times,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    async after(change: () => Promise<unknown>, restart = false) {
      const before = times();
      await change();
      if (restart) opened = await open();
      else await opened.reload();
      return moved(before);
    },
    write: (some: Readonly<Record<string, string>>) => writeFiles(directory, some),
  };
}

test("SYNC-10: a page counts as edited when the target of one of its links is added, removed or moved", async (t) => {
  const { directory, after, times, pass, write } = await look(t);
  assert.ok([...times().values()].filter((time) => time === edited).length >= 6);
  assert.deepEqual(await after(() => write({ "other/new.md": "" })), []);
  assert.deepEqual(await after(() => write({ "deep/Later.md": "" })), ["embed.md", "wiki.md"]);
  assert.equal(times().get("wiki.md"), now);
  pass(10 * minute);
  const move = () => rename(path.join(directory, "deep/Later.md"), path.join(directory, "other/later.md"));
  assert.deepEqual(await after(move), ["other"], "it keeps its id, and its new folder has another child");
  assert.deepEqual(await after(() => write({ "other/later.md": dated("---") })), ["other/later.md"]);
  assert.deepEqual(await after(() => rm(path.join(directory, "scan.png"))), ["file.md"]);
  assert.deepEqual(await after(() => write({ "rows/two.md": "" })), ["rows/one.md"]);
  assert.deepEqual(await after(() => rm(path.join(directory, "wiki.md"))), ["kept.md"]);
});

test("SYNC-10: a page that is added at the target of an unresolved link has the id of that link, which is then shown otherwise", async (t) => {
  const { after, write } = await look(t);
  assert.deepEqual(
    await after(() => write({ "sub/later.md": "", "Later.md": "" })),
    ["embed.md", "link.md", "wiki.md"],
    "`later` is another file there",
  );
});

test("SYNC-10: two changes at once have two times, and a later edit of the page itself has its own time", async (t) => {
  const { directory, after, pass, times, write } = await look(t);
  await after(() => write({ "a/Later.md": "" }));
  const first = times().get("wiki.md");
  await after(() => rm(path.join(directory, "a"), { recursive: true }));
  assert.equal(times().get("wiki.md"), (first ?? 0) + 1);
  pass(2 * 24 * 60 * minute);
  await after(() => write({ "wiki.md": dated("[[Later]]!", "2026-06-02") }));
  assert.equal(times().get("wiki.md"), Date.UTC(2026, 5, 2));
});

test("SYNC-10: changes while the stand-in is not running are noticed at the next start, if link targets are stored", async (t) => {
  const { memoryFile, after, write } = await look(t);
  assert.deepEqual(await after(() => write({ "deep/Later.md": "" }), true), ["embed.md", "wiki.md"]);
  assert.deepEqual(await after(async () => {}, true), [], "and it stays so");
  const forget = async () => {
    await writeFile(memoryFile, "broken");
    await write({ "Later.md": "" });
  };
  assert.deepEqual(await after(forget, true), ["embed.md", "wiki.md"], "back to the times of the files");
});

test("SRC-2: a text that changes without a later date counts as edited now: dated, swapped, or with its old times", async (t) => {
  const plain = { "one.md": "# One", "two.md": "# Two", "three.md": "# Three [[two]]" };
  const { directory, after, pass, times, write } = await look(t);
  const place = (file: string) => path.join(directory, file);
  const old = new Date("2026-02-03T04:05:00Z");
  const age = (file: string) => utimes(place(file), old, old);
  await after(async () => {
    await write(plain);
    for (const file of Object.keys(plain)) await age(file);
  });
  assert.equal(times().get("one.md"), old.getTime());
  pass(minute);
  const swap = async () => {
    await rename(place("one.md"), place("kept"));
    await rename(place("two.md"), place("one.md"));
    await rename(place("three.md"), place("two.md"));
    await rename(place("kept"), place("three.md"));
  };
  assert.deepEqual(
    await after(swap),
    ["two.md", "rows/one.md"],
    "texts keep their ids, and links have other targets",
  );
  pass(minute);
  const edit = async () => {
    const { size } = await stat(place("one.md"));
    await write({ "one.md": "x".repeat(size) });
    await age("one.md");
  };
  assert.deepEqual(await after(edit), ["one.md"]);
  pass(minute);
  assert.deepEqual(await after(() => write({ "none.md": dated("Other words.") })), ["none.md"]);
  assert.deepEqual(await after(() => age("none.md")), [], "only the time of the file has changed");
});

test("SRC-2: a changed text has a later time than before, whatever its date says", async (t) => {
  assert.deepEqual(await timesOfTexts(t), [
    edited,
    Date.UTC(2026, 4, 1),
    ...Array.from({ length: 10 }, (_, count) => now + count),
  ]);
});

test("SRC-2: where times are rounded, no number of changes moves the time of a page far ahead", async (t) => {
  const minutes = [now - (now % minute), now - (now % minute) + minute];
  assert.deepEqual(await timesOfTexts(t, { roundsTimes: true }), [edited, Date.UTC(2026, 4, 1), ...minutes]);
});

/** The different times of a page whose text is edited with a later date, and then ten times with an earlier one. */
async function timesOfTexts(t: TestContext, options: Pick<OpenOptions, "roundsTimes"> = {}) {
  const { after, times, write } = await look(t, options);
  const seen = new Set([times().get("none.md")]);
  await after(() => write({ "none.md": dated("One.", "2026-05-01") }));
  seen.add(times().get("none.md"));
  for (let count = 0; count < 10; count += 1) {
    await after(() => write({ "none.md": dated(`Text ${count}.`, "2026-02-01") }));
    seen.add(times().get("none.md"));
  }
  return [...seen];
}

test("SYNC-10: links of other pages are followed in parts, between which edits are looked at", async (t) => {
  const linking = Array.from({ length: 1_200 }, (_, index) => [`page ${index}.md`, `[[target]] ${index}`]);
  const directory = await writeFolder(t, { ...Object.fromEntries(linking), "last.md": "" });
  const opened = await openWorkspace(directory);
  await opened.ready();
  const changed: string[] = [];
  const isTold = (file: string) => {
    const { id } = opened.current().entries.find(({ path }) => path === file) ?? {};
    return id !== undefined && changed.includes(id);
  };
  opened.subscribe((nodes) => changed.push(...nodes.map(({ id }) => id)));
  await writeFiles(directory, { "target.md": "" });
  await opened.look(new Set(["target.md"]));
  assert.equal(changed.length, 1);
  await opened.followLinks(() => true);
  assert(changed.length > 100 && changed.length < 1_200, `${changed.length} of 1200`);
  await writeFiles(directory, { "last.md": "Edited" });
  await opened.look(new Set(["last.md"]));
  assert(isTold("last.md"));
  await opened.followLinks();
  // Each page once, and none after that.
  assert.deepEqual([changed.length, new Set(changed).size], [1_202, 1_202]);
  await opened.followLinks();
  assert.equal(changed.length, 1_202);
  // Names that change again let all links be followed again.
  await rm(path.join(directory, "target.md"));
  await opened.look(new Set(["target.md"]));
  changed.length = 0;
  await opened.followLinks(() => true);
  const part = changed.splice(0).toSorted();
  await writeFiles(directory, { "target.md": "Another one" });
  await opened.look(new Set(["target.md"]));
  changed.length = 0;
  await opened.followLinks();
  assert.deepEqual(changed.toSorted(), part);
  assert(part.length > 100);
});

test("SYNC-10: a page counts as edited when the page that was at the missing target of its link is overwritten", async (t) => {
  const texts = { "link.md": "[x](x.md)", "x.md": "The one", "other.md": "The other" };
  const directory = await writeFolder(t, texts);
  const place = (name: string) => path.join(directory, name);
  const opened = await openWorkspace(directory);
  await opened.ready();
  const linking = () => opened.current().entries.find(({ path }) => path === "link.md") ?? assert.fail();
  const target = () => opened.current().leadsTo(linking());
  await rename(place("x.md"), place("y.md"));
  await opened.reload();
  // Another id than that of the page which was there.
  const [missing] = target();
  const changed: string[] = [];
  opened.subscribe((nodes) => changed.push(...nodes.map(({ id }) => id)));
  await rename(place("other.md"), place("y.md"));
  await opened.reload();
  assert.notEqual(target()[0], missing);
  assert(changed.includes(linking().id));
});
