import { fold } from "./fold.ts";
import { foldPlainly } from "./plain-fold.ts";

/** Folded texts as UTF-16 code units, packed one after the other. Each ends with a zero, which no folded text has. */
export interface PackedTexts {
  readonly units: Uint16Array;
  /** Where each text begins, and after the last where it ends. */
  readonly offsets: Uint32Array;
}

/** Folds texts. `room` is how many units they may take together, as far as that is known. */
export function packFolded(count: number, textOf: (row: number) => string, room: number): PackedTexts {
  const offsets = new Uint32Array(count + 1);
  let units = new Uint16Array(room);
  const makeRoom = (length: number) => {
    if (length <= units.length) return;
    const longer = new Uint16Array(2 * length);
    longer.set(units);
    units = longer;
  };
  let end = 0;
  for (let row = 0; row < count; row += 1) {
    const text = textOf(row);
    makeRoom(end + text.length + 1);
    const plainEnd = foldPlainly(text, units, end);
    if (plainEnd >= 0) end = plainEnd + 1;
    else {
      const folded = fold(text);
      makeRoom(end + folded.length + 1);
      writeUnits(folded, units, end);
      end += folded.length + 1;
    }
    units[end - 1] = 0;
    offsets[row + 1] = end;
  }
  return { units: units.slice(0, end), offsets };
}

export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  writeUnits(text, units, 0);
  return units;
}

function writeUnits(text: string, units: Uint16Array, start: number): void {
  for (let index = 0; index < text.length; index += 1) units[start + index] = text.charCodeAt(index);
}
