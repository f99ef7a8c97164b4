import type { Block } from "./blocks.ts";
import { CodePoints } from "./code-points.ts";
import { plainText } from "./plain-text.ts";

/** A part of a text that makes sense by itself (GRAPH-22): its lines in the Markdown, in code points. */
export interface TextPassage {
  readonly kind: Block["kind"];
  readonly offset: number;
  /** Without the line break at the end. */
  readonly chars: number;
}

/**
 * The paragraphs, headings, list items, rows and code blocks of a range of a text, `[start, end)` in code points. What the
 * range has only in part, because a section was cut there, is a passage in part.
 */
export function passagesOf(
  markdown: string,
  range: { readonly start: number; readonly end: number },
): TextPassage[] {
  const codePoints = new CodePoints(markdown);
  const from = codePoints.unitAt(range.start);
  const to = codePoints.unitAt(range.end);
  const passages: TextPassage[] = [];
  for (const { kind, start, end } of plainText(markdown).blocks) {
    if (end <= from || start >= to) continue;
    const offset = codePoints.before(Math.max(start, from));
    passages.push({ kind, offset, chars: codePoints.before(Math.min(end, to)) - offset });
  }
  return passages;
}
