import assert from "node:assert/strict";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Graph } from "@clew/graph";
import { buildGraph, id, page, reference } from "@clew/graph/testing";
import fc from "fast-check";
import { scratchFolder } from "../store/testing/scratch.ts";
import { GraphFileError, type GraphIdentity, readGraphFile, writeGraphFile } from "./graph-file.ts";

const identity: GraphIdentity = { connectionId: 7, revision: 3, mark: "2f1c" };

const { columns } = buildGraph({
  nodes: [
    page(1, { title: "Ünïcödé 🧵", aliases: ["thread"] }),
    page(2, { title: "日本語", parentId: id(1), url: null }),
  ],
  references: [reference(1, 2, "relation", { name: "\ud800 half a pair" })],
});

/** A file of that graph. */
async function written(t: TestContext) {
  const folder = await scratchFolder(t);
  const path = join(folder, "7.graph");
  const write = (signal = new AbortController().signal) =>
    writeGraphFile(path, `${path}.tmp`, { identity, columns }, signal);
  const bytes = await write();
  return { folder, path, bytes, write, content: await readFile(path) };
}

const faultOf = async (path: string, asked = identity) => {
  const error = await readGraphFile(path, asked).catch((thrown: unknown) => thrown);
  if (error instanceof GraphFileError) return error.fault;
  assert.ok(!(error instanceof Error), String(error));
  return null;
};

test("a graph in a file is the one that was written, in memory that threads share, and only its owner can read it", async (t) => {
  const { folder, path, bytes } = await written(t);
  const read = await readGraphFile(path, identity);
  assert.deepEqual(new Graph(read).columns, columns);
  assert.ok(read.ids.buffer instanceof SharedArrayBuffer);
  const { mode, size } = await stat(path);
  assert.deepEqual([mode & 0o777, size], [0o600, bytes]);
  assert.deepEqual(await readdir(folder), ["7.graph"]);
});

test("a file holds one revision of one connection: another is not read from it", async (t) => {
  const { path } = await written(t);
  for (const other of [{ connectionId: 8 }, { revision: 4 }, { mark: "2f1d" }])
    assert.equal(await faultOf(path, { ...identity, ...other }), "other");
});

test("a file of another format is not read", async (t) => {
  const { path, content } = await written(t);
  content.writeUInt32LE(content.readUInt32LE(12) + 1, 12);
  await writeFile(path, content);
  assert.equal(await faultOf(path), "other");
});

test("a damaged file gives no graph: cut short, longer, or with any bit flipped", async (t) => {
  const { path, content } = await written(t);
  const refused = async (damaged: Uint8Array) => {
    await writeFile(path, damaged);
    assert.notEqual(await faultOf(path), null);
  };
  const position = fc.nat(content.length - 1);
  const bit = fc.integer({ min: 0, max: 7 });
  await fc.assert(
    fc.asyncProperty(position, (length) => refused(content.subarray(0, length))),
    { numRuns: 100 },
  );
  await fc.assert(
    fc.asyncProperty(position, bit, (at, shift) => {
      const flipped = Buffer.from(content);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << shift);
      return refused(flipped);
    }),
    { numRuns: 300 },
  );
  // Each field of the header, and the end of each part.
  for (let at = 0; at < 64; at += 1) {
    const changed = Buffer.from(content);
    changed[at] = 0xff - (changed[at] ?? 0);
    await refused(changed);
  }
  await refused(Buffer.concat([content, Buffer.alloc(8)]));
  await refused(Buffer.alloc(content.length));
  await refused(new Uint8Array());
  await writeFile(path, content);
  assert.equal(await faultOf(path), null);
});

test("a write that is stopped, or fails, leaves the earlier file and nothing else", async (t) => {
  const { folder, path, write, content } = await written(t);
  await assert.rejects(write(AbortSignal.abort(new Error("Clew stops"))), /Clew stops/);
  await assert.rejects(
    writeGraphFile(folder, `${path}.tmp`, { identity, columns }, new AbortController().signal),
    /EISDIR|ENOTEMPTY|EEXIST/,
  );
  assert.deepEqual(await readdir(folder), ["7.graph"]);
  assert.deepEqual(await readFile(path), content);
});
