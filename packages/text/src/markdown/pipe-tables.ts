import { attributesOf } from "./attributes.ts";
import { type Block, blocksOf } from "./blocks.ts";

/*
 * A text with its tables in pipes instead of tags, which readers of plain Markdown understand. Each part knows what it shows
 * of the Markdown, so that reading may end after any part and continue there.
 */

/** A line of a text, or a row of a table in pipes. */
export interface TextPart {
  /** With its line break. The header of a table has the line below it too. */
  readonly text: string;
  /** The part of the Markdown that it shows, `[start, end)` in UTF-16 units; empty if it repeats a header. */
  readonly start: number;
  readonly end: number;
  /** Whether it is a row whose cells are in tags. */
  readonly isRow: boolean;
}

/**
 * Reads the parts of a text in order from a position in UTF-16 units. Within a table, its header is repeated first, and the row
 * at the position is shown whole. Linear in the length up to the last part that is taken.
 */
export function* partsWithPipes(markdown: string, from = 0): Generator<TextPart> {
  const table = new TableState(markdown);
  let next = from;
  const mayHaveTables = markdown.includes("<t") || markdown.includes("|");
  for (const block of mayHaveTables ? blocksOf(markdown) : []) {
    const end = Math.min(block.end + 1, markdown.length);
    const shown = table.read(block, end > from);
    if (end <= from) continue;
    yield* linesOf(markdown, next, shown === null ? end : block.start);
    next = end;
    if (shown === null) continue;
    const { header, text, isRow } = shown;
    const at = Math.max(block.start, from);
    if (header !== undefined) yield { text: header, start: at, end: at, isRow: false };
    yield { text: end > block.end ? text : text.trimEnd(), start: isRow ? block.start : at, end, isRow };
  }
  yield* linesOf(markdown, next, markdown.length);
}

/** A line of a table as it is shown, with its line break. */
interface TableLine {
  readonly text: string;
  readonly isRow: boolean;
  /** The header, if it was not shown. */
  readonly header?: string | undefined;
}

const tableTag = /^<(\/?)(table|colgroup|col|thead|tbody)(?:\s[^<>]*)?\/?>$/i;
/** Longer lines are text. */
const maxTagUnits = 1_000;

/** The line of dashes below the header of a table in pipes, without its line break. */
const dashes = /\n[^\S\n]*\|[-|: \t\r\u00a0]*(?=\n|$)/y;

/** The table that a reader of blocks is in. */
class TableState {
  readonly #markdown: string;
  #header: string | undefined;
  #expectsHeader = false;
  /** The ends of the last row in pipes, and of its header. */
  #rowEnd = -1;
  #headerEnd = -1;

  constructor(markdown: string) {
    this.#markdown = markdown;
  }

  /** Reads the next block. Null if it is no line of a table, or is not shown. */
  read(block: Block, isShown: boolean): TableLine | null {
    if (this.#markdown[block.indentEnd] === "|") return this.#readPipes(block, isShown);
    if (this.#markdown[block.indentEnd] !== "<") return null;
    if (block.kind === "row") return this.#readRow(block, isShown);
    if (block.kind !== "paragraph" || block.end - block.indentEnd > maxTagUnits) return null;
    const source = this.#markdown.slice(block.indentEnd, block.end).trimEnd();
    const [, slash, name = ""] = tableTag.exec(source) ?? [];
    if (slash === undefined) return null;
    if (name.toLowerCase() !== "table") return { text: "", isRow: false };
    this.#header = undefined;
    this.#expectsHeader = attributesOf(source).get("header-row") === "true";
    return { text: this.#gapAt(block, slash !== ""), isRow: false };
  }

  #readRow(block: Block, isShown: boolean): TableLine | null {
    const isHeader = this.#expectsHeader;
    if (!isShown && !isHeader) return null;
    const text = rowInPipes(this.#markdown, block, isHeader);
    const header = this.#header;
    this.#header = isShown ? undefined : text;
    this.#expectsHeader = false;
    return { text, isRow: true, header };
  }

  /** A header is one line with the dashes below it, which are not shown again. */
  #readPipes({ kind, start, end }: Block, isShown: boolean): TableLine | null {
    const isFirst = start !== this.#rowEnd + 1;
    this.#rowEnd = end;
    if (isFirst) {
      dashes.lastIndex = end;
      const isHeader = kind === "row" && dashes.test(this.#markdown);
      this.#headerEnd = isHeader ? dashes.lastIndex : -1;
      const text = this.#markdown.slice(start, this.#headerEnd + 1);
      this.#header = isHeader && !isShown ? text : undefined;
      return isHeader && isShown ? { text, isRow: false } : null;
    }
    if (!isShown) return null;
    const header = this.#header;
    this.#header = undefined;
    if (end === this.#headerEnd) return { text: "", isRow: false, header };
    return header === undefined ? null : { text: this.#markdown.slice(start, end + 1), isRow: false, header };
  }

  /** The blank line between a table and a text beside it, which would be a row of it otherwise. */
  #gapAt({ start, end }: Block, isEnd: boolean): string {
    const beside = isEnd
      ? this.#markdown.slice(end + 1, end + 2)
      : this.#markdown.slice(Math.max(0, start - 2), Math.max(0, start - 1));
    return beside === "" || beside === "\n" ? "" : "\n";
  }
}

function* linesOf(markdown: string, start: number, end: number): Generator<TextPart> {
  for (let line = start; line < end; ) {
    const lineBreak = markdown.indexOf("\n", line);
    const lineEnd = lineBreak < 0 ? end : Math.min(lineBreak + 1, end);
    yield { text: markdown.slice(line, lineEnd), start: line, end: lineEnd, isRow: false };
    line = lineEnd;
  }
}

/** A row, with its indentation; a header with the line of dashes below it. */
function rowInPipes(markdown: string, { start, indentEnd, end }: Block, isHeader: boolean): string {
  const indentation = markdown.slice(start, indentEnd);
  const cells = cellsOf(markdown, start, end).map((cell) =>
    withEscapedPipes(markdown.slice(cell.start, cell.end)),
  );
  const line = `${indentation}| ${cells.join(" | ")} |\n`;
  return isHeader ? `${line}${indentation}|${"---|".repeat(Math.max(1, cells.length))}\n` : line;
}

const withEscapedPipes = (cell: string): string =>
  cell.replaceAll(/\\.|\|/gs, (found) => (found === "|" ? "\\|" : found));

const cellTag = /<t[dh](?:\s[^<>]*)?>/gi;

/** A part of a text, `[start, end)` in UTF-16 units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The contents of the cells of a row in tags. */
export function cellsOf(markdown: string, start: number, end: number): TextSpan[] {
  const row = markdown.slice(start, end);
  const tags = [...row.matchAll(cellTag)];
  return tags.map((tag, index) => {
    const opened = tag.index + tag[0].length;
    const inner = row.slice(opened, tags[index + 1]?.index);
    const content = withoutEnd(withoutEnd(inner, "</tr>"), inner.includes("</th>") ? "</th>" : "</td>");
    const first = start + opened + content.length - content.trimStart().length;
    return { start: first, end: first + content.trim().length };
  });
}

function withoutEnd(text: string, tag: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(tag) ? trimmed.slice(0, -tag.length).trimEnd() : trimmed;
}
