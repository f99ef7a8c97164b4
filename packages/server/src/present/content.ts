import type { Content } from "@clew/contract";
import { presentTimestamp } from "./timestamp.ts";

/** A node's text, or the empty one of a node that has none. */
export interface Text {
  readonly nodeId: string;
  readonly markdown: string;
  /** Length in code points. */
  readonly totalChars: number;
  /** In milliseconds since the Unix epoch. */
  readonly updatedAt: number;
}

/** A part of a text. Both count in Unicode code points. */
export interface Range {
  readonly offset: number;
  readonly maxChars: number;
}

/** A part of a node's text (GRAPH-5); empty where it begins at the text's end or beyond. */
export function presentContent(text: Text, { offset, maxChars }: Range): Content {
  const end = offset + maxChars;
  return {
    node_id: text.nodeId,
    markdown: sliceCodePoints(text, offset, end),
    offset,
    total_chars: text.totalChars,
    next_offset: end < text.totalChars ? end : null,
    updated_at: presentTimestamp(text.updatedAt),
  };
}

function sliceCodePoints({ markdown, totalChars }: Text, start: number, end: number): string {
  // Most texts hold no code point of two units: positions are then the same in both counts.
  if (markdown.length === totalChars) return markdown.slice(start, end);
  const from = unitsOf(markdown, start, 0);
  return markdown.slice(from, unitsOf(markdown, end - start, from));
}

/** The index in UTF-16 units that lies `count` code points after the index `from`, or the text's end. */
function unitsOf(text: string, count: number, from: number): number {
  let at = from;
  for (let left = count; left > 0 && at < text.length; left -= 1) {
    at += isPair(text, at) ? 2 : 1;
  }
  return at;
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}
