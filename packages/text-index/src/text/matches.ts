import { widthAt } from "@clew/text/basics";
import { areFamily, shortestStem } from "./family.ts";
import { inflectedTerm, writtenTerms } from "./query.ts";
import { termStrings } from "./terms.ts";
import { forEachToken, spaceless } from "./tokens.ts";
import type { QueryWord } from "./types.ts";

/** A place that has a word of a query, or another form of it: `[start, end)` in UTF-16 units. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly word: QueryWord;
  readonly isForm: boolean;
}

/**
 * Finds words and phrases in a text, and other forms of words, ordered by where they start. Takes at most words × tokens ×
 * terms of a word.
 */
export function matchesIn(text: string, words: readonly QueryWord[]): Match[] {
  const terms: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  forEachToken(text, termStrings, (term, start, end) => {
    terms.push(term);
    starts.push(start);
    ends.push(end);
  });
  const firsts = new FirstTerms(words);
  const families = new Families(words);
  const matches: Match[] = [];
  for (const [index, term] of terms.entries()) {
    for (const word of firsts.wordsAt(term)) {
      if (!occursAt(terms, index, word)) continue;
      const last = index + word.terms.length - 1;
      const character = isCharacterOfPair(word, terms[last] ?? "");
      const end = character ? endOfCharacter(text, starts[last] ?? 0) : (ends[last] ?? 0);
      matches.push({ start: starts[index] ?? 0, end, word, isForm: false });
    }
    for (const word of families.wordsWith(term))
      matches.push({ start: starts[index] ?? 0, end: ends[index] ?? 0, word, isForm: true });
  }
  return matches;
}

/** Words by their first term; those that may be only the beginning of one are tried at each token. */
class FirstTerms {
  readonly #whole = new Map<string, QueryWord[]>();
  readonly #prefixes: readonly QueryWord[];

  constructor(words: readonly QueryWord[]) {
    const isPrefix = ({ terms, prefix }: QueryWord) => prefix && terms.length === 1;
    this.#prefixes = words.filter(isPrefix);
    for (const word of words) {
      if (isPrefix(word)) continue;
      const first = word.terms[0] ?? "";
      this.#whole.set(first, [...(this.#whole.get(first) ?? []), word]);
    }
  }

  *wordsAt(term: string): Generator<QueryWord> {
    yield* this.#whole.get(term) ?? [];
    for (const word of this.#prefixes) if (term.startsWith(word.terms[0] ?? "")) yield word;
  }
}

/** Words by the letters that all their forms begin with. */
class Families {
  readonly #byBeginning = new Map<string, { readonly term: string; readonly word: QueryWord }[]>();
  readonly #written: ReadonlySet<string>;

  constructor(words: readonly QueryWord[]) {
    this.#written = writtenTerms(words);
    for (const word of words) {
      const term = inflectedTerm(word);
      if (term === null) continue;
      const beginning = term.slice(0, shortestStem);
      this.#byBeginning.set(beginning, [...(this.#byBeginning.get(beginning) ?? []), { term, word }]);
    }
  }

  /** The words that have a term as another form. */
  *wordsWith(form: string): Generator<QueryWord> {
    const known = this.#byBeginning.get(form.slice(0, shortestStem));
    if (known === undefined || this.#written.has(form)) return;
    for (const { term, word } of known) if (areFamily(term, form)) yield word;
  }
}

function occursAt(found: readonly string[], index: number, { terms, prefix }: QueryWord): boolean {
  return terms.every((term, offset) => {
    const other = found[index + offset];
    const isLast = offset === terms.length - 1;
    return other === term || (isLast && prefix && other?.startsWith(term) === true);
  });
}

const endOfCharacter = (text: string, start: number) => start + widthAt(text, start);

/** Whether only one character of an indexed pair matches the query. */
function isCharacterOfPair({ terms, prefix }: QueryWord, found: string): boolean {
  const last = terms.at(-1) ?? "";
  return prefix && found !== last && spaceless.test(last);
}
