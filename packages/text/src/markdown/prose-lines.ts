import { type Block, blocksOf } from "./blocks.ts";

/** A line of prose: not in code or an equation, where nothing is markup. */
export interface ProseLine {
  /** The tabs at its beginning, one for each level of nesting. */
  readonly indent: string;
  readonly text: string;
  /** The line's index in the whole text. */
  readonly number: number;
  /** The place of `text` in the whole text, in UTF-16 units. */
  readonly start: number;
}

/** The lines of prose in a text that are not empty, in order. */
export function* proseLines(markdown: string): Generator<ProseLine> {
  const codeBlocks = codeBlocksOf(markdown);
  let next = 0;
  let end = -1;
  for (const [number, line] of markdown.split("\n").entries()) {
    const start = end + 1;
    end = start + line.length;
    while ((codeBlocks[next]?.end ?? start) < start) next += 1;
    if ((codeBlocks[next]?.start ?? end + 1) <= start) continue;
    const text = line.replace(/^\t+/, "");
    const indent = line.slice(0, line.length - text.length);
    if (text !== "") yield { indent, text, number, start: end - text.length };
  }
}

function codeBlocksOf(markdown: string): Block[] {
  const found: Block[] = [];
  for (const block of blocksOf(markdown)) if (block.kind === "code") found.push(block);
  return found;
}
