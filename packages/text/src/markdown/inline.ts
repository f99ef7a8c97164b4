/*
 * The markup of a line, as docs/markdown.md defines it: escapes, code, equations, emphasis, links, citations and tags. Signs
 * that have no counterpart are text.
 */

/** A part of a line. The parts of a line are in its order. */
export interface Piece {
  /**
   * `text`, `code`, `equation` and `address` are shown from `start` to `end`, and so are the signs of a `mark` that turned out
   * to be text. A `citation` has its address there, and a `tag` its source.
   */
  readonly kind: "text" | "code" | "equation" | "address" | "mark" | "citation" | "tag";
  start: number;
  end: number;
  /** Of a tag, in small letters; otherwise empty. */
  readonly name: string;
}

/** Markup with a counterpart: what stands between two pieces of a line. */
export interface Span {
  readonly kind: "strong" | "emphasis" | "deleted" | "link" | "image";
  readonly open: Piece;
  readonly close: Piece;
  /** The address of a link or image: `[addressStart, addressEnd)`. */
  readonly addressStart: number;
  readonly addressEnd: number;
}

/** A line as it was read. */
export interface InlineParts {
  readonly pieces: readonly Piece[];
  /** In the order of their ends, the inner ones first. Spans of `*` and `~~` nest, and so do links; one kind may cross the other. */
  readonly spans: readonly Span[];
}

/** Reads a part of the Markdown as a line. Linear in its length, whatever it contains. */
export function readInline(markdown: string, start: number, end: number): InlineParts {
  return new InlineReader(markdown, start, end).read();
}

const isSpecial = new Uint8Array(128);
for (const sign of "\\`*~[]!<$") isSpecial[sign.charCodeAt(0)] = 1;

/** The first sign from a position on that may be markup; `end` if there is none. */
export function nextSpecial(markdown: string, start: number, end: number): number {
  let position = start;
  while (position < end) {
    const unit = markdown.charCodeAt(position);
    if (unit < 128 && isSpecial[unit] === 1) break;
    position += 1;
  }
  return position;
}

class InlineReader {
  readonly #markdown: string;
  readonly #start: number;
  readonly #end: number;
  readonly #pieces: Piece[] = [];
  readonly #spans: Span[] = [];
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

  read(): InlineParts {
    for (let shown = this.#start; shown < this.#end; ) {
      const next = nextSpecial(this.#markdown, shown, this.#end);
      if (next > shown) this.#add("text", shown, next);
      shown = next < this.#end ? this.#readSign(next) : next;
    }
    return { pieces: this.#pieces, spans: this.#spans };
  }

  /** Reads a special sign, and returns the start of the rest. */
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
        return this.#addText(position, position + 1);
      case "]":
        return this.#readLinkEnd(position);
      default:
        return this.#readDelimiter(position);
    }
  }

  #add(kind: Piece["kind"], start: number, end: number, name = ""): Piece {
    const piece = { kind, start, end, name };
    this.#pieces.push(piece);
    return piece;
  }

  #addText(start: number, end: number): number {
    this.#add("text", start, end);
    return end;
  }

  #readEscape(position: number): number {
    const isEscape = position + 1 < this.#end && asciiSign.test(this.#markdown.charAt(position + 1));
    return isEscape ? this.#addText(position + 1, position + 2) : this.#addText(position, position + 1);
  }

  /** Code is shown as it is, but for a space at both ends that sets off backticks. */
  #readCode(position: number): number {
    let open = position;
    while (open < this.#end && this.#markdown[open] === "`") open += 1;
    this.#backticks ??= new BacktickRuns(this.#markdown, position, this.#end);
    const close = this.#backticks.next(open, open - position);
    if (close === null) return this.#addText(position, open);
    const isSetOff = close - open > 2 && this.#markdown[open] === " " && this.#markdown[close - 1] === " ";
    this.#add("code", isSetOff ? open + 1 : open, isSetOff ? close - 1 : close);
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
    if (!isEquation) return this.#addText(position, position + 1);
    this.#add("equation", position + 1, close);
    return close + 1;
  }

  /** The next place of a sign without a backslash before it; -1 if the line has none. */
  #nextSign(sign: string, start: number): number {
    for (let position = start; position < this.#end; position += 1) {
      if (this.#markdown[position] === "\\") position += 1;
      else if (this.#markdown[position] === sign) return position;
    }
    return -1;
  }

  #readTag(position: number): number {
    const tag = tagAt(this.#markdown, position, this.#end);
    if (tag === null) return this.#addText(position, position + 1);
    if (tag.kind === "address") this.#add("address", position + 1, tag.end - 1);
    else this.#add("tag", position, tag.end, tag.name);
    return tag.end;
  }

  #readBracket(start: number, end: number): number {
    citationPattern.lastIndex = start;
    const citation = end === start + 1 ? citationPattern.exec(this.#markdown) : null;
    const citationEnd = start + (citation?.[0].length ?? 0);
    if (citation !== null && citationEnd <= this.#end) {
      this.#add("citation", start + 2, citationEnd - 1);
      return citationEnd;
    }
    this.#brackets.push(this.#add("mark", start, end));
    return end;
  }

  #readLinkEnd(position: number): number {
    const open = this.#brackets.pop();
    const hasAddress = position + 1 < this.#end && this.#markdown[position + 1] === "(";
    if (open !== undefined && hasAddress) {
      this.#parentheses ??= parenthesesIn(this.#markdown, position, this.#end);
      const close = this.#parentheses.get(position + 1);
      if (close !== undefined) {
        const kind = open.end - open.start === 1 ? "link" : "image";
        open.end = open.start;
        this.#addSpan(kind, open, this.#add("mark", position, position), position + 2, close);
        return close + 1;
      }
    }
    return this.#addText(position, position + 1);
  }

  #addSpan(kind: Span["kind"], open: Piece, close: Piece, addressStart = 0, addressEnd = 0): void {
    this.#spans.push({ kind, open, close, addressStart, addressEnd });
  }

  #readDelimiter(position: number): number {
    const sign = this.#markdown[position] === "~" ? "~" : "*";
    let end = position;
    while (end < this.#end && this.#markdown[end] === sign) end += 1;
    const piece = this.#add("mark", position, end);
    if (sign === "~" && end - position !== 2) return end;
    const closes = position > this.#start && !isSpaceAt(this.#markdown, position - 1);
    const opens = end < this.#end && !isSpaceAt(this.#markdown, end);
    if (closes) this.#closeDelimiters(sign, piece);
    if (opens && piece.end > piece.start) this.#delimiters[sign].push(piece);
    return end;
  }

  /** Removes as many signs from the ones before as from this run. */
  #closeDelimiters(sign: "*" | "~", closing: Piece): void {
    const open = this.#delimiters[sign];
    for (let last = open.at(-1); last !== undefined && closing.end > closing.start; last = open.at(-1)) {
      const count = Math.min(last.end - last.start, closing.end - closing.start);
      last.end -= count;
      closing.start += count;
      if (sign === "~") this.#addSpan("deleted", last, closing);
      if (sign === "*" && count % 2 === 1) this.#addSpan("emphasis", last, closing);
      if (sign === "*" && count > 1) this.#addSpan("strong", last, closing);
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
  /** The number of runs of each length before the last position that was asked for. */
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

/** The counterpart of each parenthesis in a line that closes. */
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

const tagPattern = /^<\/?([a-z][\w-]*)(?:\s*\/?>|\s[^>=]*=[^>]*>)$/is;
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
