/** Ends of sentences that a space must follow: a full stop may also stand in a number or an address. */
const spaced = ".!?…";
/** Ends of sentences by themselves: Chinese and Japanese, Indic, Arabic, Armenian, Ethiopic, Khmer, Burmese, Tibetan. */
const unspaced = "。！？｡।॥؟۔։።។။༎";
/** Signs between the end of a sentence and the space after it. */
const closers = "\"'”’»)]」』）】*";

const [ordinary, endsWithSpace, ends, closes, lineBreak] = [0, 1, 2, 3, 4];
const kinds = new Uint8Array(0x1_0000);
for (const sign of spaced) kinds[sign.charCodeAt(0)] = endsWithSpace;
for (const sign of unspaced) kinds[sign.charCodeAt(0)] = ends;
for (const sign of closers) kinds[sign.charCodeAt(0)] = closes;
kinds[0x0a] = lineBreak;

/**
 * Finds the starts of the sentences and lines of a part of a text, the first at its beginning. Decided by line breaks and
 * punctuation; no sentence starts with a small letter, nor after an initial or a common abbreviation. Linear.
 */
export function sentenceStarts(text: string, from: number, to: number): number[] {
  const starts = [from];
  for (let position = from; position < to; ) {
    const kind = kinds[text.charCodeAt(position)] ?? ordinary;
    if (kind === ordinary || kind === closes) {
      position += 1;
      continue;
    }
    const stop = position;
    while (position < to && isEnd(text, position)) position += 1;
    while (position < to && kinds[text.charCodeAt(position)] === closes) position += 1;
    const next = skip(kind === lineBreak ? anySpace : space, text, position, to);
    const isBreak = kind !== endsWithSpace || (next > position && !continues(text, stop, next));
    if (isBreak && next < to && text[next] !== "\n") starts.push(next);
    position = next;
  }
  return starts;
}

function isEnd(text: string, position: number): boolean {
  const kind = kinds[text.charCodeAt(position)] ?? ordinary;
  return kind === endsWithSpace || kind === ends;
}

const anySpace = /\s/;
const space = /[^\S\n]/;

function skip(wanted: RegExp, text: string, start: number, end: number): number {
  let position = start;
  while (position < end && wanted.test(text.charAt(position))) position += 1;
  return position;
}

const abbreviations = new Set("dr mr mrs ms prof st vs etc cf no fig approx incl bzw ca evtl nr".split(" "));

/** Whether a sentence continues after the punctuation at `stop`, with the text at `next`. */
function continues(text: string, stop: number, next: number): boolean {
  if (/\p{Ll}/u.test(text.charAt(next))) return true;
  if (text[stop] !== "." || text[stop + 1] === ".") return false;
  const before = /[\p{L}\p{M}]{1,7}$/u.exec(text.slice(Math.max(0, stop - 8), stop))?.[0] ?? "";
  return before.length === 1 || abbreviations.has(before.toLowerCase());
}
