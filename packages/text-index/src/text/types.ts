/*
 * The values that the parts of this package exchange. Offsets in Markdown count code points; word positions count the
 * words of a page.
 */

/** The parts of a page that are indexed. */
export interface PageSource {
  readonly title: string;
  /** Other names of the page. */
  readonly aliases: readonly string[];
  /** Values as text, in the page's order: texts, options, people, numbers, dates as shown; relations are left out. */
  readonly properties: readonly PageProperty[];
  readonly markdown: string;
}

export interface PageProperty {
  readonly name: string;
  readonly text: string;
}

/**
 * The words of a page: texts, or numbers of a `TermTable`. A gap, which is an empty text or 0, takes a position that no word
 * has, so no phrase reaches across it. It is not indexed.
 */
export interface PageTokens<Term = string> {
  /** The words of the title, then those of each alias, with gaps between. */
  readonly title: readonly Term[];
  /** The first one has the words of the title, the aliases and the properties; then follow those of the text. */
  readonly sections: readonly SectionTokens<Term>[];
}

export interface SectionTokens<Term = string> {
  /** The start of the section in the Markdown; the first section has 0. It ends where the next one starts. */
  readonly start: number;
  /** The words of the headings above the section and in it, with gaps between; those in it are in `terms` as well. */
  readonly headings: readonly Term[];
  /** The words in order; the one at `index` has the position `basePosition + index`. */
  readonly terms: readonly Term[];
  /** Positions run on from section to section, so that a phrase across a cut is found. */
  readonly basePosition: number;
  /** The number of words that its length counts as, if that is not its own: more lower its score. */
  readonly length?: number;
}

/** A parsed query (GRAPH-17). */
export interface TextQuery {
  /** Words to look for, without duplicates, in the order of the query; at least one. Any of them may match. */
  readonly words: readonly QueryWord[];
  /** A page with any of these is left out. */
  readonly excluded: readonly QueryWord[];
  /** Words beyond the limit, as asked: they are not looked for. */
  readonly ignored: readonly string[];
}

/** A word, a word with signs inside, or a phrase. */
export interface QueryWord {
  /** As it was asked for. */
  readonly text: string;
  /** They must have consecutive positions; mostly one. Never empty, and none is a gap. */
  readonly terms: readonly string[];
  /** Whether the last term may also be the beginning of a longer one. */
  readonly prefix: boolean;
  /** Whether it is in quotes: other forms of it are not looked for. */
  readonly quoted: boolean;
}

/** A place in a page that answers a query (GRAPH-28). */
export interface TextHit {
  /** The start of the snippet in the Markdown; null in a property. */
  readonly offset: number | null;
  /** The nearest heading above. */
  readonly heading: string | null;
  /** The property that contains it. */
  readonly property: string | null;
  /**
   * At most 300 code points of plain text, from the start of a sentence or line; of a sentence that is longer than that,
   * from the start of a word near the match.
   */
  readonly snippet: string;
  /** The found words: `[start, end)` in code points of the snippet, ascending, without overlaps. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}
