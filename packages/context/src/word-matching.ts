import { areFamily, forEachToken, type TermMaker } from "@clew/text-index";
import { numberIn, numbersIn } from "./numbers.ts";
import type { WeightedTerm } from "./question.ts";

/** The share of each word of a question that was found, 0 to 1, in the order of the question. */
export type Matches = Float64Array;

/** The words of the question that a word stands for, each with its share. */
type Shares = readonly (readonly [word: number, share: number])[];

const none: Shares = [];

/** The share of a word that a related one has, which differs in its ending: `configuration` for `configure`. */
const relatedShare = 0.5;

/** The share of a version that a release of it has: `3.7.3` for `3.7`. */
const releaseShare = 0.5;

/** Letters that words of one family have in common at least. */
const minCommon = 2;

/** Finds the words of a question, and words related to them, in texts. It makes no strings of other words. */
export class WordMatcher {
  /** Found nowhere. */
  readonly nothing: Matches;
  readonly #question: readonly WeightedTerm[];
  readonly #total: number;
  /** The words of the question by their first letters: only those can be related. */
  readonly #byStart: ReadonlyMap<number, readonly number[]>;
  readonly #known = new Map<string, Shares>();
  readonly #terms: TermMaker<Shares>;
  /** The words of the question that are numbers of several parts. */
  readonly #numbers: readonly (readonly [word: number, number: string])[];

  constructor(question: readonly WeightedTerm[]) {
    this.nothing = new Float64Array(question.length);
    this.#question = question;
    this.#total = question.reduce((sum, { weight }) => sum + weight, 0);
    this.#byStart = Map.groupBy(question.keys(), (word) => startOf(question[word]?.term ?? ""));
    this.#numbers = question.flatMap(({ term }, word) => (numberIn(term) === null ? [] : [[word, term]]));
    this.#terms = {
      gap: none,
      ofUnits: (units, length) =>
        this.#byStart.has(startOfUnits(units, length))
          ? this.#sharesOf(String.fromCharCode(...units.subarray(0, length)))
          : none,
      ofText: (text) => this.#sharesOf(text),
    };
  }

  /** The words of the question, each with its share of their weight. */
  get words(): readonly WeightedTerm[] {
    return this.#question.map(({ term, weight }) => ({ term, weight: weight / (this.#total || 1) }));
  }

  match(text: string): Matches {
    let matches = this.nothing;
    const add = (shares: Shares) => {
      if (shares.length > 0 && matches === this.nothing) matches = new Float64Array(matches.length);
      for (const [word, share] of shares) matches[word] = Math.max(matches[word] ?? 0, share);
    };
    forEachToken(text, this.#terms, add);
    if (this.#numbers.length > 0) for (const number of numbersIn(text)) add(this.#sharesOfNumber(number));
    return matches;
  }

  /** The matches of two texts together. */
  union(one: Matches, other: Matches): Matches {
    if (other === this.nothing || one === other) return one;
    if (one === this.nothing) return other;
    return one.map((share, word) => Math.max(share, other[word] ?? 0));
  }

  /** The share of the question's weight that was found. */
  coverage(matches: Matches): number {
    if (matches === this.nothing || this.#total === 0) return 0;
    let sum = 0;
    // An index, not an iterator: this runs several times for each passage.
    for (let word = 0; word < matches.length; word += 1)
      sum += (this.#question[word]?.weight ?? 0) * (matches[word] ?? 0);
    return sum / this.#total;
  }

  /** A part of each match. */
  part(matches: Matches, share: number): Matches {
    return matches === this.nothing ? matches : matches.map((each) => share * each);
  }

  /** The words that were not found. */
  missing(matches: Matches): string[] {
    return this.#question.filter((_, word) => matches[word] === 0).map(({ term }) => term);
  }

  #sharesOfNumber(found: string): Shares {
    return this.#numbers.flatMap(([word, number]): Shares => {
      if (found === number) return [[word, 1]];
      return found.startsWith(`${number}.`) ? [[word, releaseShare]] : [];
    });
  }

  #sharesOf(term: string): Shares {
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    const shares: [word: number, share: number][] = [];
    for (const word of this.#byStart.get(startOf(term)) ?? []) {
      const asked = this.#question[word]?.term ?? "";
      if (asked === term) shares.push([word, 1]);
      else if (areFamily(asked, term)) shares.push([word, relatedShare]);
    }
    this.#known.set(term, shares);
    return shares;
  }
}

/** A number for the first letters; that of other letters may be the same. */
function startOf(term: string): number {
  let start = 0;
  for (let index = 0; index < minCommon && index < term.length; index += 1)
    start = Math.imul(start, 31) + term.charCodeAt(index);
  return start;
}

function startOfUnits(units: Uint16Array, length: number): number {
  let start = 0;
  for (let index = 0; index < minCommon && index < length; index += 1)
    start = Math.imul(start, 31) + (units[index] as number);
  return start;
}
