const unitsPerCheckpoint = 512;
const surrogate = /[\ud800-\udfff]/;

/** Converts positions in a text between UTF-16 units, which strings have, and code points, which Clew answers with. */
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
      count += startsCharacter(this.#text, at);
    return count;
  }

  /** The position in units after a number of code points. */
  unitAt(codePoint: number): number {
    const checkpoints = this.#checkpoints;
    if (checkpoints === null) return Math.min(codePoint, this.#text.length);
    let low = 0;
    let high = checkpoints.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((checkpoints[middle] ?? 0) <= codePoint) low = middle;
      else high = middle - 1;
    }
    let unit = low * unitsPerCheckpoint;
    let count = checkpoints[low] ?? 0;
    while (unit < this.#text.length) {
      count += startsCharacter(this.#text, unit);
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
    count += startsCharacter(text, unit);
  }
  if (text.length % unitsPerCheckpoint === 0) checkpoints[text.length / unitsPerCheckpoint] = count;
  return checkpoints;
}

/** 0 for the second half of a surrogate pair, otherwise 1. */
function startsCharacter(text: string, unit: number): 0 | 1 {
  const isLow = (text.charCodeAt(unit) & 0xfc00) === 0xdc00;
  return isLow && unit > 0 && (text.charCodeAt(unit - 1) & 0xfc00) === 0xd800 ? 0 : 1;
}
