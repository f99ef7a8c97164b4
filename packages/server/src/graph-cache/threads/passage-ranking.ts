import { passagesOf, termsOf } from "@clew/text-index";

/** A run of paragraphs, items and rows below one heading, which a context has whole or not at all. */
export interface Excerpt {
  /** Where it starts and how long it is, in code points; its heading included if that stands right before it. */
  readonly offset: number;
  readonly chars: number;
  readonly terms: readonly string[];
  /** The words of the headings above it. */
  readonly headings: readonly string[];
}

/** Code points at which an excerpt ends; a longer paragraph is one by itself. */
const excerptChars = 900;

/** Cuts a text into excerpts. */
export function excerptsOf(markdown: string): Excerpt[] {
  const characters = [...markdown];
  const excerpts: Excerpt[] = [];
  const path: string[] = [];
  let heading: number | null = null;
  let open: { offset: number; end: number; text: string; headings: string[] } | null = null;
  const close = () => {
    if (open === null) return;
    const { offset, end, text, headings } = open;
    excerpts.push({ offset, chars: end - offset, terms: termsOf(shown(text)), headings });
    open = null;
  };
  for (const { kind, offset, chars } of passagesOf(markdown, { start: 0, end: characters.length })) {
    const text = characters.slice(offset, offset + chars).join("");
    if (kind === "heading") {
      close();
      const level = /^\s*(#+)/.exec(text)?.[1]?.length ?? 1;
      path.splice(level - 1, path.length, text);
      heading ??= offset;
      continue;
    }
    if (open !== null && offset + chars - open.offset > excerptChars) close();
    open ??= { offset: heading ?? offset, end: offset, text: "", headings: termsOf(path.join(" ")) };
    open.end = offset + chars;
    open.text += `${text}\n`;
    heading = null;
  }
  close();
  return excerpts;
}

/** Without the targets of links and tags. */
const shown = (text: string) => text.replaceAll(/\]\([^()\s]*\)/g, "]").replaceAll(/<[^<>]*>/g, " ");

/** A word of a question and its weight; weights are relative. */
export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

const saturation = 1.2;
const lengthShare = 0.6;
/** Words of an average excerpt. */
const averageWords = 90;
/** A heading counts as one word of the text, a title as two fifths of a whole match. */
const titleShare = 0.4;

/** How much of a question an excerpt has, from 0 to 1.4: BM25 with the words of its headings and of its page's title. */
export function scoreExcerpt(
  question: readonly WeightedTerm[],
  excerpt: Excerpt,
  title: ReadonlySet<string>,
): number {
  const counts = new Map<string, number>();
  for (const term of excerpt.terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const term of new Set(excerpt.headings)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const half = saturation * (1 - lengthShare + (lengthShare * excerpt.terms.length) / averageWords);
  let score = 0;
  let most = 0;
  for (const { term, weight } of question) {
    const count = counts.get(term) ?? 0;
    score += weight * (count / (count + half) + (title.has(term) ? titleShare : 0));
    most += weight;
  }
  return most === 0 ? 0 : score / most;
}

/** Excerpts of fewer different words are never too similar. */
const minComparedTerms = 4;
/** The share of the smaller excerpt's words that another one has, from which on it says the same. */
const sameShare = 0.7;

/** Says of excerpts, one after the other, whether one before said the same: copies, and other versions of a page. */
export function createRepetitionTest(): (terms: readonly string[]) => boolean {
  const before: ReadonlySet<string>[] = [];
  return (terms) => {
    const own = new Set(terms);
    const isRepeated =
      own.size >= minComparedTerms &&
      before.some((other) => own.intersection(other).size >= sameShare * Math.min(own.size, other.size));
    if (!isRepeated) before.push(own);
    return isRepeated;
  };
}
