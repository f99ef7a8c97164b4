import { CodePoints } from "../basics/code-points.ts";
import { lastAtMost } from "../basics/first-index.ts";
import { blockAt, type PlainBlock, plainText } from "../markdown/plain-text.ts";
import { rangeAround } from "./excerpt-range.ts";
import { sentenceStarts } from "./sentences.ts";

/** The surroundings of a place in a text. */
export interface TextExcerpt {
  /** Its start in the Markdown, in code points. */
  readonly offset: number;
  /** Plain text of at most 200 code points. */
  readonly text: string;
}

const maxExcerpt = 200;

/**
 * Returns the sentence, list item or row around each place in a text (GRAPH-24); null if its line has no text. Places are
 * offsets in the Markdown, in code points.
 */
export function excerptsAt(markdown: string, offsets: readonly number[]): (TextExcerpt | null)[] {
  const plain = plainText(markdown);
  const codePoints = new CodePoints(markdown);
  const sentencesOf = new Map<PlainBlock, readonly number[]>();
  return offsets.map((offset) => {
    const source = codePoints.unitAt(offset);
    const position = plain.positionOf(source);
    const block = blockAt(plain, position);
    if (block === undefined || source < block.start || source > block.end) return null;
    const inside = Math.min(position, block.to - 1);
    const isWhole = block.kind === "item" || block.kind === "row";
    const sentences = sentencesOf.get(block) ?? sentenceStarts(plain.text, block.from, block.to);
    sentencesOf.set(block, sentences);
    const sentence = lastAtMost(sentences, inside);
    const within = isWhole
      ? { start: block.from, end: block.to }
      : { start: sentences[sentence] ?? block.from, end: sentences[sentence + 1] ?? block.to };
    const place = { start: inside, end: inside + 1 };
    const range = rangeAround(plain.text, place, { within, sentences, maxCodePoints: maxExcerpt });
    return {
      offset: codePoints.before(plain.sourceAt(range.start)),
      text: plain.text.slice(range.start, range.end),
    };
  });
}
