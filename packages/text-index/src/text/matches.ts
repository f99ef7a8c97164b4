import { termStrings } from "./terms.ts";
import { forEachToken, spaceless } from "./tokens.ts";
import type { QueryWord } from "./types.ts";

/** A place that has a word of a query: `[start, end)` in UTF-16 units. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly word: QueryWord;
}

/** Finds words and phrases in a text, ordered by where they start. Takes at most words × tokens × terms of a word. */
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
  const matches: Match[] = [];
  for (const [index, term] of terms.entries()) {
    for (const word of firsts.wordsAt(term)) {
      if (!occursAt(terms, index, word)) continue;
      const start = starts[index] ?? 0;
      const last = index + word.terms.length - 1;
      const end = isCharacterOfPair(word, terms[last] ?? "")
        ? (starts[last] ?? 0) + String.fromCodePoint(text.codePointAt(starts[last] ?? 0) ?? 0).length
        : (ends[last] ?? start);
      matches.push({ start, end, word });
    }
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

function occursAt(found: readonly string[], index: number, { terms, prefix }: QueryWord): boolean {
  return terms.every((term, offset) => {
    const other = found[index + offset];
    const isLast = offset === terms.length - 1;
    return other === term || (isLast && prefix && other?.startsWith(term) === true);
  });
}

/** Whether only one character of an indexed pair matches the query. */
function isCharacterOfPair({ terms, prefix }: QueryWord, found: string): boolean {
  const last = terms.at(-1) ?? "";
  return prefix && found !== last && spaceless.test(last);
}
