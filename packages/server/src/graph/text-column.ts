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
  const bytes = Buffer.alloc(at(offsets, texts.length));
  texts.forEach((text, index) => {
    const start = at(offsets, index);
    if (text === null) bytes[start] = nullByte;
    else bytes.write(text, start);
  });
  return { bytes, offsets };
}

export function textAt({ bytes, offsets }: TextColumn, index: number): string | null {
  const start = at(offsets, index);
  const end = at(offsets, index + 1);
  if (start < end && byteAt(bytes, start) === nullByte) return null;
  return bytes.toString("utf8", start, end);
}
