import { type BlockGroup, headedSectionsOf, type TextPassage } from "@clew/text";
import type { Candidate } from "./candidates.ts";
import type { ContextPort } from "./port.ts";
import type { Matches, WordMatcher } from "./word-matching.ts";

/** A page that was read, with the words of the question that were found in it. */
export interface MatchedPage {
  readonly candidate: Candidate;
  /** Code units of its text. */
  readonly chars: number;
  /** Whether a part of its text is missing, because the page could not be read whole. */
  readonly truncated: boolean;
  /** Words in its title and aliases. */
  readonly titleMatches: Matches;
  readonly sections: readonly MatchedSection[];
  /** The passages of all sections, in order. */
  readonly passages: readonly MatchedPassage[];
  /** Pages with the same title and nearly the same text, which were left out. */
  readonly copies: readonly Candidate[];
}

/** A block of a text, the smallest part that can be shown. */
export interface MatchedPassage {
  readonly block: TextPassage;
  readonly matches: Matches;
  readonly section: MatchedSection;
}

/** The text between two headings. */
export interface MatchedSection {
  /** The headings above it, outermost first. */
  readonly headings: readonly TextPassage[];
  /** Question words found in its headings. */
  readonly headingMatches: Matches;
  /** Question words found in all its passages together. */
  readonly matches: Matches;
  readonly groups: readonly MatchedGroup[];
}

/** Blocks that are true only together, with the positions of their passages on the page. */
export interface MatchedGroup extends Pick<BlockGroup, "kind"> {
  readonly introduction: number | null;
  readonly items: readonly (readonly number[])[];
}

/** Pages whose passages may be taken, and characters of all of them. */
const maxPages = 60;
const maxChars = 800_000;
/** The same bounds with copies included, which are compared by their lines alone. */
const maxReadPages = 120;
const maxReadChars = 1_600_000;

/** Reads the texts of the best candidates. */
export async function readPages(
  port: Pick<ContextPort, "readPage">,
  candidates: readonly Candidate[],
  matcher: WordMatcher,
): Promise<MatchedPage[]> {
  const pages: MatchedPage[] = [];
  const copies = new CopyFinder();
  let chars = 0;
  let readChars = 0;
  for (const candidate of candidates.slice(0, maxReadPages)) {
    const page = await port.readPage(candidate);
    if (page === null) continue;
    const { title, aliases, markdown, truncated } = page;
    readChars += markdown.length;
    if (pages.length > 0 && readChars > maxReadChars) break;
    const original = candidate.isAsked ? null : copies.originalOf(title, markdown);
    if (original !== null) {
      original.push(candidate);
      continue;
    }
    chars += markdown.length;
    if (pages.length > 0 && chars > maxChars) break;
    pages.push({
      candidate,
      chars: markdown.length,
      truncated,
      titleMatches: matcher.match([title, ...aliases].join(" ")),
      ...matchText(matcher, markdown),
      copies: copies.add(title, markdown),
    });
    if (pages.length === maxPages) break;
  }
  return pages;
}

/** Matches the words of a text with a question's. Headings are no passages, but count for those below them. */
function matchText(matcher: WordMatcher, markdown: string): Pick<MatchedPage, "sections" | "passages"> {
  const sections: MatchedSection[] = [];
  const passages: MatchedPassage[] = [];
  for (const { headings, groups } of headedSectionsOf(markdown)) {
    const matched = groups.flatMap((group) => matchGroup(matcher, group));
    const section = {
      headings,
      headingMatches: matcher.match(headings.map(({ text }) => text).join("\n")),
      matches: matched.reduce((one, { matches }) => matcher.union(one, matches), matcher.nothing),
      groups: positioned(groups, passages.length),
    };
    sections.push(section);
    passages.push(...matched.map((passage) => ({ ...passage, section })));
  }
  return { sections, passages };
}

/** The share of its words that a passage of a transcript has: people say much on the way to what they mean. */
const transcriptShare = 0.25;

/** The share of the words of an introduction that each of its items has. */
const introducedShare = 0.5;

/** Each block with its words. Rows also have those of their table's header, and items some of their introduction's. */
function matchGroup(
  matcher: WordMatcher,
  { kind, introduction, items }: BlockGroup,
): Pick<MatchedPassage, "block" | "matches">[] {
  const header = kind === "table" ? items[0]?.[0] : undefined;
  const ofHeader = header === undefined ? matcher.nothing : matcher.match(header.text);
  const introduced = introduction === null ? matcher.nothing : ownMatches(matcher, introduction);
  const shared = matcher.union(ofHeader, matcher.part(introduced, introducedShare));
  const matched = items.flat().map((block) => ({
    block,
    matches: matcher.union(ownMatches(matcher, block), shared),
  }));
  return introduction === null ? matched : [{ block: introduction, matches: introduced }, ...matched];
}

function ownMatches(matcher: WordMatcher, { text, isTranscript }: TextPassage): Matches {
  const matches = matcher.match(text);
  return isTranscript ? matcher.part(matches, transcriptShare) : matches;
}

/** Numbers the passages of groups, from `first` on. */
function positioned(groups: readonly BlockGroup[], first: number): MatchedGroup[] {
  let next = first;
  const number = () => next++;
  return groups.map(({ kind, introduction, items }) => ({
    kind,
    introduction: introduction === null ? null : number(),
    items: items.map((item) => item.map(number)),
  }));
}

/** A page is a copy if another one with its title has this share of its lines: a revision, for instance. */
const commonShare = 0.6;
/** Shorter lines are common to many pages. */
const minLineChars = 30;
/** Pages with the same title that others are compared with: notes may have the same one every day. */
const mostCompared = 8;

/** Finds copies of pages, which would fill a context with the same passages again. */
class CopyFinder {
  readonly #byTitle = new Map<string, PageLines[]>();

  /** Adds a page that is kept. Returns the list of its copies, which grows as they are found. */
  add(title: string, markdown: string): readonly Candidate[] {
    const own = this.#byTitle.get(title) ?? [];
    const page = new PageLines(markdown);
    if (own.length < mostCompared) this.#byTitle.set(title, [...own, page]);
    return page.copies;
  }

  /** The copies of the page that has most of this one; null if there is none. */
  originalOf(title: string, markdown: string): Candidate[] | null {
    const others = this.#byTitle.get(title);
    if (others === undefined) return null;
    const lines = longLines(markdown);
    if (lines.length === 0) return null;
    return others.find((other) => other.shareOf(lines) >= commonShare)?.copies ?? null;
  }
}

/** The lines of a page. They are split with the first comparison: most pages share their title with no other. */
class PageLines {
  readonly copies: Candidate[] = [];
  readonly #markdown: string;
  #lines: ReadonlySet<string> | null = null;

  constructor(markdown: string) {
    this.#markdown = markdown;
  }

  shareOf(lines: readonly string[]): number {
    this.#lines ??= new Set(longLines(this.#markdown));
    const own = this.#lines;
    return lines.filter((line) => own.has(line)).length / lines.length;
  }
}

const longLines = (markdown: string) => markdown.split("\n").filter((line) => line.length >= minLineChars);
