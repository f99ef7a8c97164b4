import type { Inline } from "@clew/text";
import type { ShownInline } from "../../../ui/markdown.tsx";

/*
 * The markup of Obsidian that Clew's Markdown has as plain text. A text keeps it, in the API and in the search; only the view
 * of a page from a folder reads it. https://obsidian.md/help/syntax, https://obsidian.md/help/tags
 */

const fence = /^\s*(`{3,}|~{3,}|\$\$)/;
const commentOrCode = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|%%[\s\S]*?%%/g;

/** Replaces comments, `%%…%%`, by spaces, so that every other sign keeps its place. Code keeps its `%%`. */
export function blankComments(markdown: string): string {
  if (!markdown.includes("%%")) return markdown;
  return proseAndCode(markdown)
    .map(({ text, isCode }) => (isCode ? text : text.replaceAll(commentOrCode, blankComment)))
    .join("");
}

/** Lines and the tabs before them stay, so that what follows stays in its block. */
const blankComment = (found: string): string =>
  found.startsWith("%%") ? found.replaceAll(/[^\n\t]/gu, " ") : found;

/** The parts of a text in and outside of fences, in order. */
function proseAndCode(markdown: string): readonly { readonly text: string; readonly isCode: boolean }[] {
  const parts: { text: string; isCode: boolean }[] = [{ text: "", isCode: false }];
  let closer: string | null = null;
  for (const line of markdown.split(/(?<=\n)/)) {
    const last = parts.at(-1);
    const marker = fence.exec(line)?.[1];
    if (closer === null && marker !== undefined) {
      closer = marker;
      parts.push({ text: line, isCode: true });
    } else if (last !== undefined) {
      last.text += line;
      if (closer !== null && marker?.startsWith(closer) === true && line.trim() === marker) {
        closer = null;
        parts.push({ text: "", isCode: false });
      }
    }
  }
  return parts;
}

/** Reads `==marks==`, `$math$` and `#tags` among the pieces of a line. */
export function readObsidian(pieces: readonly Inline[]): readonly ShownInline[] {
  const signs = pieces.flatMap(splitAtMarks);
  const shown: ShownInline[] = [];
  for (let index = 0; index < signs.length; index += 1) {
    const sign = signs[index];
    const close = sign === "==" ? closingMark(signs, index) : -1;
    if (close > index) {
      const children = signs.slice(index + 1, close).filter((each) => each !== "==");
      shown.push({ kind: "marked", children });
      index = close;
    } else if (sign !== undefined) shown.push(...inText(sign === "==" ? { kind: "text", text: "==" } : sign));
  }
  return shown;
}

type Sign = Inline | "==";

/** A piece as it is, or a text as what is between its `==`. */
function splitAtMarks(piece: Inline): Sign[] {
  if (piece.kind !== "text" || !piece.text.includes("==")) return [piece];
  return piece.text
    .split(/(?<!=)(==)(?!=)/)
    .filter((text) => text !== "")
    .map((text) => (text === "==" ? text : { kind: "text", text }));
}

/** The mark that closes the one at an index: what they enclose has no space at its ends. -1 if there is none. */
function closingMark(signs: readonly Sign[], open: number): number {
  const first = signs[open + 1];
  if (first === undefined || first === "==" || isText(first, /^\s/)) return -1;
  const close = signs.indexOf("==", open + 1);
  const last = signs[close - 1];
  return close < 0 || last === undefined || last === "==" || isText(last, /\s$/) ? -1 : close;
}

const isText = (piece: Inline, pattern: RegExp): boolean => piece.kind === "text" && pattern.test(piece.text);

/** `$…$` without spaces inside its ends and no digit after it, as Clew's Markdown has it; or a tag, which has a letter. */
const mathOrTag =
  /\$(?<math>(?! )[^$\n]+?(?<! ))\$(?!\d)|(?<![^\s(])#(?<tag>[\p{L}\p{M}\p{N}_/-]*\p{L}[\p{L}\p{M}\p{N}_/-]*)/gu;

function inText(piece: Inline): readonly ShownInline[] {
  if (piece.kind !== "text" || !/[$#]/.test(piece.text)) return [piece];
  const { text } = piece;
  const shown: ShownInline[] = [];
  let end = 0;
  for (const { index, 0: source, groups = {} } of text.matchAll(mathOrTag)) {
    if (index > end) shown.push({ kind: "text", text: text.slice(end, index) });
    const { math, tag } = groups;
    if (math !== undefined) shown.push({ kind: "equation", text: math });
    else if (tag !== undefined) shown.push({ kind: "tag", name: tag });
    end = index + source.length;
  }
  if (end < text.length) shown.push({ kind: "text", text: text.slice(end) });
  return shown;
}
