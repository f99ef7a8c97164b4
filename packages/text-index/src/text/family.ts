import { type Script, scripts } from "./endings.ts";

/*
 * Words of one family: the forms of a word, which have the same beginning and an ending each from one paradigm of endings.ts
 * (GRAPH-17). It is a guess from letters: words of one family may have nothing to do with each other, and forms of a word
 * may be missed.
 */

/** Whether two different folded terms are forms of one word. Terms that do not begin alike take next to no time. */
export function areFamily(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < length && one.charCodeAt(shared) === other.charCodeAt(shared)) shared += 1;
  if (shared < shortestStem || one === other) return false;
  return families.some((family) => family.has(one, other, shared));
}

/** The paradigms of a script. A set of paradigms is a bit mask. */
class Families {
  readonly #script: Script;
  readonly #whole: RegExp;
  readonly #byEnding = new Map<string, number>();
  readonly #byDoublingEnding = new Map<string, number>();
  /** The paradigms whose stems may have as many letters. */
  readonly #byStem: number[] = [];
  /** The paradigms whose stems end with a certain letter. */
  readonly #byLetter = new Map<string, number>();
  #afterAnyLetter = 0;
  #longestEnding = 0;

  constructor(script: Script) {
    this.#script = script;
    this.#whole = new RegExp(`^(?:${wordsOf(script.whole).sort(byLength).join("|") || "$"})`);
    for (const [number, { stem, endings, after, doubling = "" }] of script.paradigms.entries()) {
      const bit = 1 << number;
      for (const ending of wordsOf(endings)) this.#add(this.#byEnding, ending === "-" ? "" : ending, bit);
      for (const ending of wordsOf(doubling)) this.#add(this.#byDoublingEnding, ending, bit);
      for (let length = stem; length <= longestStem; length += 1)
        this.#byStem[length] = (this.#byStem[length] ?? 0) | bit;
      if (after === undefined) this.#afterAnyLetter |= bit;
      else for (const letter of after) this.#add(this.#byLetter, letter, bit);
    }
  }

  #add(masks: Map<string, number>, key: string, bit: number): void {
    masks.set(key, (masks.get(key) ?? 0) | bit);
    this.#longestEnding = Math.max(this.#longestEnding, key.length + 1);
  }

  /** @param shared The number of letters that the terms have in common at the beginning. */
  has(one: string, other: string, shared: number): boolean {
    const { letters, word } = this.#script;
    const longest = Math.max(one.length, other.length);
    if (one.length < word || other.length < word || !letters.test(one)) return false;
    for (let stem = shared; longest - stem <= this.#longestEnding; stem -= 1) {
      const possible = this.#paradigmsAfter(one, stem);
      if ((possible & this.#paradigmsAt(one, stem) & this.#paradigmsAt(other, stem)) === 0) continue;
      if (this.#mayEnd(one, stem) && this.#mayEnd(other, stem)) return true;
    }
    return false;
  }

  /** The paradigms that have a stem. */
  #paradigmsAfter(term: string, stem: number): number {
    const ofLetter = this.#byLetter.get(term.charAt(stem - 1)) ?? 0;
    return (this.#byStem[Math.min(stem, longestStem)] ?? 0) & (ofLetter | this.#afterAnyLetter);
  }

  /** The paradigms that have the ending of a term after a stem. */
  #paradigmsAt(term: string, stem: number): number {
    const plain = this.#byEnding.get(term.slice(stem)) ?? 0;
    const isDoubled = term.charAt(stem) === term.charAt(stem - 1) && doubled.has(term.charAt(stem));
    return isDoubled ? plain | (this.#byDoublingEnding.get(term.slice(stem + 1)) ?? 0) : plain;
  }

  #mayEnd(term: string, stem: number): boolean {
    return (this.#whole.exec(term)?.[0].length ?? 0) <= stem && onlyLetters.test(term);
  }
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "");
const byLength = (a: string, b: string) => b.length - a.length;
const onlyLetters = /^\p{L}+$/u;
/** Letters that English doubles before an ending. */
const doubled = new Set("bdgklmnprt");
const shortestStem = Math.min(...scripts.flatMap(({ paradigms }) => paradigms.map(({ stem }) => stem)));
const longestStem = Math.max(...scripts.flatMap(({ paradigms }) => paradigms.map(({ stem }) => stem)));
const families = scripts.map((script) => new Families(script));
