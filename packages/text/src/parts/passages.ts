import { CodePoints } from "../basics/code-points.ts";
import { type PlainBlock, plainCells, plainText } from "../markdown/plain-text.ts";

/** A block of a text, which makes sense by itself (GRAPH-22). */
export interface TextPassage extends Pick<PlainBlock, "kind" | "level" | "isTranscript"> {
  /** The place of its lines in the Markdown, in code points, without the line break at the end. */
  readonly offset: number;
  readonly chars: number;
  /** Its lines in the Markdown. */
  readonly source: string;
  /** The tabs before it: it is a child of the last block before it that has fewer. */
  readonly depth: number;
  /** Whether a blank line, or the start or end of a table, stands before it. */
  readonly isApart: boolean;
  /** The signs before its content: `- ` or `## `, for instance. */
  readonly marker: string;
  /** Its content as a reader sees it. */
  readonly text: string;
  /** Set if it is a row of a table. */
  readonly row?: TableRow;
}

interface TableRow {
  /** As a reader sees them, those without text included. */
  readonly cells: readonly string[];
  /** Whether it is the first of its table that has text. */
  readonly isFirst: boolean;
  readonly isHeader: boolean;
}

/** The line of dashes below the header of a table in pipes. A longer one is none. */
const headerEnd = /^\n[^\S\n]*\|[-|: ]+(?:\n|$)/;
const maxDashes = 2_000;

/** The paragraphs, headings, list items, rows and code blocks of a text that have something to read, in order. */
export function passagesOf(markdown: string): TextPassage[] {
  const codePoints = new CodePoints(markdown);
  const { text, blocks } = plainText(markdown);
  let endBefore = 0;
  let isRowBefore = false;
  return blocks.map((block) => {
    const { kind, level, start, end, indentEnd, content, from, to, isTranscript } = block;
    const offset = codePoints.before(start);
    const between = markdown.slice(endBefore, start);
    const isApart = /\n[^\S\n]*\n|<\/?table/.test(between);
    endBefore = end;
    const isFirst = isApart || !isRowBefore;
    isRowBefore = kind === "row";
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
      ...(kind === "row" && { row: rowOf(markdown, block, isFirst ? between : null) }),
      ...(isTranscript && { isTranscript }),
    };
  });
}

/** Reads a row. `before` is the text between it and the block before it; null if that is a row of the same table. */
function rowOf(markdown: string, row: PlainBlock, before: string | null): TableRow {
  return {
    cells: plainCells(markdown, row),
    isFirst: before !== null,
    isHeader: before !== null && isHeader(markdown, row, before),
  };
}

/** A header without text is no passage: the row below it is none for that. */
function isHeader(markdown: string, row: PlainBlock, before: string): boolean {
  const opening = before.slice(Math.max(0, before.lastIndexOf("<table")));
  return (
    (/^<table\s[^<>]*header-row="true"/.test(opening) && !opening.includes("<tr")) ||
    headerEnd.test(markdown.slice(row.end, row.end + maxDashes))
  );
}
