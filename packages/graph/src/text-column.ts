import { at, byteAt } from "./columns.ts";
import { type NodeIds, undashedIdAt, wordsPerId } from "./node-ids.ts";

/** Concatenated texts. */
export interface TextRows {
  /** UTF-8; null is the one byte 0xff, which UTF-8 never uses. */
  readonly bytes: Uint8Array;
  /** The length of each text in bytes. */
  readonly lengths: readonly number[];
}

/** A column of texts, concatenated as UTF-8. */
export interface TextColumn {
  readonly bytes: Buffer;
  /** The start of each text; the last element is the end of the last text. */
  readonly offsets: Uint32Array;
}

/** Stands for null, as in `TextRows`: a byte that UTF-8 never uses. */
const nullByte = 0xff;

/** Concatenates batches. Empties the list, so that their memory can be collected. */
export function joinTexts(batches: TextRows[]): TextColumn {
  const bytes = Buffer.alloc(batches.reduce((sum, batch) => sum + batch.bytes.length, 0));
  const offsets = new Uint32Array(batches.reduce((sum, batch) => sum + batch.lengths.length, 0) + 1);
  let [row, start, end] = [0, 0, 0];
  for (const batch of batches.splice(0)) {
    bytes.set(batch.bytes, start);
    start += batch.bytes.length;
    for (const length of batch.lengths) {
      row += 1;
      end += length;
      offsets[row] = end;
    }
  }
  return { bytes, offsets };
}

/** Restores a column that another thread sent: its Buffer arrives as plain bytes. */
export function receivedTexts({ bytes, offsets }: { bytes: Uint8Array; offsets: Uint32Array }): TextColumn {
  return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), offsets };
}

/** The texts of a batch, one by one. */
export function* textsIn({ bytes, lengths }: TextRows): Generator<string | null> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  for (const length of lengths) {
    const end = start + length;
    yield length > 0 && byteAt(bytes, start) === nullByte ? null : buffer.toString("utf8", start, end);
    start = end;
  }
}

export function textAt({ bytes, offsets }: TextColumn, index: number): string | null {
  const start = at(offsets, index);
  const end = at(offsets, index + 1);
  if (start < end && byteAt(bytes, start) === nullByte) return null;
  return bytes.toString("utf8", start, end);
}

/**
 * The URLs of nodes without the parts that most have in common: their prefix, and the node's own id as 32 hexadecimal
 * digits at the end. One byte that UTF-8 never uses stands for each.
 */
export interface UrlColumn {
  readonly prefix: string;
  readonly texts: TextColumn;
}

const prefixByte = Uint8Array.of(0xfd);
const idByte = Uint8Array.of(0xfe);

/** The prefix that a workspace's URLs are assumed to share: the first URL up to its last slash. null if there is none. */
export function urlPrefixOf({ bytes, lengths }: TextRows): Uint8Array | null {
  let start = 0;
  for (const length of lengths) {
    const slash = bytes.subarray(start, start + length).lastIndexOf(0x2f);
    if (slash >= 0) return bytes.subarray(start, start + slash + 1);
    start += length;
  }
  return null;
}

/** Shortens URLs. `ids` are those of their nodes. */
export function shortenUrls({ bytes, lengths }: TextRows, ids: NodeIds, prefix: Uint8Array): TextRows {
  const shortened = new Uint8Array(bytes.length);
  let [start, written] = [0, 0];
  const write = (part: Uint8Array) => {
    shortened.set(part, written);
    written += part.length;
  };
  const shortenedLengths = lengths.map((length, node) => {
    const [before, end] = [written, start + length];
    const from = start + (startsWith(bytes, start, end, prefix) ? prefix.length : 0);
    const to = end - (endsWithId(bytes, from, end, ids, node) ? idDigits : 0);
    if (from > start) write(prefixByte);
    if (to > from) write(bytes.subarray(from, to));
    if (end > to) write(idByte);
    start = end;
    return written - before;
  });
  return { bytes: shortened.slice(0, written), lengths: shortenedLengths };
}

/** null if the node has no URL. */
export function urlAt({ prefix, texts }: UrlColumn, ids: NodeIds, index: number): string | null {
  const [start, end] = [at(texts.offsets, index), at(texts.offsets, index + 1)];
  const hasPrefix = start < end && byteAt(texts.bytes, start) === prefixByte[0];
  const hasId = start < end && byteAt(texts.bytes, end - 1) === idByte[0];
  if (!hasPrefix && !hasId) return textAt(texts, index);
  const rest = texts.bytes.toString("utf8", start + Number(hasPrefix), end - Number(hasId));
  return (hasPrefix ? prefix : "") + rest + (hasId ? undashedIdAt(ids, index) : "");
}

function startsWith(bytes: Uint8Array, start: number, end: number, prefix: Uint8Array): boolean {
  if (prefix.length === 0 || end - start < prefix.length) return false;
  for (let index = 0; index < prefix.length; index += 1) {
    if (byteAt(bytes, start + index) !== byteAt(prefix, index)) return false;
  }
  return true;
}

const idDigits = 32;
const hexadecimal = Buffer.from("0123456789abcdef");

function endsWithId(bytes: Uint8Array, start: number, end: number, ids: NodeIds, node: number): boolean {
  if (end - start < idDigits) return false;
  for (let digit = 0; digit < idDigits; digit += 1) {
    const word = at(ids, node * wordsPerId + (digit >>> 3));
    const nibble = (word >>> (28 - 4 * (digit & 7))) & 0xf;
    if (byteAt(bytes, end - idDigits + digit) !== byteAt(hexadecimal, nibble)) return false;
  }
  return true;
}
