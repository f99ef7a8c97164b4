import { termStrings } from "./terms.ts";
import { forEachToken, spaceless } from "./tokens.ts";
import type { QueryWord, TextQuery } from "./types.ts";

/** Words beyond this many are not looked for; of those to leave out, as many are allowed. */
export const maxQueryWords = 100;

/** A run of a script without spaces is looked for as a whole up to this many characters, otherwise by its pairs. */
const maxWholeRun = 4;

/**
 * Parses a query (GRAPH-17). Words are separated by spaces. `"…"` is a phrase, and an open quote ends with the query; `-`
 * before a word or phrase leaves pages out; `*` after a word of two characters or more finds longer words. Every other
 * sign is text. There is no syntax error; null if there is no word to look for. A word that is also in quotes is quoted.
 */
export function parseQuery(query: string): TextQuery | null {
  const words = new Map<string, QueryWord>();
  const excluded = new Map<string, QueryWord>();
  for (const part of partsOf(query)) {
    for (const found of part.isExcluded || part.isPhrase ? wholeWord(part) : looseWords(part)) {
      const of = part.isExcluded ? excluded : words;
      const key = JSON.stringify([found.terms, found.prefix]);
      const known = of.get(key) ?? found;
      of.set(key, { ...known, quoted: known.quoted || found.quoted });
    }
  }
  if (words.size === 0) return null;
  const asked = [...words.values()];
  return {
    words: asked.slice(0, maxQueryWords),
    excluded: [...excluded.values()].slice(0, maxQueryWords),
    ignored: asked.slice(maxQueryWords).map(({ text }) => text),
  };
}

/** The term whose other forms are looked for as well (GRAPH-17); null if a word is to be found as it is written. */
export function inflectedTerm({ terms, prefix, quoted }: QueryWord): string | null {
  return prefix || quoted || terms.length > 1 ? null : (terms[0] ?? null);
}

/** The terms that are words of a query themselves, and no forms of others. */
export function writtenTerms(words: readonly QueryWord[]): Set<string> {
  return new Set(words.flatMap(({ terms }) => (terms.length === 1 ? terms : [])));
}

/** A part between spaces or quotes. */
interface QueryPart {
  readonly text: string;
  readonly isPhrase: boolean;
  readonly isExcluded: boolean;
}

/**
 * Signs in the forms that keyboards and word processors make of them. A minus before a single letter or digit is the option
 * of a command (`kill -s USR1`), and no exclusion.
 */
const partPattern =
  /(?<minus>[-－−](?=[^\s\-－−])(?![A-Za-z0-9](?:\s|$)))?(?:["“”„‟＂](?<phrase>[^"“”„‟＂]*)["“”„‟＂]?|(?<word>[^\s"“”„‟＂]+))/gu;

function* partsOf(query: string): Generator<QueryPart> {
  for (const { groups } of query.matchAll(partPattern)) {
    const isExcluded = groups?.minus !== undefined;
    const phrase = groups?.phrase;
    if (phrase !== undefined) yield { text: phrase.trim(), isPhrase: true, isExcluded };
    else yield { text: groups?.word ?? "", isPhrase: false, isExcluded };
  }
}

interface Term {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly isSpaceless: boolean;
}

function tokensOf(text: string): Term[] {
  const tokens: Term[] = [];
  forEachToken(text, termStrings, (term, start, end) =>
    tokens.push({ term, start, end, isSpaceless: spaceless.test(term) }),
  );
  return tokens;
}

/** A phrase, or a word that must be found as a whole. */
function wholeWord({ text, isPhrase }: QueryPart): QueryWord[] {
  const word = wordOf(text, tokensOf(text), !isPhrase && hasStar(text));
  return word.terms.length === 0 ? [] : [{ ...word, quoted: isPhrase }];
}

/** A word, in which a long run of a script without spaces becomes words of two characters. */
function looseWords({ text }: QueryPart): QueryWord[] {
  const words: QueryWord[] = [];
  let open: Term[] = [];
  const close = (isLast: boolean) => {
    const [first, last] = [open[0], open.at(-1)];
    if (first !== undefined && last !== undefined) {
      const star = isLast && hasStar(text);
      words.push(wordOf(text.slice(first.start, star ? text.length : last.end), open, star));
    }
    open = [];
  };
  for (const run of runsOf(tokensOf(text))) {
    if (run.length <= maxWholeRun) {
      open.push(...run);
      continue;
    }
    close(false);
    // The last token is a single character, which the pair before it contains.
    words.push(...run.slice(0, -1).map((pair) => wordOf(text.slice(pair.start, pair.end), [pair], false)));
  }
  close(true);
  return words;
}

/** The tokens of each run of a script without spaces, and each other token alone. */
function runsOf(tokens: readonly Term[]): Term[][] {
  const runs: Term[][] = [];
  for (const token of tokens) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    // The pairs of a run overlap.
    const goesOn = before?.isSpaceless && token.isSpaceless && token.start < before.end;
    if (goesOn) run?.push(token);
    else runs.push([token]);
  }
  return runs;
}

/**
 * A run at the end may continue in the text, so its last character counts only if it is alone, and then as the beginning of a
 * pair.
 */
function wordOf(text: string, tokens: readonly Term[], hasStar: boolean): QueryWord {
  const terms = tokens.map(({ term }) => term);
  const [last, before] = tokens.toReversed();
  const word = { text, terms, prefix: false, quoted: false };
  if (!last?.isSpaceless) return { ...word, prefix: hasStar };
  if (isPair(last.term)) return word;
  const isInPair = before?.isSpaceless === true && last.start < before.end;
  return isInPair ? { ...word, terms: terms.slice(0, -1) } : { ...word, prefix: true };
}

const isPair = (term: string) => [...term].length > 1;

/** Whether a word ends with a star after at least two characters. */
function hasStar(text: string): boolean {
  return /[\p{L}\p{N}\p{M}][^*＊]*[\p{L}\p{N}\p{M}][*＊]$/u.test(text);
}
