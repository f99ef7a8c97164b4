import { readSections } from "@clew/text";
import { CodePoints } from "@clew/text/basics";
import type { TermMaker } from "./terms.ts";
import { forEachToken } from "./tokens.ts";
import type { PageSource, PageTokens, SectionTokens } from "./types.ts";

/** The words of a page, by sections: what the index stores of it. */
export function pageTokens<Term>(
  { title, aliases, properties, markdown }: PageSource,
  terms: TermMaker<Term>,
): PageTokens<Term> {
  const names = withGaps([title, ...aliases], terms);
  const values = withGaps([title, ...aliases, ...properties.map(({ text }) => text)], terms);
  const first: SectionTokens<Term> = { start: 0, headings: [], terms: values, basePosition: 0 };
  return { title: names, sections: [first, ...textTokens(markdown, terms, values.length + 1)] };
}

/** The words of several texts, with a gap after each but the last. */
function withGaps<Term>(texts: readonly string[], terms: TermMaker<Term>): Term[] {
  const found: Term[] = [];
  for (const text of texts) {
    const before = found.length;
    if (before > 0) found.push(terms.gap);
    forEachToken(text, terms, (term) => found.push(term));
    if (before > 0 && found.length === before + 1) found.pop();
  }
  return found;
}

/** A section of a transcript counts as this many times as long: what was written about something comes before what was said. */
const transcriptLength = 16;

/** The text is split into words as a whole, so that a cut changes neither words nor positions. */
function* textTokens<Term>(
  markdown: string,
  terms: TermMaker<Term>,
  firstPosition: number,
): Generator<SectionTokens<Term>> {
  const { plain, sections } = readSections(markdown);
  const codePoints = new CodePoints(markdown);
  const found = sections.map((): Term[] => []);
  let current = 0;
  let next = sections[1]?.from ?? Number.POSITIVE_INFINITY;
  let into = found[0] ?? [];
  forEachToken(plain.text, terms, (term, start) => {
    while (start >= next) {
      current += 1;
      into = found[current] ?? [];
      next = sections[current + 1]?.from ?? Number.POSITIVE_INFINITY;
    }
    into.push(term);
  });
  let basePosition = firstPosition;
  for (const [index, { start, headings, isTranscript }] of sections.entries()) {
    const own = found[index] ?? [];
    yield {
      start: codePoints.before(start),
      headings: withGaps(headings, terms),
      terms: own,
      basePosition,
      ...(isTranscript && { length: transcriptLength * own.length }),
    };
    basePosition += own.length;
  }
}
