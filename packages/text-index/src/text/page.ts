import { CodePoints } from "./code-points.ts";
import { readSections } from "./sections.ts";
import { forEachToken } from "./tokens.ts";
import type { PageSource, PageTokens, SectionTokens } from "./types.ts";

/** The words of a page, by sections: what the index stores of it. */
export function pageTokens({ title, aliases, properties, markdown }: PageSource): PageTokens {
  const names = withGaps([title, ...aliases]);
  const values = withGaps([title, ...aliases, ...properties.map(({ text }) => text)]);
  const first: SectionTokens = { start: 0, headings: [], terms: values, basePosition: 0 };
  return { title: names, sections: [first, ...textTokens(markdown, values.length + 1)] };
}

/** The words of several texts, with a gap after each but the last. */
function withGaps(texts: readonly string[]): string[] {
  const terms: string[] = [];
  for (const text of texts) {
    const before = terms.length;
    if (before > 0) terms.push("");
    forEachToken(text, (term) => terms.push(term));
    if (before > 0 && terms.length === before + 1) terms.pop();
  }
  return terms;
}

/** The text is split into words as a whole, so that a cut changes neither words nor positions. */
function* textTokens(markdown: string, firstPosition: number): Generator<SectionTokens> {
  const { plain, sections } = readSections(markdown);
  const codePoints = new CodePoints(markdown);
  const terms = sections.map((): string[] => []);
  let current = 0;
  let next = sections[1]?.from ?? Number.POSITIVE_INFINITY;
  let into = terms[0] ?? [];
  forEachToken(plain.text, (term, start) => {
    while (start >= next) {
      current += 1;
      into = terms[current] ?? [];
      next = sections[current + 1]?.from ?? Number.POSITIVE_INFINITY;
    }
    into.push(term);
  });
  let basePosition = firstPosition;
  for (const [index, { start, headings }] of sections.entries()) {
    const own = terms[index] ?? [];
    yield { start: codePoints.before(start), headings: withGaps(headings), terms: own, basePosition };
    basePosition += own.length;
  }
}
