import { unquoted } from "../rows/quotes.ts";

/*
 * How texts name pages: as people write them, and as answers print them (AGT-3).
 */

/** The scheme and path of pages as resources. */
export const pageScheme = "clew://page/";

const shortIdPattern = /^[0-9a-f]{8,31}$/i;
const bracketed = /\[([0-9a-f]{8,32})\]/gi;
/** `[Jupiter](8dd2c1fe)`, or `<mention-page url="8dd2c1fe">`. */
const linkTarget = /\]\(<?([^()<>\s]+)>?\)|\burl="([^"\s]+)"/g;
const address = /https?:\/\/[^\s()<>"'`\]]+/g;
const fullId = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b[0-9a-f]{32}\b/gi;
/** A row of a table begins with an id, and `URL: 8dd2c1fe` names a page. */
const leadingId = /^(?:(?:id|url):\s*|\|\s*)?([0-9a-f]{8,32})(?=\s*\||$)/i;

/** The digits of a short id, in lower case; null for any other text. */
export const shortIdOf = (text: string): string | null =>
  shortIdPattern.test(text) ? text.toLowerCase() : null;

/** The ids in brackets in a text, in their order: of `Jupiter [8dd2c1fe]` and of lines with several such names. */
export const bracketedIds = (text: string): string[] => matches(text, bracketed);

/** Other ids and addresses of pages in a text, best first: targets of links, addresses, ids of rows, whole ids. */
export const linkedIds = (text: string): string[] => [
  ...matches(text, linkTarget),
  ...matches(text, address),
  ...matches(text.trim(), leadingId),
  ...matches(text, fullId),
];

/** The group of each match, or the match if there are no groups. */
function matches(text: string, pattern: RegExp): string[] {
  const all = pattern.global ? [...text.matchAll(pattern)] : [pattern.exec(text) ?? []];
  return [
    ...new Set(
      all.flatMap(([match, ...groups]) => groups.find((group) => group !== undefined) ?? match ?? []),
    ),
  ];
}

/** Removes the marks that stand before or around names in answers and in people's texts. */
const wrappings: readonly ((text: string) => string)[] = [
  (text) => text.replace(/^(?:[-*•]|\d+\.)\s+/, ""),
  (text) => text.replace(/^#{1,6}\s+/, ""),
  (text) => text.replace(/^(?:in|place|title):\s+(.*?)(?: · .*)?$/is, "$1"),
  (text) => text.replace(/ \((?:database|tag)\)$/, ""),
  (text) => text.replace(/^\[\[([^[\]|#]+)(?:[|#][^[\]]*)?\]\]$/, "$1"),
  (text) => text.replace(/^@(?=.)/, ""),
  unquoted,
];

/** The titles that a text may be: the text itself, then without what may stand around it. */
export function titlesIn(text: string): string[] {
  const titles = [text.trim()];
  for (const unwrap of wrappings) {
    const inner = unwrap(titles.at(-1) ?? "").trim();
    if (inner !== "" && inner !== titles.at(-1)) titles.push(inner);
  }
  return titles;
}

/** The titles in a place, the top one first: of `Solar System › Jupiter` or `Solar System/Jupiter`; null for other texts. */
export function placeIn(text: string): string[] | null {
  if (text.includes("://")) return null;
  const separator = text.includes("›") ? "›" : /\/|(?<=\s)>(?=\s)/;
  const titles = text.split(separator).map((title) => title.trim());
  return titles.length > 1 && titles.at(-1) !== ""
    ? titles.filter((title) => title !== "…" && title !== "")
    : null;
}

/** The parts of a comma-separated list of names, also in brackets. */
export function namesIn(text: string): string[] {
  const list = /^\[([^[\]]*)\]$/.exec(text.trim())?.[1] ?? text;
  return list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Whether a text can be a list of names, rather than a line of an answer that says more of a page. */
export const isListOfNames = (text: string): boolean => !/ · |[→←|]|\]: /.test(text);
