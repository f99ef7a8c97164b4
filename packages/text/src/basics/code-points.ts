import { firstIndex } from "./first-index.ts";

/*
 * Positions in texts are counted in Unicode code points where clients see them, and strings in UTF-16 units. A surrogate
 * without its counterpart is a code point by itself.
 */

/** Whether a position is between the halves of a surrogate pair. */
export function isWithinPair(text: string, unit: number): boolean {
  return (text.charCodeAt(unit) & 0xfc00) === 0xdc00 && (text.charCodeAt(unit - 1) & 0xfc00) === 0xd800;
}

/** The UTF-16 units of the code point at a position. */
export function widthAt(text: string, unit: number): 1 | 2 {
  return isWithinPair(text, unit + 1) ? 2 : 1;
}

/** The length of a text in code points. */
export function countCodePoints(text: string): number {
  let pairs = 0;
  for (let unit = 1; unit < text.length; unit += 1) if (isWithinPair(text, unit)) pairs += 1;
  return text.length - pairs;
}

/** The UTF-16 unit that is `count` code points after the unit `from`, or the text's end. */
export function unitAfter(text: string, count: number, from = 0): number {
  let unit = from;
  for (let left = count; left > 0 && unit < text.length; left -= 1) unit += widthAt(text, unit);
  return unit;
}

const unitsPerCheckpoint = 512;
const surrogate = /[\ud800-\udfff]/;

/** Converts many positions in a text between UTF-16 units and code points. */
export class CodePoints {
  readonly #text: string;
  /** The code points before each multiple of `unitsPerCheckpoint` units; null if each unit is a code point. */
  readonly #checkpoints: Uint32Array | null;

  constructor(text: string) {
    this.#text = text;
    this.#checkpoints = surrogate.test(text) ? checkpointsOf(text) : null;
  }

  /** The code points before a position in units. */
  before(unit: number): number {
    if (this.#checkpoints === null) return unit;
    const checkpoint = Math.floor(unit / unitsPerCheckpoint);
    let count = this.#checkpoints[checkpoint] ?? 0;
    for (let at = checkpoint * unitsPerCheckpoint; at < unit; at += 1)
      if (!isWithinPair(this.#text, at)) count += 1;
    return count;
  }

  /** The position in units after a number of code points. */
  unitAt(codePoint: number): number {
    const checkpoints = this.#checkpoints;
    if (checkpoints === null) return Math.min(codePoint, this.#text.length);
    const isBeyond = (checkpoint: number) => (checkpoints[checkpoint] ?? 0) > codePoint;
    const checkpoint = firstIndex(1, checkpoints.length, isBeyond) - 1;
    let unit = checkpoint * unitsPerCheckpoint;
    let count = checkpoints[checkpoint] ?? 0;
    while (unit < this.#text.length) {
      if (!isWithinPair(this.#text, unit)) count += 1;
      if (count > codePoint) break;
      unit += 1;
    }
    return unit;
  }
}

function checkpointsOf(text: string): Uint32Array {
  const checkpoints = new Uint32Array(Math.floor(text.length / unitsPerCheckpoint) + 1);
  let count = 0;
  for (let unit = 0; unit < text.length; unit += 1) {
    if (unit % unitsPerCheckpoint === 0) checkpoints[unit / unitsPerCheckpoint] = count;
    if (!isWithinPair(text, unit)) count += 1;
  }
  if (text.length % unitsPerCheckpoint === 0) checkpoints[text.length / unitsPerCheckpoint] = count;
  return checkpoints;
}
