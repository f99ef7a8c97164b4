import { fold, widthAt } from "@clew/text/basics";
import { addToHash, type TermMaker, termStrings } from "./terms.ts";

/*
 * A token is a term with its place in a text. Terms are folded as titles are (GRAPH-3):
 *
 * - a run of letters, digits and marks; what exceeds `maxTermUnits` is cut off, here and in queries alike;
 * - in a script without spaces, the overlapping pairs of characters of a run, then its last character alone;
 * - an emoji;
 * - a run of `+` or `#` directly after a word, as in `C++` and `C#`.
 *
 * Other signs separate tokens. The tokens of a text have consecutive positions.
 */

/** Longer terms are of no use to readers: encoded data, mostly. */
export const maxTermUnits = 64;

/** Receives a term and its range in the text, `[start, end)` in UTF-16 units. */
export type TokenSink<Term> = (term: Term, start: number, end: number) => void;

/** Calls `found` with each token of a text, in order. Linear in the length of the text. */
export function forEachToken<Term>(text: string, terms: TermMaker<Term>, found: TokenSink<Term>): void {
  const { length } = text;
  let position = 0;
  /** The end of the last word: only there do `+` and `#` count. */
  let wordEnd = -1;
  while (position < length) {
    const start = position;
    const kind = kindAt(text, start);
    if (kind === separator) {
      position += 1;
    } else if (kind === tail) {
      position = endOf(text, start, (kind) => kind === tail);
      if (wordEnd === start) {
        found(terms.ofText(fold(text.slice(start, position)).slice(0, maxTermUnits)), start, position);
      }
    } else {
      position = scanWord(text, start, length);
      const isAlone = position === length || kindAt(text, position) <= tail;
      if (isAlone) found(terms.ofUnits(scratch, scratchLength, scratchHash), start, position);
      else position = tokeniseChunk(text, start, terms, found);
      wordEnd = position;
    }
  }
}

/** The terms of a text, in order. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  forEachToken(text, termStrings, (term) => terms.push(term));
  return terms;
}

/** Kinds of UTF-16 units. */
const separator = 1;
/** `+` and `#`. */
const tail = 2;
/** A letter or digit that folds to one unit, whatever its neighbours. */
const word = 3;
/** The same in a script without spaces. */
const pairing = 4;
/** Everything else: marks, emoji, halves of surrogate pairs, what folds to several units or to nothing. */
const complex = 5;

/** Kinds and folded units, as far as they have been looked up. */
const kinds = new Uint8Array(0x1_0000);
const folded = new Uint16Array(0x1_0000);

function kindAt(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  return kinds[unit] || lookUp(unit);
}

/** The end of the units of some kinds that begin at a position. */
function endOf(text: string, start: number, isWanted: (kind: number) => boolean): number {
  let end = start;
  while (end < text.length && isWanted(kindAt(text, end))) end += 1;
  return end;
}

function lookUp(unit: number): number {
  const character = String.fromCharCode(unit);
  const plain = fold(character);
  const kind = kindOf(character, plain);
  kinds[unit] = kind;
  folded[unit] = plain.charCodeAt(0);
  return kind;
}

function kindOf(character: string, plain: string): number {
  if (/^[\s\p{Cc}]$/u.test(character)) return separator;
  if (/^[+#]$/.test(plain)) return tail;
  if (plain.length !== 1 || !alone.test(character) || !alone.test(plain)) return complex;
  if (emoji.test(plain)) return complex;
  if (spaceless.test(plain)) return pairing;
  return wordlike.test(plain) ? word : separator;
}

/** Characters that neither compose with a neighbour nor modify it. */
const alone = /^[[\p{L}\p{N}\p{P}\p{S}]--[\u1100-\u11ff]]$/v;
const wordlike = /^[\p{L}\p{N}\p{M}]/u;
const emoji = /^[[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]--\p{ASCII}]/v;
/** Scripts that are written without spaces between words. */
export const spaceless = new RegExp(
  `^[[${[
    ..."Han Hiragana Katakana Bopomofo Yi Tangut Nushu Khitan_Small_Script Thai Lao Khmer Myanmar".split(" "),
    ..."Tai_Le New_Tai_Lue Tai_Tham Tai_Viet Javanese Balinese".split(" "),
  ]
    .map((script) => `\\p{scx=${script}}`)
    .join("")}]&&[\\p{L}\\p{N}\\p{M}]]`,
  "v",
);

/** The folded units of the word that was scanned last. */
const scratch = new Uint16Array(maxTermUnits);
let scratchLength = 0;
let scratchHash = 0;

/** Folds the units of kind `word` from a position into `scratch`, and returns where they end. */
function scanWord(text: string, start: number, limit: number): number {
  let position = start;
  let hash = 0;
  for (; position < limit; position += 1) {
    const unit = text.charCodeAt(position);
    if ((kinds[unit] || lookUp(unit)) !== word) break;
    const index = position - start;
    if (index >= maxTermUnits) continue;
    const plain = folded[unit] ?? 0;
    scratch[index] = plain;
    hash = addToHash(hash, plain);
  }
  scratchLength = Math.min(position - start, maxTermUnits);
  scratchHash = hash;
  return position;
}

/** Tokenises the text from a position up to the next separator or tail, and returns where that is. */
function tokeniseChunk<Term>(
  text: string,
  start: number,
  terms: TermMaker<Term>,
  found: TokenSink<Term>,
): number {
  const end = endOf(text, start, (kind) => kind > tail);
  if (endOf(text, start, (kind) => kind === word || kind === pairing) >= end) {
    tokeniseByUnit(text, start, end, terms, found);
    return end;
  }
  const chunk = FoldedChunk.of(text, start, end);
  for (const { kind, from, to } of runsIn(chunk.text)) {
    if (kind === "spaceless") forEachPair(chunk, from, to, terms, found);
    else chunk.emit(from, to, terms, found);
  }
  return end;
}

/** Tokenises units of the kinds `word` and `pairing`. */
function tokeniseByUnit<Term>(
  text: string,
  start: number,
  end: number,
  terms: TermMaker<Term>,
  found: TokenSink<Term>,
): void {
  for (let position = start; position < end; ) {
    const next = scanWord(text, position, end);
    if (next > position) {
      found(terms.ofUnits(scratch, scratchLength, scratchHash), position, next);
      position = next;
    } else {
      const isPair = position + 1 < end && kindAt(text, position + 1) === pairing;
      scanPair(text, position, isPair ? 2 : 1);
      found(terms.ofUnits(scratch, scratchLength, scratchHash), position, position + scratchLength);
      position += 1;
    }
  }
}

function scanPair(text: string, position: number, length: number): void {
  scratchLength = length;
  scratchHash = 0;
  for (let index = 0; index < length; index += 1) {
    const plain = folded[text.charCodeAt(position + index)] ?? 0;
    scratch[index] = plain;
    scratchHash = addToHash(scratchHash, plain);
  }
}

/** A stretch of a text, folded, with the places of its characters. */
class FoldedChunk {
  readonly text: string;
  /** For each unit of the folded text, the range in the source that it comes from; null if all come from all of it. */
  readonly #starts: Uint32Array | null;
  readonly #ends: Uint32Array | null;
  readonly #range: readonly [number, number];

  private constructor(text: string, range: readonly [number, number], places: readonly Uint32Array[]) {
    this.text = text;
    this.#range = range;
    this.#starts = places[0] ?? null;
    this.#ends = places[1] ?? null;
  }

  static of(source: string, start: number, end: number): FoldedChunk {
    const whole = fold(source.slice(start, end));
    const starts = new Uint32Array(whole.length);
    const ends = new Uint32Array(whole.length);
    let joined = "";
    let position = start;
    for (const [cluster] of source.slice(start, end).matchAll(clusters)) {
      const part = fold(cluster);
      if (joined.length + part.length > whole.length) break;
      starts.fill(position, joined.length, joined.length + part.length);
      position += cluster.length;
      ends.fill(position, joined.length, joined.length + part.length);
      joined += part;
    }
    // A character may fold to something with spaces in it, and the fold of a cluster alone is trimmed.
    return new FoldedChunk(whole, [start, end], joined === whole ? [starts, ends] : []);
  }

  emit<Term>(from: number, to: number, terms: TermMaker<Term>, found: TokenSink<Term>): void {
    const start = this.#starts?.[from] ?? this.#range[0];
    const end = this.#ends?.[to - 1] ?? this.#range[1];
    found(terms.ofText(this.text.slice(from, Math.min(to, from + maxTermUnits))), start, end);
  }
}

/** A character with what modifies it: marks, invisible characters, the rest of a Hangul syllable. */
const clusters =
  /[^\p{M}\p{Default_Ignorable_Code_Point}\u1160-\u11ff]?[\p{M}\p{Default_Ignorable_Code_Point}\u1160-\u11ff]+|./gsu;

interface Run {
  readonly kind: "word" | "spaceless" | "emoji";
  readonly from: number;
  readonly to: number;
}

/** Splits a folded text into words, runs of a script without spaces, and emoji. Signs separate them. */
function* runsIn(text: string): Generator<Run> {
  let open: Run | null = null;
  for (let from = 0; from < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(from) ?? 0);
    const to = from + character.length;
    const kind = runKindOf(character);
    if (open !== null && open.kind === kind && kind !== "emoji") {
      open = { kind, from: open.from, to };
    } else {
      if (open !== null) yield open;
      open = kind === null ? null : { kind, from, to };
    }
    from = to;
  }
  if (open !== null) yield open;
}

function runKindOf(character: string): Run["kind"] | null {
  if (spaceless.test(character)) return "spaceless";
  if (wordlike.test(character)) return "word";
  return emoji.test(character) ? "emoji" : null;
}

function forEachPair<Term>(
  chunk: FoldedChunk,
  from: number,
  to: number,
  terms: TermMaker<Term>,
  found: TokenSink<Term>,
): void {
  const lengthAt = (position: number) => widthAt(chunk.text, position);
  for (let first = from; first < to; first += lengthAt(first)) {
    const second = first + lengthAt(first);
    chunk.emit(first, second < to ? second + lengthAt(second) : second, terms, found);
  }
}
