/*
 * The blocks of a text, as docs/markdown.md defines them: one a line, children indented by tabs; code, equations and rows
 * of tables have several lines. It is not CommonMark, where a tab-indented child would be code.
 */

/** The kind of a block with text. */
export type TextKind = "heading" | "paragraph" | "item" | "row" | "code";

/** A block with its place in the Markdown, in UTF-16 units. */
export interface Block {
  /** A `rule` has no text: a divider, or the line below the header of a table. */
  readonly kind: TextKind | "rule";
  /** Of a heading, 1–6; otherwise 0. */
  readonly level: number;
  /** From the start of its first line to the end of its last, without the line break. */
  readonly start: number;
  readonly end: number;
  /** The end of the first line's indentation. */
  readonly indentEnd: number;
  /** Its content without markers, a range for each line. In code, some are empty. */
  readonly content: readonly ContentRange[];
  /** Whether it is part of a transcript: words that were said, as a machine wrote them down. */
  readonly isTranscript?: true;
}

/** A part of a text: `[start, end)` in UTF-16 units. */
type ContentRange = readonly [start: number, end: number];

/**
 * The blocks of a text in order, without empty lines. The tag that begins a transcript is a heading with the word
 * "transcript". Linear in the length of the text.
 */
export function* blocksOf(markdown: string): Generator<Block> {
  let isTranscript = false;
  for (let start = 0; start < markdown.length; ) {
    const end = lineEnd(markdown, start);
    const text = skipBlanks(markdown, start, end);
    if (text === end) {
      start = end + 1;
      continue;
    }
    const tag = transcriptTag(markdown, text, end);
    if (tag !== null) isTranscript = tag === "opening";
    const block =
      tag === "opening"
        ? transcriptHeading(start, text, end)
        : (fencedBlock(markdown, start, text, end) ??
          rowBlock(markdown, start, text, end) ??
          lineBlock(markdown, start, text, end));
    yield isTranscript ? { ...block, isTranscript } : block;
    start = block.end + 1;
  }
}

function lineEnd(markdown: string, start: number): number {
  const end = markdown.indexOf("\n", start);
  return end < 0 ? markdown.length : end;
}

const isBlank = (unit: number) => unit === 0x20 || unit === 0x09 || unit === 0x0d || unit === 0xa0;

function skipBlanks(markdown: string, start: number, end: number): number {
  let position = start;
  while (position < end && isBlank(markdown.charCodeAt(position))) position += 1;
  return position;
}

function trimEnd(markdown: string, start: number, end: number): number {
  let position = end;
  while (position > start && isBlank(markdown.charCodeAt(position - 1))) position -= 1;
  return position;
}

const fencePattern = /`{3,}(?=[^`\n]*(?:\n|$))|~{3,}|\$\$(?=[^\S\n]*(?:\n|$))/y;

/** The marker of a code block or equation that begins here. */
function fenceAt(markdown: string, position: number, end: number): string | null {
  const unit = markdown.charCodeAt(position);
  if (unit !== 0x60 && unit !== 0x7e && unit !== 0x24) return null;
  fencePattern.lastIndex = position;
  const marker = fencePattern.exec(markdown)?.[0] ?? null;
  return marker !== null && position + marker.length <= end ? marker : null;
}

function fencedBlock(markdown: string, start: number, indentEnd: number, firstEnd: number): Block | null {
  const marker = fenceAt(markdown, indentEnd, firstEnd);
  return marker === null ? null : codeBlock(markdown, start, indentEnd, { firstEnd, marker });
}

function codeBlock(
  markdown: string,
  start: number,
  indentEnd: number,
  { firstEnd, marker }: { firstEnd: number; marker: string },
): Block {
  const content: ContentRange[] = [];
  const depth = indentEnd - start;
  let end = firstEnd;
  while (end < markdown.length) {
    const line = end + 1;
    end = lineEnd(markdown, line);
    const text = skipBlanks(markdown, line, Math.min(end, line + depth));
    if (closesFence(markdown, text, end, marker)) break;
    content.push([text, end]);
  }
  return { kind: "code", level: 0, start, end, indentEnd, content };
}

/** A closing fence has the same character, is at least as long, not deeper, and alone on its line. */
function closesFence(markdown: string, start: number, end: number, marker: string): boolean {
  if (!markdown.startsWith(marker, start)) return false;
  let position = start;
  while (position < end && markdown[position] === marker[0]) position += 1;
  return position === trimEnd(markdown, position, end);
}

const transcriptPattern = /<(\/?)transcript(?:\s[^<>\n]*)?>[^\S\n]*(?=\n|$)/y;

/** The tag alone on a line that begins or ends a transcript. */
function transcriptTag(markdown: string, position: number, end: number): "opening" | "closing" | null {
  if (markdown.charCodeAt(position) !== 0x3c) return null;
  transcriptPattern.lastIndex = position;
  const match = transcriptPattern.exec(markdown);
  if (match === null || transcriptPattern.lastIndex > end) return null;
  return match[1] === "/" ? "closing" : "opening";
}

/** The lowest level, so that a transcript is part of what it is in. */
const transcriptLevel = 6;

function transcriptHeading(start: number, indentEnd: number, end: number): Block {
  const word = indentEnd + 1;
  const content = [[word, word + "transcript".length]] as const;
  return { kind: "heading", level: transcriptLevel, start, end, indentEnd, content };
}

const rowPattern = /<tr(?:\s[^<>\n]*)?>/y;
const cellPattern = /<(?:td|th)\b/y;

/** A row of a table: the lines from `<tr>` to `</tr>`. */
function rowBlock(markdown: string, start: number, indentEnd: number, firstEnd: number): Block | null {
  rowPattern.lastIndex = indentEnd;
  if (!rowPattern.test(markdown)) return null;
  const content: ContentRange[] = [];
  if (rowPattern.lastIndex < firstEnd) content.push([rowPattern.lastIndex, firstEnd]);
  let end = firstEnd;
  while (end < markdown.length) {
    const next = lineEnd(markdown, end + 1);
    const line = skipBlanks(markdown, end + 1, next);
    cellPattern.lastIndex = line;
    const isCell = cellPattern.test(markdown);
    if (!isCell && !markdown.startsWith("</tr>", line)) break;
    content.push([line, next]);
    end = next;
    if (!isCell) break;
  }
  return { kind: "row", level: 0, start, end, indentEnd, content };
}

/** A block in one line. */
function lineBlock(markdown: string, start: number, indentEnd: number, end: number): Block {
  const trimmed = trimEnd(markdown, indentEnd, end);
  if (markdown[indentEnd] === "|") return pipeRow(markdown, start, indentEnd, { end, trimmed });
  if (isDivider(markdown, indentEnd, trimmed))
    return { kind: "rule", level: 0, start, end, indentEnd, content: [] };
  const quoted = skipQuotes(markdown, indentEnd, trimmed);
  const level = headingLevel(markdown, quoted, trimmed);
  if (level > 0) {
    const content = [
      skipBlanks(markdown, quoted + level, trimmed),
      withoutAttributes(markdown, quoted, trimmed),
    ] as const;
    return { kind: "heading", level, start, end, indentEnd, content: [content] };
  }
  const from = skipItemMarker(markdown, quoted, trimmed);
  const kind = from > quoted ? "item" : "paragraph";
  const content = [from, withoutAttributes(markdown, from, trimmed)] as const;
  return { kind, level: 0, start, end, indentEnd, content: [content] };
}

/** A row of a table in pipes, or the line below its header. */
function pipeRow(
  markdown: string,
  start: number,
  indentEnd: number,
  { end, trimmed }: { end: number; trimmed: number },
): Block {
  if (every(markdown, indentEnd, trimmed, "|-: "))
    return { kind: "rule", level: 0, start, end, indentEnd, content: [] };
  const closes = trimmed - 1 > indentEnd && markdown[trimmed - 1] === "|" && markdown[trimmed - 2] !== "\\";
  const from = skipBlanks(markdown, indentEnd + 1, trimmed);
  const to = closes ? Math.max(from, trimEnd(markdown, from, trimmed - 1)) : trimmed;
  return { kind: "row", level: 0, start, end, indentEnd, content: [[from, to]] };
}

function every(markdown: string, start: number, end: number, characters: string): boolean {
  for (let position = start; position < end; position += 1) {
    if (!characters.includes(markdown.charAt(position))) return false;
  }
  return true;
}

function isDivider(markdown: string, start: number, end: number): boolean {
  const first = markdown.charAt(start);
  return end - start >= 3 && "-*_".includes(first) && every(markdown, start, end, first);
}

/** `> `, also several. */
function skipQuotes(markdown: string, start: number, end: number): number {
  let position = start;
  while (position < end && markdown[position] === ">") position = skipBlanks(markdown, position + 1, end);
  return position;
}

function headingLevel(markdown: string, start: number, end: number): number {
  let position = start;
  while (position < end && markdown[position] === "#" && position - start < 7) position += 1;
  const level = position - start;
  return level <= 6 && (position === end || isBlank(markdown.charCodeAt(position))) ? level : 0;
}

const itemPattern = /(?:[-*+]|\d{1,9}[.)])(?=[ \t])[ \t]+(?:\[[ xX]\](?=[ \t\n]|$)[ \t]*)?/y;

function skipItemMarker(markdown: string, start: number, end: number): number {
  itemPattern.lastIndex = start;
  const match = itemPattern.exec(markdown);
  return match === null ? start : Math.min(end, start + match[0].length);
}

const attributesPattern = /\s*\{(?:\s*[\w-]+="[^"{}]*")+\s*\}$/;
/** Longer lists of attributes are text. */
const maxAttributesUnits = 200;

/** The end of the content, before attributes that follow it: `{color="red"}`. */
function withoutAttributes(markdown: string, start: number, end: number): number {
  if (end === start || markdown[end - 1] !== "}") return end;
  const from = Math.max(start, end - maxAttributesUnits);
  const match = attributesPattern.exec(markdown.slice(from, end));
  return match === null ? end : from + match.index;
}
