import type { LRUCache } from "lru-cache";
import { at, unitAt } from "../columns.ts";
import { compareText, lengthOf, type PackedTexts, type Range, rangeOf, unitsOf } from "../packed-texts.ts";
import { RankSet, type SetPool } from "../rank-set.ts";
import { termsOf } from "../terms.ts";
import { forEachSuffix, suffixesWith, type TitleIndex } from "../title-index.ts";
import { mayHaveTypo, termsWithTypo } from "./typo.ts";

/** The place of a word in a title: at the start of one of its words, only inside words, or nowhere. */
type Occurrence = "start" | "inside" | "none";

/** A word of a query and the titles that match it. The sets are computed on first use. */
export interface QueryWord {
  /** About how many titles match: a query starts with its rarest word. */
  readonly weight: number;
  /** Finds the word in the title at a rank. */
  readonly occurrenceIn: (rank: number) => Occurrence;
  /** The first position in part of a title at which it starts a word of the title, -1 if there is none. */
  readonly startIn: (title: Range, from: number) => number;
  /** Whether it stands at a position of a title and starts a word there. */
  readonly startsAt: (title: Range, position: number) => boolean;
  /** Its code units. */
  readonly length: number;
  /** The titles in which it starts a word. */
  readonly starting: () => RankSet;
  /** All titles in which it stands as a whole word. If it has signs, there may be others among them. */
  readonly whole: () => RankSet;
  /** About how many those are. */
  readonly wholeWeight: number;
  /** The titles that contain it. */
  readonly containing: () => RankSet;
  /** The titles that contain it, or in which it starts a word but for a typo. null if it is too short for typos. */
  readonly resembling: (() => RankSet) | null;
}

/** A source of the sets of a query. */
export interface SetSource {
  /** The number of titles. */
  readonly capacity: number;
  readonly pool: SetPool;
  readonly frequent: LRUCache<string, RankSet>;
}

export function queryWord(index: TitleIndex, sets: SetSource, text: string): QueryWord {
  return isTerm(text) ? termWord(index, sets, text) : compoundWord(index, sets, text);
}

/** A word of letters alone or signs alone. A title contains it if one of the title's terms does. */
function termWord(index: TitleIndex, sets: SetSource, text: string): QueryWord {
  const { terms, postings, postingOffsets } = index;
  const termCount = terms.offsets.length - 1;
  const all = { from: 0, to: termCount };
  const first = (term: number) => at(postingOffsets, term);
  const postingCount = ({ from, to }: Range) => first(to) - first(from);
  const addTerms = (set: RankSet, { from, to }: Range) => set.addAll(postings, first(from), first(to));

  const prefixed = rangeOf(terms.units, terms.offsets, text, all);
  // Signs start a word only at the start or after a space, and such a term has a space before it.
  const starting = isWordlike(text) ? prefixed : rangeOf(terms.units, terms.offsets, ` ${text}`, all);
  const addContaining = (set: RankSet) => {
    addTerms(set, prefixed);
    forEachSuffix(index, text, (term) => addTerms(set, { from: term, to: term + 1 }));
  };
  // Terms end with a zero.
  const whole = isWordlike(text) ? rangeOf(terms.units, terms.offsets, `${text}\0`, prefixed) : starting;
  const setOf = (name: string, size: number, fill: (set: RankSet) => void) =>
    once(() => titleSet(sets, { name: `${name} ${text}`, isFrequent: size > sets.capacity / 32 }, fill));
  const postingsPerTerm = postings.length / termCount;
  const weight = postingCount(prefixed) + lengthOf(suffixesWith(index, text)) * postingsPerTerm;
  return {
    weight,
    ...placesOf(index, text),
    starting: setOf("starting", postingCount(starting), (set) => addTerms(set, starting)),
    wholeWeight: postingCount(whole),
    whole: setOf("whole", postingCount(whole), (set) => addTerms(set, whole)),
    containing: setOf("containing", weight, addContaining),
    resembling: mayHaveTypo(text)
      ? setOf("resembling", weight, (set) => {
          addContaining(set);
          termsWithTypo(index, text, (found) => addTerms(set, found));
        })
      : null,
  };
}

/** A word such as `C++`: each title that contains the rarest of its terms is inspected. */
function compoundWord(index: TitleIndex, sets: SetSource, text: string): QueryWord {
  const parts = termsOf(text).map((term) => termWord(index, sets, term));
  const rarest = parts.reduce((a, b) => (b.weight < a.weight ? b : a));
  const places = placesOf(index, text);
  const filtered = (name: string, candidates: () => RankSet, isWanted: (occurrence: Occurrence) => boolean) =>
    once(() => {
      // To inspect a title takes a hundred times as long as to read a posting.
      const isFrequent = rarest.weight > sets.capacity / 512;
      return titleSet(sets, { name: `${name} ${text}`, isFrequent }, (set) => {
        set.unite(candidates());
        set.filter((rank) => isWanted(places.occurrenceIn(rank)));
      });
    });
  const containing = filtered("containing", rarest.containing, (occurrence) => occurrence !== "none");
  const starting = filtered("starting", containing, (occurrence) => occurrence === "start");
  const { weight } = rarest;
  return {
    weight,
    ...places,
    starting,
    whole: starting,
    wholeWeight: weight,
    containing,
    resembling: null,
  };
}

/** Computes a value on its first use. */
export function once<Value>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}

/**
 * Computes a set of titles. A frequent one is kept for later queries under its name: to find the titles that contain `e`
 * takes longer than the rest of a search.
 */
export function titleSet(
  { pool, frequent, capacity }: SetSource,
  { name, isFrequent }: { name: string; isFrequent: boolean },
  fill: (empty: RankSet) => void,
): RankSet {
  const known = isFrequent ? frequent.get(name) : undefined;
  if (known !== undefined) return known;
  const set = isFrequent ? new RankSet(capacity) : pool.take(capacity);
  fill(set);
  if (isFrequent) frequent.set(name, set);
  return set;
}

/** Finds a word in titles. A letter or digit also starts a word after a sign, anything else after a space. */
function placesOf(
  index: TitleIndex,
  text: string,
): Pick<QueryWord, "occurrenceIn" | "startIn" | "startsAt" | "length"> {
  const { titles } = index;
  const { units } = titles;
  const pattern = patternOf(text);
  const startsWordlike = wordlikeStart.test(text);
  const startsWord = (start: number, position: number) =>
    position === start ||
    unitAt(units, position - 1) === space ||
    (startsWordlike && !isWordlike(characterBefore(units, start, position)));
  const startIn = (title: Range, from: number) => {
    let found = indexIn(pattern, units, from, title.to);
    while (found >= 0 && !startsWord(title.from, found)) found = indexIn(pattern, units, found + 1, title.to);
    return found;
  };
  return {
    startIn,
    occurrenceIn(rank) {
      const title = titleAt(index, rank);
      const found = indexIn(pattern, units, title.from, title.to);
      if (found < 0) return "none";
      return startIn(title, found) < 0 ? "inside" : "start";
    },
    startsAt: (title, position) =>
      compareText(units, position, text) === 0 && startsWord(title.from, position),
    length: text.length,
  };
}

/** The units of the title at a rank, without the zero at its end. */
export function titleAt({ titles: { offsets }, texts }: TitleIndex, rank: number): Range {
  const title = at(texts, rank);
  return { from: at(offsets, title), to: at(offsets, title + 1) - 1 };
}

const space = 0x20;

/** The character before a position, both halves of a surrogate pair. */
function characterBefore(units: PackedTexts["units"], start: number, position: number): string {
  const unit = unitAt(units, position - 1);
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff && position - 1 > start;
  return isSecondHalf ? String.fromCharCode(unitAt(units, position - 2), unit) : String.fromCharCode(unit);
}

/** A text to search for. */
interface Pattern {
  readonly units: Uint16Array;
  /** For each prefix of the text, the length of the longest shorter prefix that it ends with. */
  readonly borders: Uint32Array;
}

function patternOf(text: string): Pattern {
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
 * The first position of a pattern between two positions, -1 if there is none. Knuth, Morris and Pratt's search, linear
 * even for repetitive texts. `Buffer.indexOf` on the same memory takes twice as long for texts as short as titles.
 */
function indexIn({ units, borders }: Pattern, text: Uint16Array, start: number, end: number): number {
  let matched = 0;
  for (let position = start; position < end; position += 1) {
    const unit = unitAt(text, position);
    while (matched > 0 && unit !== unitAt(units, matched)) matched = at(borders, matched - 1);
    if (unit === unitAt(units, matched)) matched += 1;
    if (matched === units.length) return position + 1 - matched;
  }
  return -1;
}

/** Letters, digits, and the marks that folding leaves on them. */
const wordlike = /^[\p{L}\p{N}\p{M}]+$/u;
const wordlikeStart = /^[\p{L}\p{N}\p{M}]/u;
const signs = /^[^\p{L}\p{N}\p{M}\p{Cs} ]+$/u;

function isWordlike(text: string): boolean {
  return wordlike.test(text);
}

/** Whether a word is a single term in every title that contains it. */
function isTerm(word: string): boolean {
  return isWordlike(word) || signs.test(word);
}
