import { passagesOf, type TextPassage } from "@clew/text";
import type { Candidate } from "./candidates.ts";
import type { ContextPort } from "./port.ts";
import type { Matches, WordMatcher } from "./word-matching.ts";

/** A page that was read, with the words of the question that were found in it. */
export interface MatchedPage {
  readonly candidate: Candidate;
  /** Code units of its text. */
  readonly chars: number;
  /** Words in its title and aliases. */
  readonly titleMatches: Matches;
  readonly passages: readonly MatchedPassage[];
}

export interface MatchedPassage {
  readonly block: TextPassage;
  readonly matches: Matches;
  readonly section: MatchedSection;
}

/** The passages below a heading. */
interface MatchedSection {
  /** Null before the first heading. */
  readonly heading: TextPassage | null;
  /** Question words found in its heading and those above it. */
  readonly headings: Matches;
  /** Question words found in all its passages together. */
  matches: Matches;
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
    const { title, aliases, markdown } = page;
    readChars += markdown.length;
    if (pages.length > 0 && readChars > maxReadChars) break;
    if (!candidate.isAsked && copies.isCopy(title, markdown)) continue;
    chars += markdown.length;
    if (pages.length > 0 && chars > maxChars) break;
    pages.push({
      candidate,
      chars: markdown.length,
      titleMatches: matcher.match([title, ...aliases].join(" ")),
      passages: matchPassages(matcher, markdown),
    });
    if (pages.length === maxPages) break;
    copies.add(title, markdown);
  }
  return pages;
}

/** Matches the passages of a text. Headings are no passages, but count for those below them. */
function matchPassages(matcher: WordMatcher, markdown: string): MatchedPassage[] {
  const path: string[] = [];
  let section: MatchedSection = { heading: null, headings: matcher.nothing, matches: matcher.nothing };
  const passages: MatchedPassage[] = [];
  for (const block of passagesOf(markdown)) {
    if (block.kind === "heading") {
      path.splice(block.level - 1, path.length, block.text);
      const headings = matcher.match(path.join("\n"));
      section = { heading: block, headings, matches: matcher.nothing };
      continue;
    }
    const matches = matcher.match(block.text);
    section.matches = matcher.union(section.matches, matches);
    passages.push({ block, matches, section });
  }
  return passages;
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

  add(title: string, markdown: string): void {
    const own = this.#byTitle.get(title) ?? [];
    if (own.length < mostCompared) this.#byTitle.set(title, [...own, new PageLines(markdown)]);
  }

  /** Whether one of the added pages has most of this one. */
  isCopy(title: string, markdown: string): boolean {
    const others = this.#byTitle.get(title);
    if (others === undefined) return false;
    const lines = longLines(markdown);
    return lines.length > 0 && others.some((other) => other.shareOf(lines) >= commonShare);
  }
}

/** The lines of a page. They are split with the first comparison: most pages share their title with no other. */
class PageLines {
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
