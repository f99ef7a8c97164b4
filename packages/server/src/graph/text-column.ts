import { at, byteAt } from "./column.ts";

/** A column of texts, packed as UTF-8 one after the other. */
export interface TextColumn {
  readonly bytes: Buffer;
  /** Where each text begins, and after the last where it ends. */
  readonly offsets: Uint32Array;
}

/** Stands for null: a byte that UTF-8 never uses. */
const nullByte = 0xff;

/** Packs texts. A lone surrogate becomes U+FFFD, as in every UTF-8. */
export function packTexts(texts: readonly (string | null)[]): TextColumn {
  const offsets = new Uint32Array(texts.length + 1);
  texts.forEach((text, index) => {
    offsets[index + 1] = at(offsets, index) + (text === null ? 1 : Buffer.byteLength(text));
  });
  const bytes = ownBuffer(at(offsets, texts.length));
  texts.forEach((text, index) => {
    const start = at(offsets, index);
    if (text === null) bytes[start] = nullByte;
    else bytes.write(text, start);
  });
  return { bytes, offsets };
}

/** One column of several that follow one another. Takes them away, so that each one's memory can go. */
export function joinTexts(parts: TextColumn[]): TextColumn {
  const bytes = ownBuffer(parts.reduce((sum, part) => sum + part.bytes.length, 0));
  const offsets = new Uint32Array(parts.reduce((sum, part) => sum + part.offsets.length - 1, 0) + 1);
  let [row, start] = [0, 0];
  for (const part of parts.splice(0)) {
    bytes.set(part.bytes, start);
    for (let index = 1; index < part.offsets.length; index += 1) {
      row += 1;
      offsets[row] = start + at(part.offsets, index);
    }
    start += part.bytes.length;
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
