import type { PlainWriter } from "./plain-writer.ts";

/**
 * Writes what a reader sees of a line of the provider's Markdown: emphasis, links, code, equations, tags and escapes lose
 * their signs. Signs that have no counterpart are text. Linear in the length of the line.
 */
export function readInline(markdown: string, start: number, end: number, writer: PlainWriter): void {
  const first = nextSpecial(markdown, start, end);
  if (first === end) writer.copy(start, end);
  else new InlineReader(markdown, start, end).read(first, writer);
}

const isSpecial = new Uint8Array(128);
for (const sign of "\\`*~[]!<$") isSpecial[sign.charCodeAt(0)] = 1;

function nextSpecial(markdown: string, start: number, end: number): number {
  let position = start;
  while (position < end) {
    const unit = markdown.charCodeAt(position);
    if (unit < 128 && isSpecial[unit] === 1) break;
    position += 1;
  }
  return position;
}

/** A part of the line that is shown, as far as it is not found to be markup. */
interface Piece {
  start: number;
  end: number;
  /** What separates the parts before and after this one, which is empty. */
  readonly separator?: string;
}

class InlineReader {
  readonly #markdown: string;
  readonly #start: number;
  readonly #end: number;
  readonly #pieces: Piece[] = [];
  /** Open brackets, the innermost last. An image's has its `!` too. */
  readonly #brackets: Piece[] = [];
  /** Runs of `*` or `~~` that may begin an emphasis. */
  readonly #delimiters: Readonly<Record<"*" | "~", Piece[]>> = { "*": [], "~": [] };
  #backticks: BacktickRuns | null = null;
  #parentheses: ReadonlyMap<number, number> | null = null;

  constructor(markdown: string, start: number, end: number) {
    this.#markdown = markdown;
    this.#start = start;
    this.#end = end;
  }

  read(first: number, writer: PlainWriter): void {
    let shown = this.#start;
    for (let position = first; position < this.#end; ) {
      if (position > shown) this.#pieces.push({ start: shown, end: position });
      shown = this.#readSign(position);
      position = nextSpecial(this.#markdown, shown, this.#end);
    }
    if (shown < this.#end) this.#pieces.push({ start: shown, end: this.#end });
    for (const { start, end, separator } of this.#pieces) {
      if (separator !== undefined) writer.separate(separator, start);
      else writer.copy(start, end);
    }
  }

  /** Reads a special sign, and returns where the rest begins. */
  #readSign(position: number): number {
    switch (this.#markdown[position]) {
      case "\\":
        return this.#readEscape(position);
      case "`":
        return this.#readCode(position);
      case "$":
        return this.#readEquation(position);
      case "<":
        return this.#readTag(position);
      case "[":
        return this.#readBracket(position, position + 1);
      case "!":
        if (this.#markdown[position + 1] === "[" && position + 1 < this.#end)
          return this.#readBracket(position, position + 2);
        return this.#readText(position, position + 1);
      case "]":
        return this.#readLinkEnd(position);
      default:
        return this.#readDelimiter(position);
    }
  }

  #readText(start: number, end: number): number {
    this.#pieces.push({ start, end });
    return end;
  }

  #readEscape(position: number): number {
    const isEscape = position + 1 < this.#end && asciiSign.test(this.#markdown.charAt(position + 1));
    return isEscape ? this.#readText(position + 1, position + 2) : this.#readText(position, position + 1);
  }

  /** Code is shown as it is, but for a space at both ends that sets off backticks. */
  #readCode(position: number): number {
    let open = position;
    while (open < this.#end && this.#markdown[open] === "`") open += 1;
    this.#backticks ??= new BacktickRuns(this.#markdown, position, this.#end);
    const close = this.#backticks.next(open, open - position);
    if (close === null) return this.#readText(position, open);
    const isSetOff = close - open > 2 && this.#markdown[open] === " " && this.#markdown[close - 1] === " ";
    if (close > open) this.#readText(isSetOff ? open + 1 : open, isSetOff ? close - 1 : close);
    return close + open - position;
  }

  /** `$…$` without spaces inside its ends; in a price, the sign is text. */
  #readEquation(position: number): number {
    const close = this.#nextSign("$", position + 1);
    const isEquation =
      close > position + 1 &&
      !isSpaceAt(this.#markdown, position + 1) &&
      !isSpaceAt(this.#markdown, close - 1) &&
      !/[0-9]/.test(this.#markdown.charAt(close + 1));
    if (!isEquation) return this.#readText(position, position + 1);
    this.#readText(position + 1, close);
    return close + 1;
  }

  /** Where a sign stands next without a backslash before it, -1 if nowhere in the line. */
  #nextSign(sign: string, start: number): number {
    for (let position = start; position < this.#end; position += 1) {
      if (this.#markdown[position] === "\\") position += 1;
      else if (this.#markdown[position] === sign) return position;
    }
    return -1;
  }

  #readTag(position: number): number {
    const tag = tagAt(this.#markdown, position, this.#end);
    if (tag === null) return this.#readText(position, position + 1);
    if (tag.kind === "address") this.#readText(position + 1, tag.end - 1);
    else if (tag.name === "br") this.#separate("\n", position);
    else if (tag.name === "td" || tag.name === "th") this.#separate(" | ", position);
    else if (tag.name === "mention-date") this.#readDate(position, tag.end);
    return tag.end;
  }

  #separate(separator: string, position: number): void {
    this.#pieces.push({ start: position, end: position, separator });
  }

  /** The start and end of a date are shown; they stand in attributes. */
  #readDate(start: number, end: number): void {
    const values = this.#markdown.slice(start, end).matchAll(/\s(?:start|end)(?:Time)?="([^"]*)"/g);
    for (const [index, { index: at, 0: attribute, 1: value = "" }] of [...values].entries()) {
      const close = start + at + attribute.length - 1;
      if (index > 0) this.#separate(" ", close - value.length);
      this.#readText(close - value.length, close);
    }
  }

  #readBracket(start: number, end: number): number {
    citationPattern.lastIndex = start;
    const citation = end === start + 1 ? citationPattern.exec(this.#markdown) : null;
    // A citation is shown as a number that the Markdown does not have.
    if (citation !== null && start + citation[0].length <= this.#end) return start + citation[0].length;
    const piece = { start, end };
    this.#pieces.push(piece);
    this.#brackets.push(piece);
    return end;
  }

  #readLinkEnd(position: number): number {
    const open = this.#brackets.pop();
    const hasAddress = position + 1 < this.#end && this.#markdown[position + 1] === "(";
    if (open !== undefined && hasAddress) {
      this.#parentheses ??= parenthesesIn(this.#markdown, position, this.#end);
      const close = this.#parentheses.get(position + 1);
      if (close !== undefined) {
        open.end = open.start;
        return close + 1;
      }
    }
    return this.#readText(position, position + 1);
  }

  #readDelimiter(position: number): number {
    const sign = this.#markdown[position] === "~" ? "~" : "*";
    let end = position;
    while (end < this.#end && this.#markdown[end] === sign) end += 1;
    const piece = { start: position, end };
    this.#pieces.push(piece);
    if (sign === "~" && end - position !== 2) return end;
    const closes = position > this.#start && !isSpaceAt(this.#markdown, position - 1);
    const opens = end < this.#end && !isSpaceAt(this.#markdown, end);
    if (closes) this.#closeDelimiters(this.#delimiters[sign], piece);
    if (opens && piece.end > piece.start) this.#delimiters[sign].push(piece);
    return end;
  }

  /** Removes as many signs from the ones before as from this run. */
  #closeDelimiters(open: Piece[], closing: Piece): void {
    for (let last = open.at(-1); last !== undefined && closing.end > closing.start; last = open.at(-1)) {
      const count = Math.min(last.end - last.start, closing.end - closing.start);
      last.end -= count;
      closing.start += count;
      if (last.end === last.start) open.pop();
    }
  }
}

const asciiSign = /[!-/:-@[-`{-~]/;
/** No bracket inside, so that a search for the end stops where the next one begins. */
const citationPattern = /\[\^[^[\]\s]+\]/y;

function isSpaceAt(markdown: string, position: number): boolean {
  const unit = markdown.charCodeAt(position);
  return unit === 0x20 || unit === 0x09 || unit === 0x0d || unit === 0x0a || unit === 0xa0;
}

/** The runs of backticks in a line, by their lengths: each closes code that a run of the same length has begun. */
class BacktickRuns {
  readonly #starts = new Map<number, number[]>();
  /** How many runs of each length lie before the last position that was asked for. */
  readonly #passed = new Map<number, number>();

  constructor(markdown: string, start: number, end: number) {
    for (let position = start; position < end; ) {
      let next = position;
      while (next < end && markdown[next] === "`") next += 1;
      if (next > position) {
        const starts = this.#starts.get(next - position);
        if (starts === undefined) this.#starts.set(next - position, [position]);
        else starts.push(position);
      }
      position = Math.max(next, position + 1);
    }
  }

  /** The first run of a length from a position; positions ascend from call to call. */
  next(position: number, length: number): number | null {
    const starts = this.#starts.get(length) ?? [];
    let index = this.#passed.get(length) ?? 0;
    while (index < starts.length && (starts[index] ?? 0) < position) index += 1;
    this.#passed.set(length, index);
    return starts[index] ?? null;
  }
}

/** Where each parenthesis in a line closes. */
function parenthesesIn(markdown: string, start: number, end: number): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (let position = start; position < end; position += 1) {
    const sign = markdown[position];
    if (sign === "\\") position += 1;
    else if (sign === "(") open.push(position);
    else if (sign === ")") {
      const at = open.pop();
      if (at !== undefined) closing.set(at, position);
    }
  }
  return closing;
}

type InlineTag = { readonly kind: "address" | "tag"; readonly name: string; readonly end: number };

const tagPattern = /^<\/?([a-z][\w-]*)(?:\s*\/?>|\s[^>]*=[^>]*>)$/is;
const addressPattern = /^<[a-z][a-z0-9+.-]*:[^\s<>]*>$/i;

/** A tag, or an address in angle brackets. Neither has `<` inside, so each search ends where the next one may begin. */
function tagAt(markdown: string, position: number, end: number): InlineTag | null {
  let close = position + 1;
  while (close < end && markdown[close] !== ">" && markdown[close] !== "<") close += 1;
  if (close >= end || markdown[close] === "<") return null;
  const source = markdown.slice(position, close + 1);
  const name = tagPattern.exec(source)?.[1];
  if (name !== undefined) return { kind: "tag", name: name.toLowerCase(), end: close + 1 };
  return addressPattern.test(source) ? { kind: "address", name: "", end: close + 1 } : null;
}
