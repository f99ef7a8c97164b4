import { passagesOf, type TextPassage } from "@clew/text-index";
import { readSearchedPage } from "../../../store/queries/page-texts.ts";
import type { JobServices, Source } from "../job.ts";
import type { Candidate } from "./candidates.ts";
import { CopyFinder } from "./copies.ts";
import type { Matches, WordMatcher } from "./word-matching.ts";

/** A page that was read, with what it has of the question. */
export interface MatchedPage {
  readonly candidate: Candidate;
  /** Of its text. */
  readonly chars: number;
  /** Of the title and the aliases. */
  readonly titleMatches: Matches;
  readonly passages: readonly MatchedPassage[];
}

export interface MatchedPassage {
  readonly block: TextPassage;
  readonly matches: Matches;
  readonly section: MatchedSection;
}

/** What stands below a heading. */
interface MatchedSection {
  /** Null before the first heading. */
  readonly heading: TextPassage | null;
  /** What its heading and those above have of the question, and what its passages have together. */
  readonly headings: Matches;
  matches: Matches;
}

/** Pages whose passages may be taken, and characters of all of them. */
const maxPages = 60;
const maxChars = 800_000;
/** The same with copies, which are compared by their lines alone. */
const maxReadPages = 120;
const maxReadChars = 1_600_000;

/** Reads the texts of the best candidates. */
export async function readPages(
  { db }: JobServices,
  sources: readonly Source[],
  candidates: readonly Candidate[],
  matcher: WordMatcher,
  skipsCopies: boolean,
): Promise<MatchedPage[]> {
  const pages: MatchedPage[] = [];
  const copies = new CopyFinder();
  let chars = 0;
  let readChars = 0;
  for (const candidate of candidates.slice(0, maxReadPages)) {
    const { graph, connectionId } = sources[candidate.source] as Source;
    const stored = await readSearchedPage(db, connectionId, graph.nodeAt(candidate.node).id);
    // A sync may have removed the page since its graph was published.
    if (stored === null) continue;
    const { title, aliases, markdown } = stored;
    readChars += markdown.length;
    if (pages.length > 0 && readChars > maxReadChars) break;
    if (skipsCopies && !candidate.isAsked && copies.isCopy(title, markdown)) continue;
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

/** The passages of a text but for its headings. */
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
