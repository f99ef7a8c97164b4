import {
  blockAt,
  codePointsWithin,
  type PlainText,
  rangeAround,
  readSections,
  sentenceStarts,
  type TextRange,
} from "@clew/text";
import { CodePoints, lastAtMost } from "@clew/text/basics";
import { type Match, matchesIn } from "./matches.ts";
import type { PageProperty, PageSource, QueryWord, TextHit, TextQuery } from "./types.ts";

/** The most code points in a snippet. */
const maxSnippet = 300;
const maxHits = 3;
/** How far a snippet of a section may reach into the next one, in UTF-16 units: further than it is long. */
const overlapUnits = 1_000;

/**
 * Finds the places of a page that answer a query (GRAPH-28): up to three, the best first. `sections` are numbers of sections
 * of `pageTokens`, the best first; the section 0 stands for the properties. Words in titles alone have no snippet.
 */
export function hitsOf(
  page: Pick<PageSource, "properties" | "markdown">,
  sections: readonly number[],
  { words }: TextQuery,
): TextHit[] {
  const text = sections.some((section) => section > 0) ? new SnippetText(page.markdown, words) : null;
  const found = sections.map((section) =>
    section === 0 ? snippetsOfProperties(page.properties, words) : (text?.snippetsOf(section) ?? []),
  );
  for (const candidates of found) candidates.sort(compareCandidates);
  const bests = found.flatMap((candidates) => candidates.slice(0, 1));
  const others = found.flatMap((candidates) => candidates.slice(1)).sort(compareCandidates);
  return [...bests, ...others].slice(0, maxHits).map(({ hit }) => hit());
}

/** A part of a text with words of the query. */
interface Snippet extends TextRange {
  readonly matches: readonly Match[];
  /** The number of words of the query. */
  readonly distinct: number;
  /** The number of those that are there as they were written. */
  readonly written: number;
}

interface Candidate {
  readonly snippet: Snippet;
  readonly hit: () => TextHit;
}

/** More of the words, then more of them as written, then more occurrences, then the earlier. */
function compareCandidates({ snippet: a }: Candidate, { snippet: b }: Candidate): number {
  return (
    b.distinct - a.distinct ||
    b.written - a.written ||
    b.matches.length - a.matches.length ||
    a.start - b.start
  );
}

function snippetsOfProperties(properties: readonly PageProperty[], words: readonly QueryWord[]): Candidate[] {
  return properties.flatMap(({ name, text }) =>
    snippetsIn(text, words).map((snippet) => ({
      snippet,
      hit: () => ({ offset: null, heading: null, property: name, ...shown(text, snippet) }),
    })),
  );
}

/** The text of a page, from which snippets of its sections are taken. */
class SnippetText {
  readonly #plain: PlainText;
  readonly #sections: readonly TextRange[];
  readonly #codePoints: CodePoints;
  readonly #words: readonly QueryWord[];

  constructor(markdown: string, words: readonly QueryWord[]) {
    const { plain, sections } = readSections(markdown);
    this.#plain = plain;
    this.#sections = sections.map(({ from, to }) => ({ start: from, end: to }));
    this.#codePoints = new CodePoints(markdown);
    this.#words = words;
  }

  snippetsOf(section: number): Candidate[] {
    const range = this.#sections[section - 1];
    if (range === undefined) return [];
    const { text } = this.#plain;
    const part = text.slice(range.start, range.end + overlapUnits);
    return snippetsIn(part, this.#words, range.end - range.start).map((snippet) => {
      const start = range.start + snippet.start;
      const hit = () => ({
        offset: this.#codePoints.before(this.#plain.sourceAt(start)),
        heading: this.#headingAbove(start),
        property: null,
        ...shown(part, snippet),
      });
      return { snippet, hit };
    });
  }

  #headingAbove(position: number): string | null {
    const { text, blocks } = this.#plain;
    const isTranscript = blockAt(this.#plain, position)?.isTranscript === true;
    const heading = blocks.findLast(
      (block) => block.kind === "heading" && block.to <= position && (isTranscript || !block.isTranscript),
    );
    return heading === undefined ? null : text.slice(heading.from, heading.to);
  }
}

/** Snippets one after the other, each with as many matches as fit. Matches begin before `end`. */
function snippetsIn(text: string, words: readonly QueryWord[], end = text.length): Snippet[] {
  const matches = matchesIn(text, words).filter(({ start }) => start < end);
  if (matches.length === 0) return [];
  const sentences = sentenceStarts(text, 0, text.length);
  const snippets: Snippet[] = [];
  let covered = 0;
  let first = 0;
  for (let match = matches[0]; match !== undefined; match = matches[first]) {
    const sentence = sentences[lastAtMost(sentences, match.start)] ?? 0;
    const start = match.start < covered ? sentence : Math.max(sentence, covered);
    const within = { start, end: text.length };
    const range = rangeAround(text, match, { within, sentences, maxCodePoints: maxSnippet });
    let next = first + 1;
    while (next < matches.length && (matches[next]?.end ?? 0) <= range.end) next += 1;
    const own = matches.slice(first, next);
    const distinct = distinctWords(own);
    const written = distinctWords(own.filter(({ isForm }) => !isForm));
    snippets.push({ ...range, matches: own, distinct, written });
    covered = range.end;
    first = next;
  }
  return snippets;
}

const distinctWords = (matches: readonly Match[]) => new Set(matches.map(({ word }) => word)).size;

function shown(text: string, { start, end, matches }: Snippet): Pick<TextHit, "snippet" | "marks"> {
  const marks = united(matches, end).map((mark): [number, number] => {
    const before = codePointsWithin(text, start, mark.start);
    return [before, before + codePointsWithin(text, mark.start, mark.end)];
  });
  return { snippet: text.slice(start, end), marks };
}

/** Ranges that overlap become one. */
function united(matches: readonly Match[], limit: number): TextRange[] {
  const ranges: { start: number; end: number }[] = [];
  for (const match of matches) {
    const end = Math.min(match.end, limit);
    const last = ranges.at(-1);
    if (last !== undefined && match.start < last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start: match.start, end });
  }
  return ranges;
}
