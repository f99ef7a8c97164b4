import { type Block, blocksOf } from "./blocks.ts";
import { readInline } from "./inline.ts";
import { type PlainPlaces, PlainWriter } from "./plain-writer.ts";

/** A text as a reader sees it, without markup and addresses of links, and where its parts are in the Markdown. */
export interface PlainText extends PlainPlaces {
  /** The blocks that have text, each on a line of its own; code has several lines. */
  readonly text: string;
  readonly blocks: readonly PlainBlock[];
}

/** A block with text. */
export interface PlainBlock extends Block {
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
    if (!accepts(block)) continue;
    const from = writer.beginBlock(block.start);
    for (const [index, [start, end]] of block.content.entries()) {
      if (index > 0) writer.separate(block.kind === "row" ? " | " : "\n", start);
      if (block.kind === "code") writer.copy(start, end);
      else readInline(markdown, start, end, writer);
    }
    if (writer.length > from) blocks.push({ ...block, from, to: writer.length });
  }
  return { ...writer.finished(), blocks };
}

/** The block that contains a position of the text, or the last one before it. */
export function blockAt({ blocks }: PlainText, position: number): PlainBlock | undefined {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((blocks[middle]?.from ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return blocks[low];
}
