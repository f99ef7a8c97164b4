import type { Block, TableRow } from "./block.ts";
import { type Span, trimSpans } from "./span.ts";

/** A paragraph of rich text, or nothing where there is none. */
export function textBlocks(spans: readonly Span[]): Block[] {
  const text = trimSpans(spans);
  return text.length === 0 ? [] : [{ type: "paragraph", text, children: [] }];
}

/** A heading; the provider has four levels of them. */
export function headingBlock(depth: number, spans: readonly Span[]): Block {
  const level = depth <= 1 ? 1 : depth === 2 ? 2 : depth === 3 ? 3 : 4;
  return { type: "heading", level, text: trimSpans(spans), children: [] };
}

/** Blocks as one block's own text and its children: the first paragraph is the text. */
export function textAndChildren(blocks: readonly Block[]): {
  text: readonly Span[];
  children: readonly Block[];
} {
  const [first, ...rest] = blocks;
  if (first?.type !== "paragraph") return { text: [], children: blocks };
  return { text: first.text, children: [...first.children, ...rest] };
}

/** A table of rows that may be of different lengths. */
export function tableOf(rows: readonly (readonly Span[][])[], hasHeader: boolean): Block {
  const width = Math.max(1, ...rows.map((row) => row.length));
  const children = rows.map((row): TableRow => {
    const missing = Array.from({ length: width - row.length }, () => []);
    return { type: "table_row", cells: [...row, ...missing], children: [] };
  });
  return { type: "table", width, hasHeader, children };
}
