/*
 * Quotes around the values of conditions, as people and language models write them (GRAPH-23).
 */

interface Quotes {
  readonly close: string;
  /** A closing quote at the end of an item of a list. */
  readonly atEnd: RegExp;
}

const quotes: ReadonlyMap<string, Quotes> = new Map([
  ['"', { close: '"', atEnd: /"\s*(?=,|$)/g }],
  ["'", { close: "'", atEnd: /'\s*(?=,|$)/g }],
  ["“", { close: "”", atEnd: /”\s*(?=,|$)/g }],
  ["‘", { close: "’", atEnd: /’\s*(?=,|$)/g }],
]);

/** The quote that closes what an opening one begins; undefined for any other character. */
export const closingQuoteOf = (open: string): string | undefined => quotes.get(open)?.close;

/** A text without the quotes around it. Of several pairs, the outer one is dropped. */
export function unquoted(text: string): string {
  const close = closingQuoteOf(text.charAt(0));
  return close !== undefined && text.length > 1 && text.endsWith(close) ? text.slice(1, -1).trim() : text;
}

/** The items of a comma list without the quotes around each. A quoted item may contain commas. */
export function listItems(list: string): string[] {
  const items: string[] = [];
  /** Closing quotes that no later item ends with, so that the list is searched for them once. */
  const missing = new Set<string>();
  for (let start = 0; start < list.length; ) {
    const end = endOfItem(list, start + list.slice(start).search(/\S|$/), missing);
    items.push(unquoted(list.slice(start, end).trim()));
    start = end + 1;
  }
  return items.filter((item) => item !== "");
}

function endOfItem(list: string, start: number, missing: Set<string>): number {
  const { close, atEnd } = quotes.get(list.charAt(start)) ?? {};
  if (close !== undefined && atEnd !== undefined && !missing.has(close)) {
    atEnd.lastIndex = start + 1;
    if (atEnd.test(list)) return atEnd.lastIndex;
    missing.add(close);
  }
  const comma = list.indexOf(",", start);
  return comma < 0 ? list.length : comma;
}
