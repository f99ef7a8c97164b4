/*
 * A long text is parsed piece by piece, so that parsing it needs little memory and what was read can be sent. Pieces end
 * where a block at the top level ends, if there is such a place.
 */

/** A part of a text that can be parsed by itself. */
export interface Piece {
  readonly source: string;
  /** Whether its first block is a table that continues one of the piece before: its header is repeated. */
  readonly continuesTable: boolean;
}

/** A piece ends at the next good place after this length, in UTF-16 code units. */
const goodLength = 32_768;
/** It then ends at any line that begins without an indent. */
const anyBlockLength = 49_152;
/** It then ends at any line, and a longer line within it. Code and tables go on in the next piece. */
const maxLength = 65_536;
/** Cells of a table in a piece: a parser takes quadratic time for them. */
const maxCells = 1_000;

/** Definitions of links that are kept for all pieces. */
const maxDefinitions = 10_000;

/** Splits a text of Markdown. A text of an ordinary length is one piece. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces = [...split(text)];
  if (pieces.length < 2) return pieces;
  const definitions = definitionsIn(text);
  return pieces.map((piece) => ({ ...piece, source: withDefinitions(piece.source, definitions) }));
}

function* split(text: string): Generator<Piece> {
  let start = 0;
  let fence: Fence | null = null;
  let table: Table | null = null;
  let isBlankBefore = true;
  /** The beginning of the piece that repeats the first lines of the code or table that it continues. */
  let head = "";
  let continuesTable = false;
  const piece = (end: number): Piece => ({ source: head + text.slice(start, end), continuesTable });
  for (const { at, end } of lines(text)) {
    const line = text.slice(at, end);
    if (at > start && endsBefore(line, at - start, { fence, table, isBlankBefore })) {
      yield piece(at);
      start = at;
      head = fence?.head ?? table?.head ?? "";
      continuesTable = table !== null;
      if (table !== null) table.cells = 0;
    }
    const before = fence;
    fence = fenceAfter(fence, line);
    table = fence === null && before === null ? tableAfter(table, line, text, end) : null;
    isBlankBefore = line.trim() === "";
    while (end - start > 2 * maxLength) {
      const cut = placeInLine(text, start + maxLength);
      yield piece(cut);
      start = cut;
      head = fence?.head ?? "";
      continuesTable = false;
    }
  }
  if (start < text.length) yield piece(text.length);
}

/** Whether a piece of this length may end before a line. */
function endsBefore(
  line: string,
  length: number,
  {
    fence,
    table,
    isBlankBefore,
  }: { readonly fence: Fence | null; readonly table: Table | null; readonly isBlankBefore: boolean },
): boolean {
  if (length >= maxLength || (table !== null && table.cells >= maxCells)) return true;
  if (fence !== null || table !== null || /^[ \t]/.test(line)) return false;
  return length >= anyBlockLength || (length >= goodLength && isBlankBefore);
}

/** The lines of a text, without their ends. */
function* lines(text: string): Generator<{ readonly at: number; readonly end: number }> {
  for (let at = 0; at < text.length; ) {
    const end = endOfLine(text, at);
    yield { at, end };
    at = end + 1;
  }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/** Fenced code that is open. */
interface Fence {
  /** The line that opens it. */
  readonly head: string;
  readonly sign: string;
  readonly length: number;
}

const fencePattern = /^[ \t]*(`{3,}|~{3,})/;

/** The fenced code that is open after a line (CommonMark, section 4.5); null outside of code. */
function fenceAfter(fence: Fence | null, line: string): Fence | null {
  const run = fencePattern.exec(line)?.[1];
  if (run === undefined) return fence;
  const sign = run.charAt(0);
  const rest = line.trimStart().slice(run.length);
  if (fence === null)
    return sign === "`" && rest.includes("`") ? null : { head: `${line.trim()}\n`, sign, length: run.length };
  return sign === fence.sign && run.length >= fence.length && rest.trim() === "" ? null : fence;
}

/** A table that may have more rows. */
interface Table {
  /** Its header and the row below that. */
  readonly head: string;
  readonly width: number;
  /** Cells in the piece so far. */
  cells: number;
}

/** The table that a line is in; null outside of tables (GitHub Flavored Markdown, section 4.10). */
function tableAfter(table: Table | null, line: string, text: string, end: number): Table | null {
  if (table !== null) {
    table.cells += table.width;
    return line.trim() === "" ? null : table;
  }
  if (!line.includes("|")) return null;
  const below = text.slice(end + 1, endOfLine(text, end + 1));
  if (!isDelimiterRow(below)) return null;
  const width = below.split("|").length;
  return { head: `${line}\n${below}\n`, width, cells: 0 };
}

function isDelimiterRow(line: string): boolean {
  return line.includes("-") && line.includes("|") && /^[ \t|:-]+$/.test(line);
}

/** A place near another one that splits no word, if there is one, and no character. */
function placeInLine(text: string, near: number): number {
  const space = text.lastIndexOf(" ", near);
  if (space > near - goodLength) return space + 1;
  const code = text.charCodeAt(near);
  return code >= 0xdc00 && code <= 0xdfff ? near + 1 : near;
}

const definition = /^ {0,3}\[([^[\]\n^]{1,999})\]:/;

/** The lines that define links, by their labels. The first definition of a label counts (CommonMark, section 4.7). */
function definitionsIn(text: string): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>();
  for (const { at, end } of lines(text)) {
    const label = definition.exec(text.slice(at, Math.min(end, at + 1_010)))?.[1];
    if (label === undefined || definitions.size === maxDefinitions) continue;
    const key = labelKey(label);
    // A target may stand on the next line.
    const isOpen = text.slice(at, end).trimEnd().endsWith("]:");
    const whole = text.slice(at, isOpen ? endOfLine(text, end + 1) : end);
    if (!definitions.has(key) && whole.length < 4_096) definitions.set(key, whole);
  }
  return definitions;
}

function labelKey(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase();
}

/** A piece, with the definitions of the labels that stand in it at its end. */
function withDefinitions(source: string, definitions: ReadonlyMap<string, string>): string {
  if (definitions.size === 0) return source;
  const used = new Set<string>();
  for (const [, label = ""] of source.matchAll(/\[([^[\]]{1,999})\]/g)) {
    const line = definitions.get(labelKey(label));
    if (line !== undefined) used.add(line);
  }
  return used.size === 0 ? source : `${source}\n\n${[...used].join("\n")}\n`;
}
