import { CodePoints } from "../basics/code-points.ts";
import { lastAtMost } from "../basics/first-index.ts";
import { type Piece, readInline } from "../markdown/inline.ts";
import { blockAt, type PlainBlock, plainText } from "../markdown/plain-text.ts";
import { codePointsWithin, rangeAround, type TextRange } from "./excerpt-range.ts";
import { sentenceStarts } from "./sentences.ts";

/** The surroundings of a place in a text. */
export interface TextExcerpt {
  /** Its start in the Markdown, in code points. */
  readonly offset: number;
  /** Plain text of at most 200 code points. */
  readonly text: string;
  /** `[start, end)` of the link at the place, in code points of the text; null if there is none. */
  readonly mark: readonly [start: number, end: number] | null;
}

const maxExcerpt = 200;

/** UTF-16 units of the Markdown in which the end of a link is looked for. The mark of a longer one is left out. */
const maxLinkUnits = 4000;

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
    const link = linkEnd(markdown, block, source);
    return {
      offset: codePoints.before(plain.sourceAt(range.start)),
      text: plain.text.slice(range.start, range.end),
      mark:
        link === null ? null : markIn(plain.text, range, { start: position, end: plain.positionOf(link) }),
    };
  });
}

/** The end of the label of a link or mention that begins at a place; null if none does. */
function linkEnd(markdown: string, { content }: PlainBlock, source: number): number | null {
  const line = content.find(([start, end]) => start <= source && source < end);
  if (line === undefined) return null;
  const { pieces, spans } = readInline(markdown, source, Math.min(line[1], source + maxLinkUnits));
  const [first, ...others] = pieces;
  if (first === undefined) return null;
  const span = spans.find(({ kind, open }) => kind === "link" && open === first);
  if (span !== undefined) return span.close.start;
  if (first.kind === "address") return first.end;
  const isClosing = ({ kind, name, start }: Piece) =>
    kind === "tag" && name === first.name && markdown[start + 1] === "/";
  return first.kind === "tag" ? (others.find(isClosing)?.start ?? null) : null;
}

/** A part of a text in code points from the start of a range around it; null if nothing of it is in the range. */
function markIn(text: string, range: TextRange, { start, end }: TextRange): TextExcerpt["mark"] {
  const [from, to] = [Math.max(start, range.start), Math.min(end, range.end)];
  if (from >= to) return null;
  const before = codePointsWithin(text, range.start, from);
  return [before, before + codePointsWithin(text, from, to)];
}
