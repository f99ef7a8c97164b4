import { fold } from "@clew/text/basics";
import type { SearchSection } from "./site-page.ts";

/** A section that has every word, with the part of its text around the first one. */
export interface Found {
  readonly section: SearchSection;
  readonly excerpt: string;
}

/** A section with its texts folded, as they are compared. */
interface Prepared {
  readonly section: SearchSection;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** The scores of a word by the place that has it: a heading says more than a text. */
const weights = { heading: 8, headingStart: 4, page: 3, text: 1 };

const excerptBefore = 60;
const excerptLength = 180;

/** The sections of the documentation, ready to be searched. */
export class SectionSearch {
  readonly #sections: readonly Prepared[];

  constructor(sections: readonly SearchSection[]) {
    this.#sections = sections.map((section) => ({
      section,
      page: fold(section.page),
      heading: fold(section.heading),
      text: fold(section.text),
    }));
  }

  /** Finds the sections that have every word of the query or a word that begins with it, best first, at most `limit`. */
  find(query: string, limit: number): readonly Found[] {
    const words = fold(query).split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    return this.#sections
      .map((prepared) => ({ prepared, score: scoreOf(prepared, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, limit)
      .map(({ prepared: { section } }) => ({ section, excerpt: excerptOf(section.text, query) }));
  }
}

/** 0 if a word is missing. */
function scoreOf({ page, heading, text }: Prepared, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const inHeading = startOf(heading, word);
    const inText = startOf(text, word);
    const inPage = startOf(page, word);
    if (inHeading === -1 && inText === -1 && inPage === -1) return 0;
    if (inHeading !== -1) score += weights.heading;
    if (inHeading === 0) score += weights.headingStart;
    if (inPage !== -1) score += weights.page;
    // A word near the beginning of a section is more likely to be what it is about.
    if (inText !== -1) score += weights.text + 1 / (1 + inText / 200);
  }
  // If only the title of the page has the words, its first section stands for it.
  return score === weights.page * words.length && heading !== "" ? 0 : score;
}

/** The first place at which a word of the text begins with `word`; -1 if there is none. */
function startOf(text: string, word: string): number {
  let place = text.indexOf(word);
  while (place > 0 && /[\p{L}\p{N}]/u.test(text[place - 1] ?? "")) place = text.indexOf(word, place + 1);
  return place;
}

/** The part of a text around the first word of the query that it has. */
function excerptOf(text: string, query: string): string {
  const lower = text.toLowerCase();
  const places = query
    .toLowerCase()
    .split(/\s+/)
    .flatMap((word) => (word === "" ? [] : [startOf(lower, word)]))
    .filter((place) => place !== -1);
  const from = Math.max(0, Math.min(...places, lower.length) - excerptBefore);
  const start = places.length === 0 || from === 0 ? 0 : text.indexOf(" ", from) + 1;
  const end = start + excerptLength;
  return `${start > 0 ? "… " : ""}${text.slice(start, end).trim()}${end < text.length ? " …" : ""}`;
}
