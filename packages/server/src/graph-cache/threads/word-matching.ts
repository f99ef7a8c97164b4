/** A word of a question and its weight; weights are relative. */
export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

/** How much of each word of a question is found, 0 to 1, in the order of the question. */
export type Matches = Float64Array;

/** Letters that related words have in common at least, and letters by which they may differ at the end. */
const minCommon = 4;
const maxEnding = 3;
/** A related word counts half: `configuration` for `configure`. */
const relatedShare = 0.5;

/** Finds the words of a question, and words related to them, in texts. */
export class WordMatcher {
  readonly #question: readonly WeightedTerm[];
  readonly #total: number;
  /** The words of the question by their first letters: only those can be related. */
  readonly #byStart: ReadonlyMap<string, readonly number[]>;
  readonly #known = new Map<string, readonly (readonly [word: number, share: number])[]>();

  constructor(question: readonly WeightedTerm[]) {
    this.#question = question;
    this.#total = question.reduce((sum, { weight }) => sum + weight, 0);
    this.#byStart = Map.groupBy(question.keys(), (word) => startOf(question[word]?.term ?? ""));
  }

  match(terms: Iterable<string>): Matches {
    const matches = new Float64Array(this.#question.length);
    for (const term of terms) {
      for (const [word, share] of this.#sharesOf(term)) matches[word] = Math.max(matches[word] ?? 0, share);
    }
    return matches;
  }

  /** The share of the question's weight that was found. */
  coverage(matches: Matches): number {
    if (this.#total === 0) return 0;
    return (
      this.#question.reduce((sum, { weight }, word) => sum + weight * (matches[word] ?? 0), 0) / this.#total
    );
  }

  #sharesOf(term: string): readonly (readonly [word: number, share: number])[] {
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    const shares: [word: number, share: number][] = [];
    for (const word of this.#byStart.get(startOf(term)) ?? []) {
      const asked = this.#question[word]?.term ?? "";
      if (asked === term) shares.push([word, 1]);
      else if (areRelated(asked, term)) shares.push([word, relatedShare]);
    }
    this.#known.set(term, shares);
    return shares;
  }
}

const startOf = (term: string) => term.slice(0, minCommon);

/** Whether two words differ in their endings only. */
function areRelated(one: string, other: string): boolean {
  const common = Math.max(minCommon, Math.max(one.length, other.length) - maxEnding);
  const isLong = one.length >= common && other.length >= common;
  return isLong && /^\p{L}+$/u.test(one) && one.slice(0, common) === other.slice(0, common);
}
