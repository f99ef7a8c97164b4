import { parseNodeId } from "@clew/graph";
import { cellsOf, partsWithPipes, type TextPart } from "@clew/text";
import { isWithinPair } from "@clew/text/basics";
import { locateAtForge, type ReadableGraph } from "../../graphs/readable.ts";
import { countTokens, tokensUpTo } from "../../model/tokens.ts";
import { visibleText } from "../../model/visible-text.ts";
import { shortId } from "../../operations/page-names.ts";

/*
 * Texts of pages within answers: cut to size, with short links, and set off from Clew's own words.
 */

/** The beginning of a text, up to a line's end if possible. */
export function fitting(text: string, maxTokens: number): string {
  if (countTokens(text) <= maxTokens) return text;
  let tokens = 0;
  let end = 0;
  for (const line of text.split(/(?<=\n)/)) {
    tokens += countTokens(line);
    if (tokens > maxTokens) break;
    end += line.length;
  }
  if (end > 0) return text.slice(0, end);
  // Not even one line fits. A character may be three tokens.
  return text.slice(0, Math.max(1, Math.floor(maxTokens / 3))).replace(/[\ud800-\udbff]$/, "");
}

/** A text with its tables in pipes. */
export const withPipes = (markdown: string): string => textOf([...partsWithPipes(markdown)]);

const textOf = (parts: readonly TextPart[]): string => parts.map(({ text }) => text).join("");

/** The part of a page's text that an answer shows, and where it ends in the stored text, in UTF-16 units. */
interface ShownText {
  readonly markdown: string;
  readonly end: number;
}

/**
 * A text from a position on, as far as it fits, with its tables in pipes. It ends with a line or a row; what is too long for that
 * is cut: a row between its cells, which are then lines.
 */
export function shownFrom(markdown: string, start: number, maxTokens: number): ShownText {
  const parts: TextPart[] = [];
  let tokens = 0;
  let fit = 0;
  for (const part of partsWithPipes(markdown, start)) {
    parts.push(part);
    tokens += tokensUpTo(part.text, 2 * maxTokens);
    if (tokens <= maxTokens) fit = parts.length;
    // The whole may have fewer tokens than its parts together, but not so few.
    if (tokens > 2 * maxTokens) break;
  }
  const isAll = (parts.at(-1)?.end ?? start) === markdown.length;
  if (isAll && tokensUpTo(textOf(parts), 2 * maxTokens) <= maxTokens)
    return { markdown: textOf(parts), end: markdown.length };
  const shown = parts.slice(0, fit);
  const end = shown.at(-1)?.end ?? start;
  if (end > start) return { markdown: textOf(shown), end };
  const first = parts.find((part) => part.end > start);
  return first === undefined ? { markdown: "", end: start } : beginningOf(markdown, first, start, maxTokens);
}

/** The beginning of a line or of a row, neither of which fits. */
function beginningOf(markdown: string, part: TextPart, start: number, maxTokens: number): ShownText {
  const lines = part.isRow ? cellsOf(markdown, part.start, part.end) : [part];
  const left = lines.filter((line) => line.end > start);
  let shown = "";
  let end = start;
  for (const line of left) {
    const text = `${markdown.slice(Math.max(line.start, start), line.end)}\n`;
    if (tokensUpTo(shown + text, 2 * maxTokens) > maxTokens) break;
    shown += text;
    end = line.end;
  }
  const [first] = left;
  if (first === undefined) return { markdown: "", end: part.end };
  if (end > start) return { markdown: shown, end: end === left.at(-1)?.end ? part.end : end };
  const from = Math.max(first.start, start);
  // A character may be three tokens.
  const cut = from + Math.max(2, Math.floor(maxTokens / 3));
  const last = Math.min(first.end, isWithinPair(markdown, cut) ? cut - 1 : cut);
  return { markdown: markdown.slice(from, last), end: last };
}

/** A fence that the text cannot close, not even after hidden characters have left it. */
export function fenceAround(given: string): string {
  const { text } = visibleText(given);
  const longest = Math.max(2, ...[...text.matchAll(/~{3,}/g)].map(([run]) => run.length));
  return "~".repeat(longest + 1);
}

/** An id at the end of an address, or before the name of a part. */
const idAtEnd = String.raw`([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})(?=[)<>"'\s#]|$)`;
const pageAddress = new RegExp(String.raw`https?:\/\/[^\s()<>"']*?${idAtEnd}`, "y");
/** Pages of folders have no host. */
const folderAddress = new RegExp(String.raw`(?<=["(<])\/${idAtEnd}`, "g");
const addressStart = /https?:\/\//g;
const restOfAddress = /[^\s()<>"']*/y;

/** Addresses of readable pages become their short ids, which tools take too. */
export function shortLinks(graphs: readonly ReadableGraph[], markdown: string): string {
  const shortened = (address: string, digits: string): string => {
    const id = parseNodeId(digits);
    return id !== null && graphs.some(({ graph }) => graph.has(id)) ? shortId(graphs, id) : address;
  };
  return replaceAddresses(withoutForges(graphs, markdown), shortened).replace(folderAddress, shortened);
}

/**
 * Replaces each address that ends in an id. If none ends in one up to the next space, that is looked for once, and not at each
 * `http://` again.
 */
function replaceAddresses(text: string, replacement: (address: string, digits: string) => string): string {
  const parts: string[] = [];
  let end = 0;
  let next = 0;
  for (;;) {
    addressStart.lastIndex = next;
    const start = addressStart.exec(text)?.index;
    if (start === undefined) return parts.join("") + text.slice(end);
    pageAddress.lastIndex = start;
    const [address = "", digits] = pageAddress.exec(text) ?? [];
    if (digits === undefined) {
      restOfAddress.lastIndex = start;
      restOfAddress.exec(text);
      next = restOfAddress.lastIndex;
      continue;
    }
    parts.push(text.slice(end, start), replacement(address, digits));
    end = start + address.length;
    next = end;
  }
}

/** An address without its fragment. One before a bracket goes on after it. */
const anyAddress = /https?:\/\/[^\s()<>"'#]+/g;

/** Addresses of the files of readable pages at a forge become their short ids. */
function withoutForges(graphs: readonly ReadableGraph[], markdown: string): string {
  return markdown.replace(anyAddress, (address, index: number) => {
    const goesOn = markdown.charAt(index + address.length) === "(";
    const located = goesOn ? null : locateAtForge(graphs, address);
    return located === null ? address : shortId(graphs, located.node.id);
  });
}
