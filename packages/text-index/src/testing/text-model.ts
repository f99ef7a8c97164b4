import { formShare, headingCount, titleShare } from "../search/bm25.ts";
import { areFamily } from "../text/family.ts";
import type { PageTokens, QueryWord, TextQuery } from "../text/types.ts";

/** A page as the model finds it. */
export interface ModelResult {
  readonly node: number;
  readonly all: boolean;
  /** In millionths. */
  readonly score: number;
  readonly missing: readonly string[];
}

interface Occurrence {
  count: number;
  inTitle: boolean;
  inHeading: boolean;
}

/** The search that the index is compared with: it looks at every word of every page. */
export function modelSearch(
  pages: ReadonlyMap<number, PageTokens>,
  { words, excluded }: TextQuery,
  ranks: ArrayLike<number>,
): ModelResult[] {
  const all = [...pages.values()];
  const sectionCount = all.reduce((sum, { sections }) => sum + sections.length, 0);
  const lengths = all.flatMap(({ sections }) => sections.map(({ terms, length = terms.length }) => length));
  const average = lengths.reduce((sum, length) => sum + length, 0) / sectionCount || 1;
  const found = new Map(
    [...pages].map(([node, tokens]) => [node, words.map((word) => occurrences(tokens, word))]),
  );
  const forms = words.map((word) => formsIn(all, word, words));
  const formsFound = new Map(
    [...pages].map(([node, tokens]) => [
      node,
      forms.map((own) => joined(own.map((form) => occurrences(tokens, form)))),
    ]),
  );
  const rarities = (of: typeof found) =>
    words.map((_, word) => {
      const having = [...of.values()].reduce((sum, page) => sum + (page[word]?.size ?? 0), 0);
      return Math.log(1 + (sectionCount - having + 0.5) / (having + 0.5));
    });
  const weights = rarities(found);
  const formWeights = rarities(formsFound).map(
    (rarity, word) => formShare * Math.min(rarity, weights[word] ?? 0),
  );
  const most = (1 + titleShare) * weights.reduce((sum, weight) => sum + weight, 0);
  const results = [...pages].flatMap(([node, tokens]) => {
    const own = found.get(node) ?? [];
    const isMissing = own.map((sections) => sections.size === 0);
    // Forms count in pages without the word.
    const scored = own.map((sections, word) =>
      isMissing[word] ? (formsFound.get(node)?.[word] ?? sections) : sections,
    );
    const weightOf = (word: number) => (isMissing[word] ? formWeights[word] : weights[word]) ?? 0;
    const isFound = scored.some((sections) => sections.size > 0);
    if (!isFound || excluded.some((word) => occurrences(tokens, word).size > 0)) return [];
    const titles = scored.map((sections) => sections.get(0)?.inTitle ?? false);
    let best = 0;
    let isAll = false;
    tokens.sections.forEach((section, number) => {
      const here = scored.map((sections) => sections.get(number));
      if (here.every((occurrence) => occurrence === undefined)) return;
      const half = 1.2 * (0.25 + (0.75 * (section.length ?? section.terms.length)) / average);
      const score = here.reduce((sum, occurrence, word) => {
        const count = (occurrence?.count ?? 0) + (occurrence?.inHeading ? headingCount : 0);
        return sum + weightOf(word) * (count / (count + half) + (titles[word] ? titleShare : 0));
      }, 0);
      best = Math.max(best, score / most);
      isAll ||= here.every(
        (occurrence, word) => !isMissing[word] && (occurrence !== undefined || titles[word]),
      );
    });
    const missing = words.filter((_, word) => isMissing[word]).map(({ text }) => text);
    return [{ node, all: isAll, score: Math.round(best * 1e6), missing }];
  });
  return results.sort(
    (a, b) =>
      Number(b.all) - Number(a.all) || b.score - a.score || (ranks[a.node] ?? 0) - (ranks[b.node] ?? 0),
  );
}

/** The most frequent forms of a word in the pages, as words. */
function formsIn(
  pages: readonly PageTokens[],
  { terms: [term = "", ...others], prefix, quoted }: QueryWord,
  words: readonly QueryWord[],
): QueryWord[] {
  if (others.length > 0 || prefix || quoted) return [];
  const known = new Set(
    pages.flatMap(({ title, sections }) => [
      ...title,
      ...sections.flatMap(({ headings, terms }) => [...headings, ...terms]),
    ]),
  );
  const asWritten = words.flatMap(({ terms }) => (terms.length === 1 ? terms : []));
  return [...known]
    .filter((form) => areFamily(term, form) && !asWritten.includes(form))
    .sort()
    .map((form) => ({ text: form, terms: [form], prefix: false, quoted: false }))
    .map((word) => ({ word, count: pages.reduce((sum, page) => sum + occurrences(page, word).size, 0) }))
    .sort((a, b) => a.count - b.count)
    .slice(-8)
    .map(({ word }) => word);
}

/** The sections that have any of several words. */
function joined(words: readonly Map<number, Occurrence>[]): Map<number, Occurrence> {
  const all = new Map<number, Occurrence>();
  for (const word of words) {
    for (const [section, { count, inTitle, inHeading }] of word) {
      const known = all.get(section) ?? { count: 0, inTitle: false, inHeading: false };
      all.set(section, {
        count: known.count + count,
        inTitle: known.inTitle || inTitle,
        inHeading: known.inHeading || inHeading,
      });
    }
  }
  return all;
}

/** The sections of a page in which a word begins. */
function occurrences(tokens: PageTokens, { terms, prefix }: QueryWord): Map<number, Occurrence> {
  const found = new Map<number, Occurrence>();
  const matches = (term: string | undefined, index: number) =>
    term !== undefined &&
    (prefix && index === terms.length - 1 ? term.startsWith(terms[index] ?? "") : term === terms[index]);
  const note = (section: number, count: number, inTitle: boolean, inHeading: boolean) => {
    const known = found.get(section);
    found.set(section, {
      count: (known?.count ?? 0) + count,
      inTitle: inTitle || (known?.inTitle ?? false),
      inHeading: inHeading || (known?.inHeading ?? false),
    });
  };
  const at = new Map<number, { term: string; section: number }>();
  tokens.sections.forEach(({ terms, basePosition }, section) => {
    for (const [index, term] of terms.entries()) at.set(basePosition + index, { term, section });
  });
  for (const [position, { section }] of at) {
    const run = terms.map((_, index) => at.get(position + index));
    if (!run.every((place, index) => place?.term !== "" && matches(place?.term, index))) continue;
    const isIn = (words: (section: number) => readonly string[]) =>
      run.every((place) => place !== undefined && words(place.section).includes(place.term));
    note(
      section,
      1,
      isIn((number) => (number === 0 ? tokens.title : [])),
      isIn((number) => tokens.sections[number]?.headings ?? []),
    );
  }
  if (terms.length === 1) {
    const isOne = (term: string) => term !== "" && matches(term, 0);
    if (tokens.title.some(isOne)) note(0, 0, true, false);
    tokens.sections.forEach(({ headings }, section) => {
      if (headings.some(isOne)) note(section, 0, false, true);
    });
  }
  return found;
}
