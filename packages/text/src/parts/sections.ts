import { CodePoints, isWithinPair } from "../basics/code-points.ts";
import { blockAt, type PlainBlock, type PlainText, plainText } from "../markdown/plain-text.ts";
import { sentenceStarts } from "./sentences.ts";

/** A part of a page's text: about 2 000 characters, cut where a reader would cut. */
export interface TextSection {
  /** `[start, end)` in the Markdown. The sections of a text cover it without gaps. */
  readonly start: number;
  readonly end: number;
  /** The headings above its start, outermost first, then those inside it. */
  readonly headings: readonly string[];
  /** Its plain text. */
  readonly text: string;
}

/** Sections are as large as they can be without exceeding this, in UTF-16 units of plain text. */
const targetUnits = 2_000;
/** A longer sentence is cut at a space, or within a word. With headings before it, a section is up to 6 000 long. */
const maxSentenceUnits = 4_000;
/** Of a longer heading, only the beginning counts: it is repeated in each section below it. */
const maxHeadingUnits = 300;

/**
 * Cuts a text into sections: at headings where possible, otherwise between blocks or sentences. Short neighbours are one
 * section, but a transcript shares none with what is around it. No section ends with a heading, unless a transcript follows.
 */
export function sectionsOf(markdown: string): TextSection[] {
  const { plain, sections } = readSections(markdown);
  const codePoints = new CodePoints(markdown);
  return sections.map(({ from, to, start, headings }, index) => ({
    start: codePoints.before(start),
    end: codePoints.before(sections[index + 1]?.start ?? markdown.length),
    headings,
    text: plain.text.slice(from, to),
  }));
}

/** A section with its places: `[from, to)` in the plain text, `start` in the Markdown, all in UTF-16 units. */
interface PlacedSection {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly headings: readonly string[];
  /** Whether all of it is part of a transcript. A section has nothing of what is around one. */
  readonly isTranscript: boolean;
}

interface SectionedText {
  readonly plain: PlainText;
  readonly sections: readonly PlacedSection[];
}

export function readSections(markdown: string): SectionedText {
  const plain = plainText(markdown);
  const cuts = cutsOf(plain);
  const outline = new HeadingPath(plain);
  const sections = cuts.map((from, index): PlacedSection => {
    const to = cuts[index + 1] ?? plain.text.length;
    const start = index === 0 ? 0 : sourceOf(plain, from);
    const isTranscript = blockAt(plain, from)?.isTranscript === true;
    const headings = [...outline.above(from, isTranscript), ...outline.within(to)];
    return { from, to, start, headings, isTranscript };
  });
  return { plain, sections };
}

/** The start in the Markdown of a section that begins at a position: the start of its line, or a place within it. */
function sourceOf(plain: PlainText, from: number): number {
  const block = blockAt(plain, from);
  return block?.from === from ? block.start : plain.sourceAt(from);
}

/** The starts of the sections in the plain text. */
function cutsOf(plain: PlainText): number[] {
  const cuts: number[] = [];
  let current = 0;
  /** Whether the current section has headings alone. */
  let isBare = false;
  let isInTranscript = false;
  for (const { from, until, isHeading, isTranscript } of piecesOf(plain)) {
    const isKept = isBare && from - current < targetUnits;
    const isOther = isTranscript !== isInTranscript;
    isInTranscript = isTranscript;
    if (cuts.length === 0 || isOther || (!isKept && until - current > targetUnits)) {
      cuts.push(from);
      current = from;
      isBare = isHeading;
    } else isBare &&= isHeading;
  }
  return cuts;
}

/** A block, or a part of a long one. */
interface Piece {
  readonly from: number;
  /** Up to where the text should be in the same section: for a heading, all that is below it. */
  readonly until: number;
  readonly isHeading: boolean;
  readonly isTranscript: boolean;
}

function* piecesOf({ text, blocks }: PlainText): Generator<Piece> {
  const partEnds = endsOfParts(blocks);
  for (const [index, block] of blocks.entries()) {
    const isHeading = block.kind === "heading";
    const isTranscript = block.isTranscript === true;
    if (block.to - block.from > targetUnits) {
      const starts = startsWithin(text, block);
      for (const [number, from] of starts.entries())
        yield { from, until: starts[number + 1] ?? block.to, isHeading, isTranscript };
    } else {
      yield {
        from: block.from,
        until: (isHeading ? partEnds[index] : null) ?? block.to,
        isHeading,
        isTranscript,
      };
    }
  }
}

/** For each block, the end of the text below the same heading. */
function endsOfParts(blocks: readonly PlainBlock[]): number[] {
  const ends = new Array<number>(blocks.length).fill(0);
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const [block, next] = [blocks[index], blocks[index + 1]];
    const endsHere = next === undefined || (next.kind === "heading" && block?.kind !== "heading");
    ends[index] = endsHere ? (block?.to ?? 0) : (ends[index + 1] ?? 0);
  }
  return ends;
}

/** The starts of the pieces of a long block. Pieces end with sentences; none is longer than a section unless a sentence is. */
function startsWithin(text: string, { from, to }: PlainBlock): number[] {
  const pieces = [from];
  const starts = [...sentenceStarts(text, from, to).slice(1), to];
  let last = from;
  let before = from;
  for (const next of starts) {
    if (next - last > targetUnits && before > last) {
      pieces.push(before);
      last = before;
    }
    while (next - last > maxSentenceUnits) {
      last = cutInside(text, last);
      pieces.push(last);
    }
    before = next;
  }
  return pieces;
}

/** The place to cut a sentence of more than the maximum: after its last space, or within a word. */
function cutInside(text: string, start: number): number {
  const end = start + maxSentenceUnits;
  for (let position = end; position > start + targetUnits; position -= 1) {
    if (/\s/.test(text.charAt(position - 1))) return position;
  }
  return isWithinPair(text, end) ? end - 1 : end;
}

/** Goes through the headings of a text once. */
class HeadingPath {
  readonly #text: string;
  readonly #headings: readonly PlainBlock[];
  readonly #open: PlainBlock[] = [];
  #next = 0;

  constructor({ text, blocks }: PlainText) {
    this.#text = text;
    this.#headings = blocks.filter(({ kind }) => kind === "heading");
  }

  /**
   * The headings above a position, outermost first: those of a transcript only within it. Positions ascend from call to
   * call.
   */
  above(position: number, isTranscript: boolean): string[] {
    this.#pass(position);
    while (!isTranscript && this.#open.at(-1)?.isTranscript) this.#open.pop();
    const next = this.#headings[this.#next];
    const level = next?.from === position ? next.level : 7;
    return this.#open.filter((heading) => heading.level < level).map((heading) => this.#textOf(heading));
  }

  /** The headings from the last position to this one. */
  within(position: number): string[] {
    return this.#pass(position).map((heading) => this.#textOf(heading));
  }

  #pass(position: number): readonly PlainBlock[] {
    const first = this.#next;
    for (; this.#next < this.#headings.length; this.#next += 1) {
      const heading = this.#headings[this.#next];
      if (heading === undefined || heading.from >= position) break;
      while ((this.#open.at(-1)?.level ?? 0) >= heading.level) this.#open.pop();
      this.#open.push(heading);
    }
    return this.#headings.slice(first, this.#next);
  }

  #textOf({ from, to }: PlainBlock): string {
    return this.#text.slice(from, Math.min(to, from + maxHeadingUnits));
  }
}
