import { CodePoints } from "../basics/code-points.ts";
import { type PlainBlock, plainText } from "../markdown/plain-text.ts";

/** A block of a text, which makes sense by itself (GRAPH-22). */
export interface TextPassage extends Pick<PlainBlock, "kind" | "level" | "isTranscript"> {
  /** The place of its lines in the Markdown, in code points, without the line break at the end. */
  readonly offset: number;
  readonly chars: number;
  /** Its lines in the Markdown. */
  readonly source: string;
  /** The tabs before it: it is a child of the last block before it that has fewer. */
  readonly depth: number;
  /** Whether a blank line or the start of a table stands before it. */
  readonly isApart: boolean;
  /** The signs before its content: `- ` or `## `, for instance. */
  readonly marker: string;
  /** Its content as a reader sees it. */
  readonly text: string;
}

/** The paragraphs, headings, list items, rows and code blocks of a text that have something to read, in order. */
export function passagesOf(markdown: string): TextPassage[] {
  const codePoints = new CodePoints(markdown);
  const { text, blocks } = plainText(markdown);
  let endBefore = 0;
  return blocks.map(({ kind, level, start, end, indentEnd, content, from, to, isTranscript }) => {
    const offset = codePoints.before(start);
    const isApart = /\n[^\S\n]*\n|<table/.test(markdown.slice(endBefore, start));
    endBefore = end;
    return {
      kind,
      level,
      offset,
      chars: codePoints.before(end) - offset,
      source: markdown.slice(start, end),
      depth: indentEnd - start,
      isApart,
      marker: kind === "code" ? "" : markdown.slice(start, content[0]?.[0] ?? start).trimStart(),
      text: text.slice(from, to),
      ...(isTranscript && { isTranscript }),
    };
  });
}
