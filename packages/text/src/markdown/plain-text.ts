import { firstIndex } from "../basics/first-index.ts";
import { type Block, blocksOf, type TextKind } from "./blocks.ts";
import { nextSpecial, type Piece, readInline } from "./inline.ts";
import { cellsOf, type TextSpan } from "./pipe-tables.ts";
import { type PlainPlaces, PlainWriter } from "./plain-writer.ts";

/** A text as a reader sees it, without markup and addresses of links, and where its parts are in the Markdown. */
export interface PlainText extends PlainPlaces {
  /** The blocks that have text, each on a line of its own; code has several lines. */
  readonly text: string;
  readonly blocks: readonly PlainBlock[];
}

/** A block with text. */
export interface PlainBlock extends Block {
  readonly kind: TextKind;
  /** `[from, to)` in the text. */
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the provider's Markdown, or only those of its blocks that a test accepts. Linear in its length, whatever it
 * contains.
 */
export function plainText(markdown: string, accepts: (block: Block) => boolean = () => true): PlainText {
  const writer = new PlainWriter(markdown);
  const blocks: PlainBlock[] = [];
  for (const block of blocksOf(markdown)) {
    const { kind } = block;
    if (kind === "rule" || !accepts(block)) continue;
    const from = writer.beginBlock(block.start);
    writeBlock(markdown, block, writer);
    if (writer.length > from) blocks.push({ ...block, kind, from, to: writer.length });
  }
  return { ...writer.finished(), blocks };
}

function writeBlock(markdown: string, { kind, content }: Block, writer: PlainWriter): void {
  let isFirst = true;
  for (const [start, end] of content) {
    if (kind === "code" && start === end) continue;
    if (!isFirst) writer.separate(kind === "row" ? " | " : "\n", start);
    isFirst = false;
    if (kind === "code") writer.copy(start, end);
    else writeLine(markdown, start, end, writer);
  }
}

/** The cells of a row as a reader sees them, those without text included. */
export function plainCells(markdown: string, { start, end, indentEnd, content }: Block): string[] {
  const [from = start, to = end] = content[0] ?? [];
  const cells = markdown[indentEnd] === "|" ? pipeCells(markdown, from, to) : cellsOf(markdown, start, end);
  return cells.map((cell) => {
    const writer = new PlainWriter(markdown);
    writeLine(markdown, cell.start, cell.end, writer);
    return writer.finished().text.trim();
  });
}

/** The places of the cells in the content of a row in pipes; an escaped pipe is text. */
function pipeCells(markdown: string, from: number, to: number): TextSpan[] {
  const pipes = [...markdown.slice(from, to).matchAll(/\\.|\|/gs)].filter(([found]) => found === "|");
  const ends = [...pipes.map(({ index }) => from + index), to];
  return ends.map((end, index) => ({ start: index === 0 ? from : (ends[index - 1] ?? from) + 1, end }));
}

function writeLine(markdown: string, start: number, end: number, writer: PlainWriter): void {
  // Most lines have no markup.
  if (nextSpecial(markdown, start, end) === end) {
    writer.copy(start, end);
    return;
  }
  for (const piece of readInline(markdown, start, end).pieces) {
    if (piece.kind === "tag") writeTag(markdown, piece, writer);
    // A citation is shown as a number that the Markdown does not have.
    else if (piece.kind !== "citation") writer.copy(piece.start, piece.end);
  }
}

function writeTag(markdown: string, { name, start, end }: Piece, writer: PlainWriter): void {
  if (name === "br") writer.separate("\n", start);
  else if (name === "td" || name === "th") writer.separate(" | ", start);
  else if (name === "mention-date") writeDate(markdown, start, end, writer);
}

/** Writes the start and end of a date, which are in attributes. */
function writeDate(markdown: string, start: number, end: number, writer: PlainWriter): void {
  const values = markdown.slice(start, end).matchAll(/\s(?:start|end)(?:Time)?="([^"]*)"/g);
  for (const [index, { index: at, 0: attribute, 1: value = "" }] of [...values].entries()) {
    const close = start + at + attribute.length - 1;
    if (index > 0) writer.separate(" ", close - value.length);
    writer.copy(close - value.length, close);
  }
}

/** The block that contains a position of the text, or the last one before it. */
export function blockAt({ blocks }: PlainText, position: number): PlainBlock | undefined {
  return blocks[
    Math.max(0, firstIndex(0, blocks.length, (index) => (blocks[index]?.from ?? 0) > position) - 1)
  ];
}
