import { parseNodeId } from "@clew/graph";
import type { ReadableGraph } from "../../graphs/readable.ts";
import { countTokens } from "../../model/tokens.ts";
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

/** A fence that the text cannot close, not even after hidden characters have left it. */
export function fenceAround(given: string): string {
  const { text } = visibleText(given);
  const longest = Math.max(2, ...[...text.matchAll(/~{3,}/g)].map(([run]) => run.length));
  return "~".repeat(longest + 1);
}

/** An address that ends in an id. */
const pageAddress = /https?:\/\/[^\s()<>"']*?([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})(?=[)<>"'\s]|$)/g;

/** Addresses of readable pages become their short ids, which tools take too. */
export function shortLinks(graphs: readonly ReadableGraph[], markdown: string): string {
  return markdown.replace(pageAddress, (address, digits: string) => {
    const id = parseNodeId(digits);
    return id !== null && graphs.some(({ graph }) => graph.has(id)) ? shortId(graphs, id) : address;
  });
}
