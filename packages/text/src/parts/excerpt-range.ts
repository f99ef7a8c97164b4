import { isWithinPair, unitAfter, widthAt } from "../basics/code-points.ts";
import { lastAtMost } from "../basics/first-index.ts";

/** A part of a text: `[start, end)` in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A range of at most `maxCodePoints` around a part of a text. It begins where `within` does, unless that is too far from the
 * part: then at a word before it. It ends with `within`, with a sentence or else with a word.
 */
export function rangeAround(
  text: string,
  part: TextRange,
  { within, sentences, maxCodePoints }: Excerpt,
): TextRange {
  const isNear = codePointsWithin(text, within.start, part.start, maxCodePoints) < (maxCodePoints * 3) / 4;
  const start = isNear ? within.start : wordBefore(text, part.start, within.start, maxCodePoints / 3);
  const limit = unitAfter(text, maxCodePoints, start);
  if (limit >= within.end) return trimmed(text, start, within.end);
  const boundary = sentences[lastAtMost(sentences, limit)] ?? 0;
  return trimmed(text, start, boundary >= part.end ? boundary : wordEnd(text, limit, part.end));
}

interface Excerpt {
  readonly within: TextRange;
  /** The starts of the sentences of the text. */
  readonly sentences: readonly number[];
  readonly maxCodePoints: number;
}

/** Counts the code points between two positions; may stop at a limit. */
export function codePointsWithin(
  text: string,
  start: number,
  end: number,
  limit = Number.POSITIVE_INFINITY,
): number {
  let count = 0;
  for (let at = start; at < end && count < limit; count += 1) at += widthAt(text, at);
  return count;
}

const isSpace = (text: string, position: number) => /\s/.test(text.charAt(position));

/** The start of a word at most some units before a position; if there is none, a character's start. */
function wordBefore(text: string, position: number, start: number, units: number): number {
  const from = Math.max(start, Math.floor(position - units));
  for (let at = from + 1; at < position; at += 1) {
    if (isSpace(text, at - 1) && !isSpace(text, at)) return at;
  }
  return isWithinPair(text, from) ? from + 1 : from;
}

/** The last space between a position and a limit; the limit if there is none. */
function wordEnd(text: string, limit: number, position: number): number {
  for (let at = limit; at >= position; at -= 1) if (isSpace(text, at)) return at;
  return limit;
}

function trimmed(text: string, start: number, end: number): TextRange {
  let [from, to] = [start, end];
  while (from < to && isSpace(text, from)) from += 1;
  while (to > from && isSpace(text, to - 1)) to -= 1;
  return { start: from, end: to };
}
