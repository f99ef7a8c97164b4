import { at, byteAt } from "./column.ts";
import type { TextRows } from "./graph-rows.ts";

/** A column of texts, packed as UTF-8 one after the other. */
export interface TextColumn {
  readonly bytes: Buffer;
  /** Where each text begins, and after the last where it ends. */
  readonly offsets: Uint32Array;
}

/** Stands for null, as in rows: a byte that UTF-8 never uses. */
const nullByte = 0xff;

/** Texts as rows. A lone surrogate becomes U+FFFD, as in every UTF-8. */
export function rowsOfTexts(texts: readonly (string | null)[]): TextRows {
  const parts = texts.map((text) => (text === null ? Buffer.of(nullByte) : Buffer.from(text)));
  return { bytes: Buffer.concat(parts), lengths: parts.map(({ length }) => length) };
}

/** One column of batches that follow one another. Takes them away, so that each one's memory can go. */
export function joinTexts(batches: TextRows[]): TextColumn {
  const bytes = ownBuffer(batches.reduce((sum, batch) => sum + batch.bytes.length, 0));
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

/** A column that came from another thread: what was a Buffer there arrives as plain bytes. */
export function receivedTexts({ bytes, offsets }: { bytes: Uint8Array; offsets: Uint32Array }): TextColumn {
  return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), offsets };
}

export function textAt({ bytes, offsets }: TextColumn, index: number): string | null {
  const start = at(offsets, index);
  const end = at(offsets, index + 1);
  if (start < end && byteAt(bytes, start) === nullByte) return null;
  return bytes.toString("utf8", start, end);
}

/** A Buffer whose memory is its own, and can be moved to another thread: Node's own share theirs. */
function ownBuffer(length: number): Buffer {
  return Buffer.from(new ArrayBuffer(length));
}
