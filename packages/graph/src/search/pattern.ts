import { at, unitAt } from "../column.ts";
import { unitsOf } from "./packed-texts.ts";

/** A text that is looked for in others. */
export interface Pattern {
  readonly units: Uint16Array;
  /** For each beginning of the text, the length of the longest shorter beginning that it ends with. */
  readonly borders: Uint32Array;
}

export function patternOf(text: string): Pattern {
  const units = unitsOf(text);
  const borders = new Uint32Array(units.length);
  let length = 0;
  for (let end = 1; end < units.length; end += 1) {
    while (length > 0 && unitAt(units, end) !== unitAt(units, length)) length = at(borders, length - 1);
    if (unitAt(units, end) === unitAt(units, length)) length += 1;
    borders[end] = length;
  }
  return { units, borders };
}

/**
 * Where a text has the pattern for the first time between two positions, -1 where it has not.
 * Knuth, Morris and Pratt's search: linear, whatever the text.
 */
export function indexIn({ units, borders }: Pattern, text: Uint16Array, start: number, end: number): number {
  let matched = 0;
  for (let position = start; position < end; position += 1) {
    const unit = unitAt(text, position);
    while (matched > 0 && unit !== unitAt(units, matched)) matched = at(borders, matched - 1);
    if (unit === unitAt(units, matched)) matched += 1;
    if (matched === units.length) return position + 1 - matched;
  }
  return -1;
}
