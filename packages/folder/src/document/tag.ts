import { matchAt } from "./regions.ts";

/** An HTML or JSX tag. */
export interface Tag {
  readonly name: string;
  readonly kind: "open" | "close" | "empty";
  /** Attributes with text values. Expressions such as `cols={2}` are left out. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The index after the tag. */
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

/** Parses the tag at an index of a text; null if there is none. Tags may span lines and contain expressions in braces. */
export function readTag(text: string, start: number, braces = new Braces(text)): Tag | null {
  const head = matchAt(opening, text, start);
  const name = head?.[2];
  if (head === null || name === undefined) return null;
  const attributes: Record<string, string> = {};
  let place = start + head[0].length;
  for (;;) {
    const end = matchAt(closing, text, place);
    if (end !== null) {
      const empty = end[1] === "/" || voidElements.has(name.toLowerCase());
      const opening = empty ? "empty" : "open";
      const kind = head[1] === "/" ? "close" : opening;
      return { name, kind, attributes, end: place + end[0].length };
    }
    const next = readAttribute(text, place, attributes, braces);
    if (next === null) return null;
    place = next;
  }
}

/** Parses the attribute at an index into `attributes`, and returns the index after it. */
function readAttribute(
  text: string,
  place: number,
  attributes: Record<string, string>,
  braces: Braces,
): number | null {
  const spread = matchAt(/\s*(?=\{)/y, text, place);
  if (spread !== null) return braces.endOf(place + spread[0].length);
  const match =
    /\s/.test(text.charAt(place)) || /["'}]/.test(text.charAt(place - 1))
      ? matchAt(attribute, text, place)
      : null;
  const name = match?.[1];
  if (match === null || name === undefined) return null;
  const end = place + match[0].length;
  if (match[0].trimEnd().endsWith("=") && text.charAt(end) === "{") {
    const after = braces.endOf(end);
    const literal = after === null ? null : /^\{\s*(["'`])([^"'`]*)\1\s*\}$/.exec(text.slice(end, after));
    if (literal?.[2] !== undefined) attributes[name] = literal[2];
    return after;
  }
  attributes[name] = unescapeEntities(match[2] ?? match[3] ?? match[4] ?? "");
  return end;
}

/** The pairs of braces in a text, found when they are first asked for. */
export class Braces {
  readonly #text: string;
  #ends: ReadonlyMap<number, number> | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** The index after the brace that closes the one at `start`; null if none does. */
  endOf(start: number): number | null {
    this.#ends ??= pairsOf(this.#text);
    return this.#ends.get(start) ?? null;
  }
}

/** The index after the closing brace, by the index of the opening one. */
function pairsOf(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === "{") open.push(index);
    else {
      const start = open.pop();
      if (start !== undefined) ends.set(start, index + 1);
    }
  }
  return ends;
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  nbsp: "\u00a0",
  quot: '"',
};

/** Decodes common character references; others stay unchanged. */
export function unescapeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]+));/g, (whole, decimal, hex, name) => {
    if (typeof name === "string") return named[name] ?? whole;
    const code = typeof hex === "string" ? Number.parseInt(hex, 16) : Number.parseInt(decimal, 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Escapes a text for a double-quoted attribute. Line ends become spaces. */
export function escapeAttribute(text: string): string {
  return text
    .split(/\n\s*/)
    .map((line) => line.trimEnd())
    .join(" ")
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

const words = (text: string) => new Set(text.split(" "));

const htmlBlocks = words(
  "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html iframe li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul video",
);

const htmlInlines = words(
  "a abbr area audio b base bdi bdo br button cite code col colgroup data del dfn em embed font i img input ins kbd label link map mark meta meter object option output param picture progress q rp rt ruby s samp select slot small source span strong sub sup svg template textarea time title track tt u use var wbr",
);

/** Inline components of documentation sites. */
const inlineComponents = words("Badge Icon Kbd Key Latex Link Tooltip");

/** Whether an element is a block. Components (with a capital initial) are, except known inline ones. */
export function isBlockElement(name: string): boolean {
  return isComponent(name) ? !inlineComponents.has(name) : htmlBlocks.has(name);
}

/** Whether HTML has an element of this name. */
export function isHtmlElement(name: string): boolean {
  return htmlBlocks.has(name) || htmlInlines.has(name);
}

/** Whether the content of an element is not readable text. */
export function isOpaque(name: string): boolean {
  return name === "script" || name === "style" || name === "svg";
}

function isComponent(name: string): boolean {
  return /^[A-Z]/.test(name);
}
