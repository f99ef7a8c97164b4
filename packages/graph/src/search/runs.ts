import { unitAt } from "../column.ts";

/**
 * Splits a part of a folded text into its runs: of letters, digits and marks; and of signs. Half a surrogate pair is a
 * run by itself, since it also stands within other characters.
 *
 * Calls back with where a run begins and ends, and whether it is of signs and has nothing or a space before it.
 */
export function forEachRun(
  units: Uint16Array,
  start: number,
  end: number,
  found: (from: number, to: number, isFreeSign: boolean) => void,
): void {
  let isFree = true;
  for (let from = start; from < end; ) {
    const kind = kindAt(units, from);
    let to = from + lengthAt(units, from);
    if (kind !== space) {
      while (kind !== half && to < end && kindAt(units, to) === kind) to += lengthAt(units, to);
      found(from, to, isFree && kind !== plain);
    }
    isFree = kind === space;
    from = to;
  }
}

const [unknown, space, plain, sign, half] = [0, 1, 2, 3, 4];

/** The kinds of code units that have come up. */
const kinds = new Uint8Array(0x1_0000);

function kindAt(units: Uint16Array, position: number): number {
  const unit = unitAt(units, position);
  if (lengthAt(units, position) === 2) return kindOf(String.fromCharCode(unit, unitAt(units, position + 1)));
  if (kinds[unit] === unknown) kinds[unit] = kindOf(String.fromCharCode(unit));
  return kinds[unit] ?? unknown;
}

function kindOf(character: string): number {
  if (character === " ") return space;
  if (/[\p{L}\p{N}\p{M}]/u.test(character)) return plain;
  return /\p{Cs}/u.test(character) ? half : sign;
}

function lengthAt(units: Uint16Array, position: number): number {
  const isPair =
    (unitAt(units, position) & 0xfc00) === 0xd800 && (unitAt(units, position + 1) & 0xfc00) === 0xdc00;
  return isPair ? 2 : 1;
}
