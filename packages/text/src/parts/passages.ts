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
  /** Whether a blank line or the start of a table stands before it. */
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
  return blocks.map((block) => {
    const { kind, level, start, end, indentEnd, content, from, to, isTranscript } = block;
    const offset = codePoints.before(start);
    const between = markdown.slice(endBefore, start);
    const isApart = /\n[^\S\n]*\n|<table/.test(between);
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
      ...(kind === "row" && { row: rowOf(markdown, block, between) }),
      ...(isTranscript && { isTranscript }),
    };
  });
}

function rowOf(markdown: string, row: PlainBlock, before: string): TableRow {
  const isHeader =
    /<table\s[^<>]*header-row="true"/.test(before) ||
    headerEnd.test(markdown.slice(row.end, row.end + maxDashes));
  return { cells: plainCells(markdown, row), isHeader };
}
