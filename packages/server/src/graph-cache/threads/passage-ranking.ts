import { passagesOf, type TextPassage, termsOf } from "@clew/text-index";
import type { Matches, WordMatcher } from "./word-matching.ts";

/** A place in a text, in code points. */
type Place = Pick<TextPassage, "offset" | "chars">;

/** A paragraph, item, row or block of code, which a context has whole or not at all. */
export interface Passage extends Place {
  /** The heading of its section. */
  readonly heading: Place | null;
  /** Passages with the same words have the same key. */
  readonly key: string;
  readonly score: number;
}

/*
 * What the parts of a score count, beside 1 for the share of the question that a passage has itself. The sentence that
 * answers often has none of the question's words: the ones around it have.
 */
const neighborShare = 0.6;
const sectionShare = 0.5;
const headingShare = 0.2;
const titleShare = 0.3;
const codeMalus = 0.5;
/** Where no word says more, openings do. */
const openingBonus = 0.01;

/** The passages of a text, each with how well it answers the question. */
export function rankPassages(matcher: WordMatcher, title: readonly string[], markdown: string): Passage[] {
  const passages = matchPassages(matcher, markdown);
  const titleCoverage = matcher.coverage(matcher.match(title));
  const own = passages.map(({ matches }) => matcher.coverage(matches));
  return passages.map(({ kind, offset, chars, key, section }, index) => ({
    offset,
    chars,
    key,
    heading: section.place,
    score:
      (own[index] ?? 0) +
      neighborShare * Math.max(own[index - 1] ?? 0, own[index + 1] ?? 0) +
      sectionShare * matcher.coverage(section.matches) +
      headingShare * matcher.coverage(section.headings) +
      titleShare * titleCoverage +
      openingBonus / (1 + index) -
      (kind === "code" ? codeMalus : 0),
  }));
}

interface Section {
  readonly place: Place | null;
  /** What its headings have of the question, and what its passages have together. */
  readonly headings: Matches;
  readonly matches: Matches;
}

interface MatchedPassage extends TextPassage {
  readonly key: string;
  readonly matches: Matches;
  readonly section: Section;
}

function matchPassages(matcher: WordMatcher, markdown: string): MatchedPassage[] {
  const sliceAt = codePointSlices(markdown);
  const path: string[] = [];
  let section: Section = { place: null, headings: matcher.match([]), matches: matcher.match([]) };
  const passages: MatchedPassage[] = [];
  for (const passage of passagesOf(markdown, { start: 0, end: markdown.length })) {
    const { kind, offset, chars } = passage;
    const text = shown(sliceAt(offset, chars));
    if (kind === "heading") {
      const level = /^\s*(#+)/.exec(text)?.[1]?.length ?? 1;
      path.splice(level - 1, path.length, text);
      const headings = matcher.match(termsOf(path.join(" ")));
      section = { place: { offset, chars }, headings, matches: matcher.match([]) };
      continue;
    }
    const terms = termsOf(text);
    const matches = matcher.match(terms);
    for (const [word, share] of matches.entries()) {
      section.matches[word] = Math.max(section.matches[word] ?? 0, share);
    }
    passages.push({ ...passage, key: terms.join(" "), matches, section });
  }
  return passages;
}

/** Without the targets of links and tags. */
const shown = (text: string) => text.replaceAll(/\]\([^()\s]*\)/g, "]").replaceAll(/<[^<>]*>/g, " ");

/** Cuts ranges of code points out of a text. */
export function codePointSlices(text: string): (offset: number, chars: number) => string {
  if (!/[\ud800-\udfff]/.test(text)) return (offset, chars) => text.slice(offset, offset + chars);
  const characters = [...text];
  return (offset, chars) => characters.slice(offset, offset + chars).join("");
}
