import { at, byteAt } from "./column.ts";
import type { TextRows } from "./graph-rows.ts";
import { idAt, type NodeIds, wordsPerId } from "./node-ids.ts";
import { type TextColumn, textAt } from "./text-column.ts";

/**
 * The URLs of nodes without what most of them have in common: how they begin, and the node's own id, 32 hexadecimal
 * digits at the end. A byte that UTF-8 never uses stands for each.
 */
export interface UrlColumn {
  readonly beginning: string;
  readonly texts: TextColumn;
}

const forBeginning = Uint8Array.of(0xfd);
const forId = Uint8Array.of(0xfe);

/** How the URLs of a workspace are taken to begin: as the first one does, as far as its last slash. */
export function beginningOf({ bytes, lengths }: TextRows): Uint8Array | null {
  let start = 0;
  for (const length of lengths) {
    const slash = bytes.subarray(start, start + length).lastIndexOf(0x2f);
    if (slash >= 0) return bytes.subarray(start, start + slash + 1);
    start += length;
  }
  return null;
}

/** The same texts, shortened. `ids` are those of their nodes. */
export function shortenUrls({ bytes, lengths }: TextRows, ids: NodeIds, beginning: Uint8Array): TextRows {
  const shortened = new Uint8Array(bytes.length);
  let [start, written] = [0, 0];
  const write = (part: Uint8Array) => {
    shortened.set(part, written);
    written += part.length;
  };
  const shortenedLengths = lengths.map((length, node) => {
    const [before, end] = [written, start + length];
    const from = start + (beginsWith(bytes, start, end, beginning) ? beginning.length : 0);
    const to = end - (endsWithId(bytes, from, end, ids, node) ? digits : 0);
    if (from > start) write(forBeginning);
    if (to > from) write(bytes.subarray(from, to));
    if (end > to) write(forId);
    start = end;
    return written - before;
  });
  return { bytes: shortened.slice(0, written), lengths: shortenedLengths };
}

/** null where the node has none. */
export function urlAt({ beginning, texts }: UrlColumn, ids: NodeIds, index: number): string | null {
  const [start, end] = [at(texts.offsets, index), at(texts.offsets, index + 1)];
  const hasBeginning = start < end && byteAt(texts.bytes, start) === forBeginning[0];
  const hasId = start < end && byteAt(texts.bytes, end - 1) === forId[0];
  if (!hasBeginning && !hasId) return textAt(texts, index);
  const rest = texts.bytes.toString("utf8", start + Number(hasBeginning), end - Number(hasId));
  return (hasBeginning ? beginning : "") + rest + (hasId ? idAt(ids, index).replaceAll("-", "") : "");
}

function beginsWith(bytes: Uint8Array, start: number, end: number, beginning: Uint8Array): boolean {
  if (beginning.length === 0 || end - start < beginning.length) return false;
  for (let index = 0; index < beginning.length; index += 1) {
    if (byteAt(bytes, start + index) !== byteAt(beginning, index)) return false;
  }
  return true;
}

const digits = 32;
const hexadecimal = Buffer.from("0123456789abcdef");

function endsWithId(bytes: Uint8Array, start: number, end: number, ids: NodeIds, node: number): boolean {
  if (end - start < digits) return false;
  for (let digit = 0; digit < digits; digit += 1) {
    const word = at(ids, node * wordsPerId + (digit >>> 3));
    const nibble = (word >>> (28 - 4 * (digit & 7))) & 0xf;
    if (byteAt(bytes, end - digits + digit) !== byteAt(hexadecimal, nibble)) return false;
  }
  return true;
}
