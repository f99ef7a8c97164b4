import { unescapeEntities } from "./entities.ts";
import { matchAt } from "./region.ts";

/** A tag of HTML or JSX. */
export interface Tag {
  readonly name: string;
  readonly kind: "open" | "close" | "empty";
  /** Attributes given as text; those given as expressions, `cols={2}`, are left out. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Where the tag ends in the text it was read from. */
  readonly end: number;
}

const opening = /<(\/?)([A-Za-z][\w.:-]*)/y;
const attribute =
  /\s*([A-Za-z_:][\w.:-]*)(?:\s*=\s*(?:"([^"]{0,4000})"|'([^']{0,4000})'|([^\s"'=<>`{}]+)|(?=\{)))?/y;
const closing = /\s*(\/?)>/y;

/** Elements that have no end tag (HTML, section 13.1.2). */
const voidElements = new Set(
  "area base br col embed hr img input link meta param source track use wbr".split(" "),
);

/**
 * Reads the HTML or JSX tag that begins at a place in a text; null where none does. Attributes may be spread over
 * lines and hold expressions in braces.
 */
export function readTag(text: string, start: number): Tag | null {
  const head = matchAt(opening, text, start);
  const name = head?.[2];
  if (head === null || name === undefined) return null;
  const attributes: Record<string, string> = {};
  let place = start + head[0].length;
  for (;;) {
    const end = matchAt(closing, text, place);
    if (end !== null) {
      const empty = end[1] === "/" || voidElements.has(name.toLowerCase());
      const kind = head[1] === "/" ? "close" : empty ? "empty" : "open";
      return { name, kind, attributes, end: place + end[0].length };
    }
    const next = readAttribute(text, place, attributes);
    if (next === null) return null;
    place = next;
  }
}

/** Adds the attribute at a place to the others; answers where it ends. */
function readAttribute(text: string, place: number, attributes: Record<string, string>): number | null {
  const spread = /\s*(?=\{)/y;
  const braces = matchAt(spread, text, place);
  if (braces !== null) return endOfBraces(text, place + braces[0].length);
  const match =
    /\s/.test(text.charAt(place)) || /["'}]/.test(text.charAt(place - 1))
      ? matchAt(attribute, text, place)
      : null;
  const name = match?.[1];
  if (match === null || name === undefined) return null;
  const end = place + match[0].length;
  if (match[0].trimEnd().endsWith("=") && text.charAt(end) === "{") {
    const after = endOfBraces(text, end);
    const literal = after === null ? null : /^\{\s*(["'`])([^"'`]*)\1\s*\}$/.exec(text.slice(end, after));
    if (literal?.[2] !== undefined) attributes[name] = literal[2];
    return after;
  }
  attributes[name] = unescapeEntities(match[2] ?? match[3] ?? match[4] ?? "");
  return end;
}

/** Where the braces that open at a place close; null where they do not within reason. */
function endOfBraces(text: string, start: number): number | null {
  const limit = Math.min(text.length, start + 20_000);
  let depth = 0;
  for (let place = start; place < limit; place += 1) {
    const character = text.charAt(place);
    if (character === "{") depth += 1;
    if (character === "}") {
      depth -= 1;
      if (depth === 0) return place + 1;
    }
  }
  return null;
}
