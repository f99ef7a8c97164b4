import assert from "node:assert/strict";
import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { Graph, type GraphColumns } from "@clew/graph";
import { buildGraph, page } from "@clew/graph/testing";
import { graphFilePath, graphFolder } from "../config/data-dir.ts";
import type { Log } from "../model/log.ts";
import { scratchFolder } from "../store/testing/scratch.ts";
import { GraphFiles } from "./graph-files.ts";

const { columns } = buildGraph({ nodes: [page(1), page(2)], references: [] });
const identity = (connectionId: number, revision = 1) => ({ connectionId, revision, mark: `m${revision}` });
const fingerprint = new Uint8Array(32).fill(0xab);
const plenty = 2 ** 50;

/** An empty DATA_DIR, and instances that keep files there. */
async function setUp(t: TestContext) {
  const dataDir = await scratchFolder(t);
  const folder = graphFolder(dataDir, fingerprint);
  // A file that is read gets this time, and one that is written a later one, from the file system.
  const time = { now: Date.now() - 3_600_000, free: plenty };
  const warnings: string[] = [];
  const log: Log = {
    level: "warn",
    info() {},
    warn: (_, message) => void warnings.push(message),
    error() {},
    child: () => log,
  };
  const instance = (maxBytes = plenty) =>
    new GraphFiles({
      dataDir,
      fingerprint,
      maxBytes,
      clock: () => time.now,
      log,
      freeBytes: async () => time.free,
    });
  const keep = async (files: GraphFiles, ...ids: number[]) => {
    for (const id of ids) {
      files.keep(identity(id), columns);
      await files.settled();
    }
  };
  const names = async () => (await readdir(folder).catch(() => [])).sort();
  return { dataDir, folder, time, warnings, instance, keep, names };
}

function assertSame(read: GraphColumns | null): void {
  assert.ok(read !== null, "the graph is in a file");
  assert.deepEqual(new Graph(read).columns, columns);
}

const everyone = async (ids: readonly number[]) => new Set(ids);

test("a graph that one process kept is read by another, and the newest of several is kept", async (t) => {
  const { instance, names, folder, warnings } = await setUp(t);
  const [writing, reading] = [instance(), instance()];
  assert.equal(await reading.read(identity(1)), null);
  for (const revision of [1, 2, 3]) writing.keep(identity(1, revision), columns);
  await writing.settled();
  assert.deepEqual(await names(), ["1.graph"]);
  assertSame(await reading.read(identity(1, 3)));
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.deepEqual(warnings, []);
});

test("two processes that write and read the same files at the same time give whole graphs or none", async (t) => {
  const { instance, warnings } = await setUp(t);
  const processes = [instance(), instance()];
  for (let revision = 1; revision <= 20; revision += 1) {
    for (const files of processes) files.keep(identity(1, revision), columns);
    const read = await Promise.all(processes.map((files) => files.read(identity(1, revision))));
    for (const found of read) if (found !== null) assertSame(found);
    await Promise.all(processes.map((files) => files.settled()));
  }
  for (const files of processes) files.keep(identity(1, 21), columns);
  await Promise.all(processes.map((files) => files.settled()));
  assertSame(await instance().read(identity(1, 21)));
  assert.deepEqual(warnings, []);
});

test("a file of another graph is deleted, and one that is damaged too, with a line in the log", async (t) => {
  const { instance, keep, names, folder, warnings } = await setUp(t);
  const files = instance();
  await keep(files, 1, 2);
  assert.equal(await files.read(identity(1, 9)), null);
  assert.deepEqual([await names(), warnings], [["2.graph"], []]);
  await writeFile(graphFilePath(folder, 2), "clew");
  assert.equal(await files.read(identity(2)), null);
  assert.deepEqual([await names(), warnings.length], [[], 1]);
});

test("GRAPH-15: files of connections that are gone are deleted, whichever process wrote them", async (t) => {
  const { instance, keep, names } = await setUp(t);
  const [own, other] = [instance(), instance()];
  await keep(other, 1, 2, 3);
  const live = async (ids: readonly number[]) => new Set(ids.filter((id) => id !== 2));
  await own.tend(live);
  assert.deepEqual(await names(), ["1.graph", "3.graph"]);
  await own.tend(async () => new Set());
  assert.deepEqual(await names(), []);
});

test("GRAPH-15: a connection that is removed while its graph is written leaves no file", async (t) => {
  const { instance, names } = await setUp(t);
  const files = instance();
  files.keep(identity(1), columns);
  files.keep(identity(2), columns);
  files.forget(1);
  files.forget(2);
  files.keep(identity(2), columns);
  await files.settled();
  assert.deepEqual(await names(), []);
});

test("files of other installations and files that were never finished are deleted", async (t) => {
  const { instance, keep, names, folder, time } = await setUp(t);
  const files = instance();
  await keep(files, 1);
  const stranger = join(dirname(folder), "0123456789abcdef");
  await mkdir(stranger);
  await writeFile(join(stranger, "1.graph"), "");
  const [old, recent] = ["2.graph.a1.tmp", "2.graph.b2.tmp"];
  for (const name of [old, recent]) await writeFile(join(folder, name), "");
  const longAgo = time.now / 1000 - 11 * 60;
  await utimes(join(folder, old), longAgo, longAgo);
  await files.tend(everyone);
  assert.deepEqual(await names(), ["1.graph", recent]);
  assert.deepEqual(await readdir(dirname(folder)), [folder.slice(dirname(folder).length + 1)]);
});

test("files take a bounded room: those that were used longest ago are deleted first", async (t) => {
  const { instance, keep, names, folder, time } = await setUp(t);
  const first = instance();
  await keep(first, 1);
  const { size } = await stat(graphFilePath(folder, 1));
  const files = instance(4.5 * size);
  await files.tend(everyone);
  await keep(files, 2, 3, 4);
  for (const id of [1, 2, 3, 4]) {
    time.now += 1000;
    await files.read(identity(id));
  }
  time.now += 1000;
  await files.read(identity(1));
  await keep(files, 5);
  assert.deepEqual(await names(), ["1.graph", "3.graph", "4.graph", "5.graph"]);
});

test("no file is added while the disk is short of room, and all go if it fills up", async (t) => {
  const { instance, keep, names, folder, time, warnings } = await setUp(t);
  const files = instance();
  await keep(files, 1, 2);
  time.free = 400 * 1024 ** 2;
  await keep(files, 3, 4);
  assert.deepEqual(await names(), ["1.graph", "2.graph"]);
  assert.equal(warnings.length, 1, "the same failure is logged once");
  await files.tend(everyone);
  assert.deepEqual(await names(), ["1.graph", "2.graph"]);
  time.free = 200 * 1024 ** 2;
  await files.tend(everyone);
  assert.deepEqual(await names(), []);
  time.free = plenty;
  await keep(files, 5);
  assert.ok((await stat(graphFilePath(folder, 5))).size > 0);
});

test("a folder that cannot be written or read costs lines in the log, and nothing else", async (t) => {
  const { instance, keep, dataDir, warnings } = await setUp(t);
  await writeFile(join(dataDir, "graphs"), "a file where the folder should be");
  const files = instance();
  await keep(files, 1, 2);
  assert.equal(await files.read(identity(1)), null);
  assert.match(warnings.join("\n"), /failed to keep a graph/);
});

test("OPS-3: what is being written when Clew stops is dropped, and nothing is written later", async (t) => {
  const { instance, names } = await setUp(t);
  const files = instance();
  for (const id of [1, 2, 3]) files.keep(identity(id), columns);
  await files.close();
  files.keep(identity(4), columns);
  await files.settled();
  assert.equal(
    (await names()).some((name) => name.endsWith(".tmp")),
    false,
  );
  assert.equal((await names()).includes("4.graph"), false);
});
