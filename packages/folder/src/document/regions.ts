/** The replacement of a part of a source, and where that part ends. */
export interface Region {
  readonly text: string;
  readonly end: number;
}

/** The match of a sticky pattern at an index, or of a global pattern from an index on. */
export function matchAt(pattern: RegExp, text: string, place: number): RegExpExecArray | null {
  pattern.lastIndex = place;
  return pattern.exec(text);
}

/** The index after the next match; null without one. */
export function endOfMatch(pattern: RegExp, text: string, from: number): number | null {
  const match = matchAt(pattern, text, from);
  return match === null ? null : match.index + match[0].length;
}

/** Plain Markdown, or Markdown with JSX in it. */
export type Flavour = "md" | "mdx";

/** The flavour of a file, by its extension. */
export function flavourOf(fileName: string): Flavour {
  return /\.mdx$/i.test(fileName) ? "mdx" : "md";
}

/** Reads fenced code, a formula or an import at the start of a line. */
export function readWholeLines(source: string, place: number, flavour: Flavour): Region | null {
  return (
    readFence(source, place) ??
    readFormula(source, place) ??
    (flavour === "mdx" ? readModuleCode(source, place) : null)
  );
}

const container = "(?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t])))*";
const fenceStart = new RegExp(`${container}[ \\t]*(\`{3,}(?!\`|.*\`)|~{3,}(?!~)).*(?:\\n|$)`, "y");

function readFence(source: string, place: number): Region | null {
  const start = matchAt(fenceStart, source, place);
  const marker = start?.[1];
  if (start === null || marker === undefined) return null;
  const end = endOfFence(source, place + start[0].length, marker);
  return { text: source.slice(place, end), end };
}

const fenceEnd = /^(?:[ \t]*>)*[ \t]*(`{3,}|~{3,})[ \t]*(?:\n|$)/gm;

/** The index after the line that ends a fence: of the same sign, and at least as long. */
function endOfFence(source: string, from: number, marker: string): number {
  fenceEnd.lastIndex = from;
  for (let match = fenceEnd.exec(source); match !== null; match = fenceEnd.exec(source))
    if (match[1]?.startsWith(marker)) return fenceEnd.lastIndex;
  return source.length;
}

const formula = /([ \t]*)\$\$(?:[ \t]*\n([\s\S]{0,10000}?)\n[ \t]*|(.+?))\$\$[ \t]*(?:\n|$)/y;

function readFormula(source: string, place: number): Region | null {
  const match = matchAt(formula, source, place);
  if (match === null) return null;
  const indent = match[1] ?? "";
  const expression = (match[2] ?? match[3] ?? "").trim();
  return {
    text: `\n${indent}~~~math\n${indent}${expression}\n${indent}~~~\n\n`,
    end: place + match[0].length,
  };
}

const moduleCode =
  /(?:import\s+(?:[\w*{][^;\n]*(?:\n[^\n]+){0,100}?\sfrom\s*)?["'][^"'\n]+["'];?[ \t]*|export\s+(?:default|const|let|var|function|async|class|type|interface|\{|\*)[^\n]*(?:\n[^\n]+)*)(?:\n|$)/y;

/** An import or export of MDX. */
export function readModuleCode(source: string, place: number): Region | null {
  const match = matchAt(moduleCode, source, place);
  return match === null ? null : { text: "", end: place + match[0].length };
}

/**
 * The id at the end of a heading, and the signs that close it: `{#id}` as in Pandoc, Hugo and Docusaurus, or the comment
 * of MDX that some sites use in plain Markdown too.
 */
const headingId = /[ \t]*\{(?:#[^\s{}][^{}\n]*|\/\*[^{}\n]*\*\/)\}[ \t]*(?:#+[ \t]*)?(?=\n|$)/y;
const headingStart = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))*[ \t]*#{1,6}[ \t]/;
const underline = /\n {0,3}(?:=+|-+)[ \t]*(?=\n|$)/y;

/** Reads the id of a heading. `lineBefore` returns the beginning of its line, and is called at the end of a line only. */
export function readHeadingId(source: string, place: number, lineBefore: () => string): Region | null {
  const end = endOfMatch(headingId, source, place);
  if (end === null) return null;
  const line = lineBefore();
  if (line.trim() === "") return null;
  return headingStart.test(line) || matchAt(underline, source, end) !== null ? { text: "", end } : null;
}

/** The text of a heading without the id at its end. */
export function withoutHeadingId(text: string): string {
  const start = text.lastIndexOf("{");
  return start > 0 && endOfMatch(headingId, text, start) === text.length
    ? text.slice(0, start).trimEnd()
    : text;
}
