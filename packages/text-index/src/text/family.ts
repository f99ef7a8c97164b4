import { type Script, scripts } from "./endings.ts";

/*
 * Words of one family: forms of one word, which have the same stem and an ending each from one paradigm of endings.ts
 * (GRAPH-17). This is a guess from letters: words of one family may have nothing to do with each other, and forms of a word
 * may be missed.
 */

/** Whether two different folded terms are of one family. Terms that do not begin alike take next to no time. */
export function areFamily(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  let common = 0;
  while (common < length && one.charCodeAt(common) === other.charCodeAt(common)) common += 1;
  if (common < shortestStem || one === other) return false;
  return familiesOf(one)?.has(one, other, common) ?? false;
}

/** All forms that a folded term could have, most of which no text has, in the order of their code points. */
export function formsOf(term: string): string[] {
  return familiesOf(term)?.formsOf(term) ?? [];
}

/** The letters with which all forms of a folded term begin; null if it has none. */
export function beginningOfForms(term: string): string | null {
  return familiesOf(term)?.beginningOf(term) ?? null;
}

/** The paradigms of a script. A set of paradigms is a bit mask. */
class Families {
  readonly #script: Script;
  readonly #whole: readonly string[];
  readonly #endings: readonly (readonly string[])[];
  readonly #doublingEndings: readonly (readonly string[])[];
  /** The endings of sets of paradigms that words had: some hundreds, however many words there are. */
  readonly #endingsOfSets = new Map<number, readonly string[]>();
  readonly #byEnding = new Map<string, number>();
  readonly #byDoublingEnding = new Map<string, number>();
  /** The paradigms whose stems may have as many letters. */
  readonly #byLength: number[] = [];
  /** The paradigms whose stems end with a certain letter. */
  readonly #byLetter = new Map<string, number>();
  #afterAnyLetter = 0;
  #longestEnding = 0;

  constructor(script: Script) {
    this.#script = script;
    this.#whole = wordsOf(script.whole);
    this.#endings = script.paradigms.map(({ endings }) =>
      wordsOf(endings).map((each) => each.replace("-", "")),
    );
    this.#doublingEndings = script.paradigms.map(({ doubling = "" }) => wordsOf(doubling));
    for (const [number, { stem, after }] of script.paradigms.entries()) {
      const bit = 1 << number;
      for (const ending of this.#endings[number] ?? []) this.#add(this.#byEnding, ending, bit);
      for (const ending of this.#doublingEndings[number] ?? [])
        this.#add(this.#byDoublingEnding, ending, bit);
      for (let length = stem; length <= longestStem; length += 1)
        this.#byLength[length] = (this.#byLength[length] ?? 0) | bit;
      if (after === undefined) this.#afterAnyLetter |= bit;
      else for (const letter of after) this.#add(this.#byLetter, letter, bit);
    }
  }

  #add(masks: Map<string, number>, key: string, bit: number): void {
    masks.set(key, (masks.get(key) ?? 0) | bit);
    this.#longestEnding = Math.max(this.#longestEnding, key.length + 1);
  }

  /** @param common The number of letters with which both terms begin. */
  has(one: string, other: string, common: number): boolean {
    const longest = Math.max(one.length, other.length);
    for (let stem = common; longest - stem <= this.#longestEnding; stem -= 1) {
      const shared = this.#paradigmsOf(one, stem) & this.#paradigmsOf(other, stem);
      if (shared !== 0 && this.#mayEnd(one, stem) && this.#mayEnd(other, stem)) return this.isWord(other);
    }
    return false;
  }

  formsOf(term: string): string[] {
    const { least } = this.#script;
    const forms: string[] = [];
    for (const stem of this.#stemsOf(term)) {
      const letters = term.slice(0, stem);
      const whole = this.#whole.filter((each) => each.length > stem && each.startsWith(letters));
      for (const ending of this.#endingsOf(this.#paradigmsOf(term, stem), letters.slice(-1))) {
        const form = letters + ending;
        const isWhole = whole.length > 0 && whole.some((each) => form.startsWith(each));
        if (!isWhole && form.length >= least && form !== term) forms.push(form);
      }
    }
    forms.sort();
    return forms.filter((form, index) => form !== forms[index - 1]);
  }

  beginningOf(term: string): string | null {
    const shortest = this.#stemsOf(term).at(-1);
    return shortest === undefined ? null : term.slice(0, shortest);
  }

  /** The lengths of the stems that a term may have, the longest first. */
  #stemsOf(term: string): number[] {
    const stems: number[] = [];
    for (let stem = term.length; term.length - stem <= this.#longestEnding; stem -= 1) {
      if (this.#paradigmsOf(term, stem) !== 0 && this.#mayEnd(term, stem)) stems.push(stem);
    }
    return stems;
  }

  /** The endings of some paradigms after a stem, in order. */
  #endingsOf(paradigms: number, lastLetter: string): readonly string[] {
    const letter = doubledLetters.indexOf(lastLetter);
    const key = paradigms * (doubledLetters.length + 1) + letter + 1;
    const known = this.#endingsOfSets.get(key);
    if (known !== undefined) return known;
    const has = (_: unknown, number: number) => (paradigms & (1 << number)) !== 0;
    const doubling = letter < 0 ? [] : this.#doublingEndings.filter(has).flat();
    const endings = [
      ...this.#endings.filter(has).flat(),
      ...doubling.map((ending) => lastLetter + ending),
    ].sort();
    this.#endingsOfSets.set(key, endings);
    return endings;
  }

  /** Whether a term is a word of the script that may have a family. */
  isWord(term: string): boolean {
    return term.length >= this.#script.least && this.#script.words.test(term);
  }

  /** The paradigms that have the ending of a term after a stem, and such stems. */
  #paradigmsOf(term: string, stem: number): number {
    const last = term.charAt(stem - 1);
    const ofStem =
      (this.#byLength[Math.min(stem, longestStem)] ?? 0) &
      ((this.#byLetter.get(last) ?? 0) | this.#afterAnyLetter);
    if (ofStem === 0) return 0;
    const plain = this.#byEnding.get(term.slice(stem)) ?? 0;
    const isDoubled = term.charAt(stem) === last && doubledLetters.includes(last);
    const ofEnding = isDoubled ? plain | (this.#byDoublingEnding.get(term.slice(stem + 1)) ?? 0) : plain;
    return ofStem & ofEnding;
  }

  /** Whether the term may consist of a stem of this length and an ending. */
  #mayEnd(term: string, stem: number): boolean {
    return !this.#whole.some((beginning) => beginning.length > stem && term.startsWith(beginning));
  }
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "");
/** Letters that English doubles before an ending. */
const doubledLetters = "bdgklmnprt";
const lengthsOfStems = scripts.flatMap(({ paradigms }) => paradigms.map(({ stem }) => stem));
/** All forms of a word have at least this many letters in common, at the beginning. */
export const shortestStem = Math.min(...lengthsOfStems);
const longestStem = Math.max(...lengthsOfStems);
const families = scripts.map((script) => new Families(script));
const familiesOf = (term: string) => families.find((each) => each.isWord(term));
