import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { endianness } from "node:os";
import { columnsFormat, columnsFrom, type GraphColumns, storedColumns } from "@clew/graph";

/*
 * A built graph in a file: a header, the identity, the layout of the columns, the columns as they are in memory, and the SHA-256 of
 * all that. A file is written under another name and renamed, so it is never read before it is whole.
 *
 *   bytes  content
 *      12  "clew graph\n" and a zero
 *       4  format of the file and of its columns
 *       4  length of the identity, padded
 *       4  length of the layout, padded
 *       8  length of the columns
 */

/** The graph that a file holds. */
export interface GraphIdentity {
  readonly connectionId: number;
  readonly revision: number;
  /** Random, of this revision alone: the same number may come again after a restore, with another graph. */
  readonly mark: string;
}

/** Why a file holds no graph: `other` one than the one asked for, or it is `damaged`. */
export class GraphFileError extends Error {
  override readonly name = "GraphFileError";
  readonly fault: "other" | "damaged";

  constructor(fault: GraphFileError["fault"], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.fault = fault;
  }
}

/** The format of the file around the columns. Raise it if that changes. */
const fileFormat = 1;

const signature = Buffer.from("clew graph\n\0");
const formatBytes = Buffer.from(Uint32Array.of(fileFormat * 0x10000 + columnsFormat).buffer);
const headerBytes = 32;
const digestBytes = 32;

/** The header and the identity are within these first bytes of a file. */
const leadBytes = 4096;

/** Bytes that are read or written, and hashed, at a time: the thread is free between two. */
const sliceBytes = 512 * 1024;

/**
 * Writes a graph to `path`, through a file at `temporary`. Returns the bytes that it takes. Stops with the signal's reason if
 * that is aborted; whatever it throws, the temporary file is gone.
 */
export async function writeGraphFile(
  path: string,
  temporary: string,
  graph: { readonly identity: GraphIdentity; readonly columns: GraphColumns },
  signal: AbortSignal,
): Promise<number> {
  const file = await open(temporary, "wx", 0o600);
  try {
    const bytes = await writeParts(file, graph, signal).finally(() => file.close());
    signal.throwIfAborted();
    await rename(temporary, path);
    return bytes;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeParts(
  file: FileHandle,
  { identity, columns }: Parameters<typeof writeGraphFile>[2],
  signal: AbortSignal,
): Promise<number> {
  const stored = storedColumns(columns);
  const identityText = padded(identityOf(identity));
  const layout = padded(stored.layout);
  const lengths = Buffer.alloc(headerBytes - signature.length - formatBytes.length);
  lengths.writeUInt32LE(identityText.length, 0);
  lengths.writeUInt32LE(layout.length, 4);
  lengths.writeBigUInt64LE(BigInt(stored.byteLength), 8);
  const hash = createHash("sha256");
  let total = 0;
  for (const slices of batchesOf([signature, formatBytes, lengths, identityText, layout, ...stored.parts])) {
    signal.throwIfAborted();
    for (const slice of slices) hash.update(slice);
    total += await writeAll(file, slices);
  }
  return total + (await writeAll(file, [hash.digest()]));
}

/** The bytes of all parts in their order, in batches of at most `sliceBytes`. */
function* batchesOf(parts: readonly Uint8Array[]): Generator<Uint8Array[]> {
  let batch: Uint8Array[] = [];
  let room = sliceBytes;
  for (const part of parts) {
    for (let start = 0; start < part.length; ) {
      const slice = part.subarray(start, start + room);
      batch.push(slice);
      start += slice.length;
      room -= slice.length;
      if (room > 0) continue;
      yield batch;
      batch = [];
      room = sliceBytes;
    }
  }
  if (batch.length > 0) yield batch;
}

async function writeAll(file: FileHandle, slices: readonly Uint8Array[]): Promise<number> {
  const bytes = slices.reduce((sum, { length }) => sum + length, 0);
  const { bytesWritten } = await file.writev(slices);
  // It writes less where the disk or a quota is full.
  if (bytesWritten !== bytes) throw new Error(`wrote ${bytesWritten} of ${bytes} bytes`);
  return bytes;
}

/**
 * Reads a graph into memory that threads share. Throws `GraphFileError` if the file holds another graph or is damaged, or the
 * error of the file system.
 */
export async function readGraphFile(path: string, identity: GraphIdentity): Promise<GraphColumns> {
  const file = await open(path, "r");
  try {
    return await readColumns(file, identity);
  } finally {
    await file.close();
  }
}

async function readColumns(file: FileHandle, identity: GraphIdentity): Promise<GraphColumns> {
  const { size } = await file.stat();
  const lead = Buffer.alloc(Math.min(leadBytes, size));
  await readInto(file, lead);
  const lengths = lengthsIn(lead, identity);
  const columnsStart = headerBytes + lengths.identity + lengths.layout;
  const end = columnsStart + lengths.columns;
  if (size !== end + digestBytes)
    throw new GraphFileError("damaged", `it has ${size} bytes, not ${end + digestBytes}`);
  const memory = new SharedArrayBuffer(size);
  const bytes = Buffer.from(memory);
  const hash = createHash("sha256");
  await readInto(file, bytes, hash, end);
  if (!hash.digest().equals(bytes.subarray(end)))
    throw new GraphFileError("damaged", "its checksum does not fit");
  return columnsFrom(
    bytes.toString("utf8", headerBytes + lengths.identity, columnsStart),
    memory,
    columnsStart,
  );
}

/** Reads from the start of the file until `bytes` are full, and hashes those before `hashed`. */
async function readInto(file: FileHandle, bytes: Buffer, hash?: Hash, hashed = 0): Promise<void> {
  for (let start = 0; start < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, start, Math.min(sliceBytes, bytes.length - start), start);
    if (bytesRead === 0) throw new GraphFileError("damaged", `it ends after ${start} bytes`);
    hash?.update(bytes.subarray(start, Math.min(start + bytesRead, hashed)));
    start += bytesRead;
  }
}

/** The lengths that the first bytes of a file name. Throws `GraphFileError` if it does not hold the graph of this identity. */
function lengthsIn(lead: Buffer, identity: GraphIdentity) {
  if (lead.length < headerBytes || !lead.subarray(0, signature.length).equals(signature))
    throw new GraphFileError("damaged", "it does not begin as a graph does");
  if (!lead.subarray(signature.length, signature.length + formatBytes.length).equals(formatBytes))
    throw new GraphFileError("other", "it has another format");
  const lengths = {
    identity: lead.readUInt32LE(16),
    layout: lead.readUInt32LE(20),
    columns: Number(lead.readBigUInt64LE(24)),
  };
  const expected = padded(identityOf(identity));
  if (!lead.subarray(headerBytes, headerBytes + lengths.identity).equals(expected))
    throw new GraphFileError("other", "it holds another graph");
  return lengths;
}

/** Also names what the columns depend on besides their format: the order of bytes, and the Unicode by which titles are folded. */
function identityOf({ connectionId, revision, mark }: GraphIdentity): string {
  return JSON.stringify({
    connectionId,
    revision,
    mark,
    bytes: endianness(),
    unicode: process.versions.unicode,
  });
}

/** A text in UTF-8 whose length is a multiple of eight, as the columns need it. */
function padded(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 7, " ")]);
}
