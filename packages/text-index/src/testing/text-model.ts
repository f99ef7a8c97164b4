import { headingCount, titleShare } from "../search/bm25.ts";
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
  const lengths = all.flatMap(({ sections }) => sections.map(({ terms }) => terms.length));
  const average = lengths.reduce((sum, length) => sum + length, 0) / sectionCount || 1;
  const found = new Map(
    [...pages].map(([node, tokens]) => [node, words.map((word) => occurrences(tokens, word))]),
  );
  const weights = words.map((_, word) => {
    const having = [...found.values()].reduce((sum, page) => sum + (page[word]?.size ?? 0), 0);
    return Math.log(1 + (sectionCount - having + 0.5) / (having + 0.5));
  });
  const most = (1 + titleShare) * weights.reduce((sum, weight) => sum + weight, 0);
  const results = [...pages].flatMap(([node, tokens]) => {
    const own = found.get(node) ?? [];
    const isFound = own.some((sections) => sections.size > 0);
    if (!isFound || excluded.some((word) => occurrences(tokens, word).size > 0)) return [];
    const titles = own.map((sections) => sections.get(0)?.inTitle ?? false);
    let best = 0;
    let isAll = false;
    tokens.sections.forEach((section, number) => {
      const here = own.map((sections) => sections.get(number));
      if (here.every((occurrence) => occurrence === undefined)) return;
      const half = 1.2 * (0.25 + (0.75 * section.terms.length) / average);
      const score = here.reduce((sum, occurrence, word) => {
        const count = (occurrence?.count ?? 0) + (occurrence?.inHeading ? headingCount : 0);
        return sum + (weights[word] ?? 0) * (count / (count + half) + (titles[word] ? titleShare : 0));
      }, 0);
      best = Math.max(best, score / most);
      isAll ||= here.every((occurrence, word) => occurrence !== undefined || titles[word]);
    });
    const missing = words.filter((_, word) => own[word]?.size === 0).map(({ text }) => text);
    return [{ node, all: isAll, score: Math.round(best * 1e6), missing }];
  });
  return results.sort(
    (a, b) =>
      Number(b.all) - Number(a.all) || b.score - a.score || (ranks[a.node] ?? 0) - (ranks[b.node] ?? 0),
  );
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
