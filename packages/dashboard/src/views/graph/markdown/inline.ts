/** A piece of a line in the provider's Markdown. */
export type Inline =
  | { readonly kind: "text" | "code" | "equation"; readonly text: string }
  | { readonly kind: "break" }
  | {
      readonly kind: "strong" | "emphasis" | "deleted" | "underlined";
      readonly children: readonly Inline[];
    }
  | {
      readonly kind: "link" | "image" | "mention" | "citation";
      readonly address: string;
      readonly children: readonly Inline[];
    };

/** Deeper markup is shown without its effect. */
const maxNesting = 16;
/** No browser opens longer addresses; what is cut opens nothing. */
const maxAddressUnits = 10_000;

/**
 * Reads a line: emphasis, links, code, equations and tags. Signs that have no counterpart are text, and tags that are not
 * known vanish, but what they contain is shown. Linear in the length of the line.
 */
export function readInline(line: string): readonly Inline[] {
  const reader = new InlineReader(line);
  return treeOf(reader.read());
}

/** The text of pieces, without markup. */
export function textOf(pieces: readonly Inline[]): string {
  return pieces
    .map((piece) => {
      if ("text" in piece) return piece.text;
      return piece.kind === "break" ? " " : textOf(piece.children);
    })
    .join("");
}

type Container = Extract<Inline, { children: readonly Inline[] }>;

/** What may begin a piece with children. It does so if a counterpart was found; otherwise its source is text. */
interface Opening {
  readonly at: "open";
  readonly closer: string;
  readonly kind: Container["kind"];
  readonly source: string;
  address: string;
  isMatched: boolean;
}

type Part = { readonly at: "leaf"; readonly piece: Inline } | Opening | { readonly at: "close" };

const special = /[\\`*~[\]!<$]/g;
const asciiSign = /[!-/:-@[-`{-~]/;
const citation = /\[\^([^[\]\s]+)\]/y;
const addressTag = /^<([a-z][a-z0-9+.-]*:[^\s<>]*)>$/i;
const tagSource = /^<(\/?)([a-z][\w-]*)(?=[\s/>])/i;
const attribute = /(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

class InlineReader {
  readonly #line: string;
  readonly #parts: Part[] = [];
  /** Openings without a counterpart so far, the innermost last, and how many there are for each counterpart. */
  readonly #open: Opening[] = [];
  readonly #awaited = new Map<string, number>();
  #runs: ReadonlyMap<number, readonly number[]> | null = null;
  #parentheses: ReadonlyMap<number, number> | null = null;

  constructor(line: string) {
    this.#line = line;
  }

  read(): readonly Part[] {
    for (let position = 0; position < this.#line.length; ) {
      special.lastIndex = position;
      const next = special.exec(this.#line)?.index ?? this.#line.length;
      this.#text(position, next);
      position = next < this.#line.length ? this.#readSign(next) : next;
    }
    return this.#parts;
  }

  /** Reads a sign that may mean something, and returns where the rest begins. */
  #readSign(at: number): number {
    switch (this.#line[at]) {
      case "\\":
        return this.#readEscape(at);
      case "`":
        return this.#readCode(at);
      case "$":
        return this.#readEquation(at);
      case "<":
        return this.#readTag(at);
      case "[":
        return this.#readBracket(at);
      case "!":
        if (this.#line[at + 1] !== "[") return this.#text(at, at + 1);
        this.#begin({ closer: "]", kind: "image", source: "![" });
        return at + 2;
      case "]":
        return this.#readLinkEnd(at);
      default:
        return this.#readDelimiter(at);
    }
  }

  #text(start: number, end: number): number {
    if (end > start) this.#leaf({ kind: "text", text: this.#line.slice(start, end) });
    return end;
  }

  #leaf(piece: Inline): void {
    this.#parts.push({ at: "leaf", piece });
  }

  #begin(opening: Pick<Opening, "closer" | "kind" | "source">, address = ""): void {
    const part: Opening = { at: "open", ...opening, address, isMatched: false };
    this.#parts.push(part);
    this.#open.push(part);
    this.#awaited.set(part.closer, (this.#awaited.get(part.closer) ?? 0) + 1);
  }

  /** Removes the innermost opening that awaits `closer`, with those inside it; null if there is none. */
  #take(closer: string): Opening | null {
    if ((this.#awaited.get(closer) ?? 0) === 0) return null;
    for (;;) {
      const opening = this.#open.pop();
      if (opening === undefined) return null;
      this.#awaited.set(opening.closer, (this.#awaited.get(opening.closer) ?? 0) - 1);
      if (opening.closer === closer) return opening;
    }
  }

  #end(closer: string, address?: string): boolean {
    const opening = this.#take(closer);
    if (opening === null) return false;
    opening.isMatched = true;
    opening.address = address ?? opening.address;
    this.#parts.push({ at: "close" });
    return true;
  }

  #readEscape(at: number): number {
    const isEscape = asciiSign.test(this.#line.charAt(at + 1));
    return isEscape ? this.#text(at + 1, at + 2) : this.#text(at, at + 1);
  }

  /** Code is shown as it is, but for a space at both ends that sets off backticks. */
  #readCode(at: number): number {
    const open = endOfRun(this.#line, at);
    this.#runs ??= backtickRuns(this.#line, at);
    const close = firstFrom(this.#runs.get(open - at) ?? [], open);
    if (close === null) return this.#text(at, open);
    const code = this.#line.slice(open, close);
    const isSetOff = code.length > 2 && code.startsWith(" ") && code.endsWith(" ");
    this.#leaf({ kind: "code", text: isSetOff ? code.slice(1, -1) : code });
    return close + open - at;
  }

  /** `$…$` without spaces inside its ends; in a price, the sign is text. */
  #readEquation(at: number): number {
    const close = this.#line.indexOf("$", at + 1);
    const source = close < 0 ? "" : this.#line.slice(at + 1, close);
    const isEquation = source !== "" && source.trim() === source && !/\d/.test(this.#line.charAt(close + 1));
    if (!isEquation) return this.#text(at, at + 1);
    this.#leaf({ kind: "equation", text: source.replace(/^`(.*)`$/s, "$1") });
    return close + 1;
  }

  #readBracket(at: number): number {
    citation.lastIndex = at;
    const address = citation.exec(this.#line)?.[1];
    if (address !== undefined) {
      this.#leaf({ kind: "citation", address: unescaped(address), children: [] });
      return citation.lastIndex;
    }
    this.#begin({ closer: "]", kind: "link", source: "[" });
    return at + 1;
  }

  #readLinkEnd(at: number): number {
    if (this.#line[at + 1] === "(") {
      this.#parentheses ??= parenthesesFrom(this.#line, at);
      const close = this.#parentheses.get(at + 1);
      const address = this.#line.slice(at + 2, Math.min(close ?? 0, at + maxAddressUnits));
      if (close !== undefined && this.#end("]", unescaped(address.replace(/\s+"[^"]*"$/, "").trim())))
        return close + 1;
    } else this.#take("]");
    return this.#text(at, at + 1);
  }

  #readDelimiter(at: number): number {
    const end = endOfRun(this.#line, at);
    const mayClose = at > 0 && !/\s/.test(this.#line.charAt(at - 1));
    const mayOpen = end < this.#line.length && !/\s/.test(this.#line.charAt(end));
    if (this.#line[at] === "~") this.#readTildes(at, end, mayClose, mayOpen);
    else this.#readStars(at, end, mayClose, mayOpen);
    return end;
  }

  #readTildes(at: number, end: number, mayClose: boolean, mayOpen: boolean): void {
    const isPair = end - at === 2;
    if (isPair && mayClose && this.#end("~~")) return;
    if (isPair && mayOpen) this.#begin({ closer: "~~", kind: "deleted", source: "~~" });
    else this.#text(at, end);
  }

  #readStars(at: number, end: number, mayClose: boolean, mayOpen: boolean): void {
    let next = Math.max(at, end - maxNesting);
    this.#text(at, next);
    while (next < end) {
      const closer = mayClose ? this.#closerFor(end - next) : null;
      const opened = end - next > 1 ? strong : emphasis;
      if (closer !== null) this.#end(closer);
      else if (mayOpen) this.#begin(opened);
      else return void this.#text(next, end);
      next += (closer ?? opened.closer).length;
    }
  }

  /** Which emphasis a run of `*` ends: the innermost that is open, if the run is long enough for it. */
  #closerFor(length: number): "*" | "**" | null {
    const isOpen = (closer: string) => (this.#awaited.get(closer) ?? 0) > 0;
    if (length === 1) return isOpen("*") ? "*" : null;
    if (!isOpen("*") && !isOpen("**")) return null;
    const innermost = this.#open.findLast(({ closer }) => closer === "*" || closer === "**")?.closer;
    return innermost === "*" || innermost === "**" ? innermost : null;
  }

  #readTag(at: number): number {
    const close = endOfTag(this.#line, at);
    if (close === null) return this.#text(at, at + 1);
    const source = this.#line.slice(at, close);
    const address = addressTag.exec(source)?.[1];
    if (address !== undefined) {
      this.#leaf({ kind: "link", address, children: [{ kind: "text", text: address }] });
      return close;
    }
    const [, slash, tag = ""] = tagSource.exec(source) ?? [];
    if (tag === "") return this.#text(at, at + 1);
    const name = tag.toLowerCase();
    if (slash === "/") this.#end(`</${name}>`);
    else this.#beginTag(name, attributesOf(source), source.endsWith("/>"));
    return close;
  }

  #beginTag(name: string, attributes: Attributes, isWhole: boolean): void {
    const closer = `</${name}>`;
    const address = attributes.get("url") ?? attributes.get("src") ?? "";
    if (name === "br") this.#leaf({ kind: "break" });
    else if (name === "mention-date") this.#leaf({ kind: "text", text: dateOf(attributes) });
    else if (name === "span" && attributes.get("underline") === "true")
      this.#begin({ closer, kind: "underlined", source: "" });
    else if (address !== "") {
      const kind = pageTags.has(name) ? "mention" : "link";
      const label = attributes.get("alt");
      if (!isWhole) this.#begin({ closer, kind, source: "" }, address);
      else
        this.#leaf({ kind, address, children: label === undefined ? [] : [{ kind: "text", text: label }] });
    }
  }
}

const strong = { closer: "**", kind: "strong", source: "**" } as const;
const emphasis = { closer: "*", kind: "emphasis", source: "*" } as const;

/** Tags whose address is a page or database. */
const pageTags: ReadonlySet<string> = new Set([
  "mention-page",
  "mention-database",
  "mention-data-source",
  "page",
  "database",
]);

function endOfRun(line: string, start: number): number {
  let end = start;
  while (line[end] === line[start]) end += 1;
  return end;
}

/** The starts of the runs of backticks, by their lengths. */
function backtickRuns(line: string, start: number): ReadonlyMap<number, readonly number[]> {
  const runs = new Map<number, number[]>();
  for (let at = line.indexOf("`", start); at >= 0; at = line.indexOf("`", endOfRun(line, at))) {
    const length = endOfRun(line, at) - at;
    const starts = runs.get(length);
    if (starts === undefined) runs.set(length, [at]);
    else starts.push(at);
  }
  return runs;
}

/** The first of ascending numbers that is not below a bound. */
function firstFrom(numbers: readonly number[], bound: number): number | null {
  let low = 0;
  for (let high = numbers.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return numbers[low] ?? null;
}

/** Where each parenthesis closes. */
function parenthesesFrom(line: string, start: number): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (let at = start; at < line.length; at += 1) {
    const sign = line[at];
    if (sign === "\\") at += 1;
    else if (sign === "(") open.push(at);
    else if (sign === ")") {
      const opened = open.pop();
      if (opened !== undefined) closing.set(opened, at);
    }
  }
  return closing;
}

/** Where a tag ends. It has no `<` inside, so a search ends where the next one may begin. */
function endOfTag(line: string, start: number): number | null {
  for (let at = start + 1; at < line.length; at += 1) {
    if (line[at] === ">") return at + 1;
    if (line[at] === "<") return null;
  }
  return null;
}

export type Attributes = ReadonlyMap<string, string>;

/** The attributes of a tag, or of a list in braces. `&amp;` is the one escape that matters in addresses. */
export function attributesOf(source: string): Attributes {
  return new Map(
    [...source.matchAll(attribute)].map(([, name = "", double, single]) => [
      name,
      (double ?? single ?? "").replaceAll("&amp;", "&"),
    ]),
  );
}

function dateOf(attributes: Attributes): string {
  const [start, end] = (["start", "end"] as const).map((name) =>
    [attributes.get(name), attributes.get(`${name}Time`)].filter((each) => each !== undefined).join(" "),
  );
  return end === "" || end === undefined ? (start ?? "") : `${start} → ${end}`;
}

const unescaped = (text: string): string => text.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");

/** Nests the parts; adjacent texts become one. */
function treeOf(parts: readonly Part[]): readonly Inline[] {
  let current: Inline[] = [];
  const open: { readonly around: Inline[]; readonly opening: Opening }[] = [];
  for (const part of parts) {
    if (part.at === "leaf") append(current, part.piece);
    else if (part.at === "close") {
      const ended = open.pop();
      if (ended === undefined || current === ended.around) continue;
      ended.around.push(containerOf(ended.opening, current));
      current = ended.around;
    } else if (part.isMatched) {
      open.push({ around: current, opening: part });
      // What is nested too deep stays beside what is around it.
      if (open.length <= maxNesting) current = [];
    } else append(current, { kind: "text", text: part.source });
  }
  return current;
}

function containerOf({ kind, address }: Opening, children: readonly Inline[]): Inline {
  if (kind === "link" || kind === "image" || kind === "mention" || kind === "citation")
    return { kind, address, children };
  return { kind, children };
}

function append(pieces: Inline[], piece: Inline): void {
  const last = pieces.at(-1);
  if (piece.kind !== "text" || last?.kind !== "text") pieces.push(piece);
  else if (piece.text !== "") pieces.splice(-1, 1, { kind: "text", text: last.text + piece.text });
}
