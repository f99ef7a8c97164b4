import { numberOr } from "./numbers.ts";

/**
 * Reads TOML front matter, as Hugo has it: strings, numbers, truths, dates (as text) and lists of those. Tables and inline tables are left
 * out (https://toml.io/en/v1.0.0). Null if a line is not TOML. Each character is read once: a file may hold anything.
 */
export function readTomlMap(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return new TomlReader(text).readMap();
  } catch (error) {
    if (error instanceof NotToml) return null;
    throw error;
  }
}

class NotToml extends Error {}

/** Lists and inline tables within one another. */
const maxDepth = 100;

const blank = /[ \t]*/y;
const blankLines = /(?:[ \t\r\n]|#[^\n]*(?:\n|$))*/y;
const restOfLine = /[ \t\r]*(?:#[^\n]*)?(?:\n|$)/y;
const bareKey = /[\w-]+/y;
const bareValue = /[^\n#"'[\]{},]+/y;
/** As `bareValue`, but a comma is part of it outside of lists. */
const bareLine = /[^\n#"'[]+/y;
const basicString = /"(?:[^"\\\n]|\\[^\n])*"/y;
const literalString = /'[^'\n]*'/y;

/** An inline table, which is left out. */
const leftOut = Symbol("inline table");

class TomlReader {
  readonly #text: string;
  #place = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the lines before the first table. */
  readMap(): Readonly<Record<string, unknown>> {
    const data: [name: string, value: unknown][] = [];
    for (;;) {
      this.#take(blankLines);
      if (this.#place === this.#text.length || this.#sign() === "[") return Object.fromEntries(data);
      const keys = this.#readKey();
      const value = this.#readValue(bareLine, 0);
      this.#need(restOfLine);
      const [name] = keys;
      // A name with dots is that of a value in a table.
      if (name !== undefined && keys.length === 1 && value !== leftOut) data.push([name, value]);
    }
  }

  /** Reads a name, and the sign between it and its value. */
  #readKey(): readonly string[] {
    const parts: string[] = [];
    for (;;) {
      const string = this.#readString();
      parts.push(string ?? this.#need(bareKey));
      this.#take(blank);
      const sign = this.#sign();
      this.#place += 1;
      if (sign !== "." && sign !== "=") throw new NotToml();
      this.#take(blank);
      if (sign === "=") return parts;
    }
  }

  #readValue(bare: RegExp, depth: number): unknown {
    if (depth > maxDepth) throw new NotToml();
    if (this.#sign() === "[") return this.#readList(depth);
    if (this.#sign() === "{") return this.#skipTable(depth);
    return this.#readString() ?? readBare(this.#need(bare).trim());
  }

  #readList(depth: number): readonly unknown[] {
    this.#place += 1;
    const values: unknown[] = [];
    for (;;) {
      this.#take(blankLines);
      if (this.#isNext("]")) return values;
      const value = this.#readValue(bareValue, depth + 1);
      if (value !== leftOut) values.push(value);
      this.#take(blankLines);
      if (!this.#isNext(",") && this.#sign() !== "]") throw new NotToml();
    }
  }

  #skipTable(depth: number): typeof leftOut {
    this.#place += 1;
    for (;;) {
      this.#take(blankLines);
      if (this.#isNext("}")) return leftOut;
      this.#readKey();
      this.#readValue(bareValue, depth + 1);
      this.#take(blankLines);
      if (!this.#isNext(",") && this.#sign() !== "}") throw new NotToml();
    }
  }

  /** Reads a text in quotes; null if there is none. */
  #readString(): string | null {
    const quote = this.#sign();
    if (quote !== '"' && quote !== "'") return null;
    const isLong = this.#text.startsWith(quote.repeat(3), this.#place);
    if (isLong) return this.#readLongString(quote);
    const string = this.#need(quote === '"' ? basicString : literalString).slice(1, -1);
    return quote === '"' ? unescaped(string) : string;
  }

  #readLongString(quote: string): string {
    const start = this.#place + 3;
    let end = this.#text.indexOf(quote.repeat(3), start);
    while (quote === '"' && end !== -1 && this.#isEscaped(end, start))
      end = this.#text.indexOf('"""', end + 1);
    if (end === -1) throw new NotToml();
    // Up to two quotes may stand before the three that end it.
    for (let more = 0; more < 2 && this.#text.charAt(end + 3) === quote; more += 1) end += 1;
    this.#place = end + 3;
    const string = this.#text.slice(start, end).replace(/^\r?\n/, "");
    return quote === '"' ? unescaped(string) : string;
  }

  /** Whether an odd number of backslashes stands before a place. */
  #isEscaped(place: number, start: number): boolean {
    let before = place;
    while (before > start && this.#text.charAt(before - 1) === "\\") before -= 1;
    return (place - before) % 2 === 1;
  }

  #sign(): string {
    return this.#text.charAt(this.#place);
  }

  /** Steps over a sign if it is the next one. */
  #isNext(sign: string): boolean {
    const isNext = this.#sign() === sign;
    if (isNext) this.#place += 1;
    return isNext;
  }

  /** Steps over what a sticky pattern matches; null if it does not match. */
  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#place;
    const taken = pattern.exec(this.#text)?.[0] ?? null;
    this.#place += taken?.length ?? 0;
    return taken;
  }

  #need(pattern: RegExp): string {
    const taken = this.#take(pattern);
    if (taken === null) throw new NotToml();
    return taken;
  }
}

function readBare(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  const number = text.replaceAll("_", "");
  return /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(number) ? numberOr(text, Number(number)) : text;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "", b: "", f: "" };

/** A text with what its escapes stand for. A backslash at the end of a line joins it to the next word. */
function unescaped(text: string): string {
  return text.replace(
    /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|[ \t]*\r?\n\s*|(.))/g,
    (_, short?: string, long?: string, sign = "") => {
      const hex = short ?? long;
      if (hex === undefined) return escapes[sign] ?? sign;
      const code = Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}
