import { at } from "../column.ts";

/** Folded texts as UTF-16 code units, packed one after the other. Each ends with a zero, which no folded text has. */
export interface PackedTexts {
  readonly units: Uint16Array;
  /** Where each text begins, and after the last where it ends. */
  readonly offsets: Uint32Array;
}

export function packUnits(texts: readonly string[]): PackedTexts {
  const offsets = new Uint32Array(texts.length + 1);
  texts.forEach(({ length }, row) => {
    offsets[row + 1] = at(offsets, row) + length + 1;
  });
  const units = new Uint16Array(at(offsets, texts.length));
  texts.forEach((text, row) => {
    writeUnits(text, units, at(offsets, row));
  });
  return { units, offsets };
}

export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  writeUnits(text, units, 0);
  return units;
}

function writeUnits(text: string, units: Uint16Array, start: number): void {
  for (let index = 0; index < text.length; index += 1) units[start + index] = text.charCodeAt(index);
}
