import { decodeEntities, readTag } from "./html-tag.ts";
import type { Dialect, Passage } from "./passages.ts";

/** A link as written: an address, or the inside of `[[…]]`, without escapes. */
export interface WrittenLink {
  readonly kind: "address" | "wiki";
  readonly target: string;
  readonly line: number;
}

/** Addresses by case-folded reference labels. */
export type Definitions = Map<string, string>;

const definition =
  /^\s*\[((?:[^[\]\\]|\\.)+)\]:[ ]*\n?[ ]*(?:<([^<>\n]*)>|([^\s<]\S*))(?:(?:[ ]+|[ ]*\n[ ]*)(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?[ ]*(?:\n|$)/;

/** Moves the reference definitions at the start of a paragraph into `into`; the first one of a label wins. */
export function takeDefinitions(passage: Passage, into: Definitions): Passage {
  let { text, line } = passage;
  if (passage.kind !== "paragraph") return passage;
  for (let found = definition.exec(text); found !== null; found = definition.exec(text)) {
    const label = foldLabel(found[1] ?? "");
    if (!into.has(label)) into.set(label, unescapeAddress(found[2] ?? found[3] ?? ""));
    text = text.slice(found[0].length);
    line += found[0].split("\n").length - 1;
  }
  return { ...passage, text, line };
}

/** Lists the links of a passage in the order in which they end. */
export function linksIn(passage: Passage, definitions: Definitions, dialect: Dialect): WrittenLink[] {
  const reader = new InlineReader(passage.text, definitions, dialect);
  if (passage.kind === "html") reader.readTags();
  else reader.readProse();
  return reader.found.map(({ kind, target, at }) => ({
    kind,
    target,
    line: passage.line + newlines(passage.text, at),
  }));
}

const newlines = (text: string, end: number) => text.slice(0, end).split("\n").length - 1;

/** `[[…]]`, or `![[…]]` for an embed. */
const wiki = /!?\[\[([^[\]\n]+)\]\](?!\()/y;
const inlineTail =
  /\(\s*(?:<((?:[^<>\n\\]|\\.)*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.|\([^\s()]*\))*\))*))(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*\)/sy;
const labelTail = /\[((?:[^[\]\\]|\\.)*)\]/sy;
const autolink = /<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>/y;
const htmlComment = /<!--.*?-->/sy;
const mdxComment = /\{\/\*.*?\*\/\}/sy;

interface Opener {
  readonly at: number;
  readonly isImage: boolean;
  isActive: boolean;
}

class InlineReader {
  readonly found: { kind: WrittenLink["kind"]; target: string; at: number }[] = [];
  readonly #text: string;
  readonly #definitions: Definitions;
  readonly #dialect: Dialect;
  #openers: Opener[] = [];
  #at = 0;

  constructor(text: string, definitions: Definitions, dialect: Dialect) {
    this.#text = text;
    this.#definitions = definitions;
    this.#dialect = dialect;
  }

  /** Reads the `href` of every tag and nothing else. */
  readTags(): void {
    while (this.#at < this.#text.length) {
      if (this.#text[this.#at] !== "<" || !this.#skipAngle()) this.#at += 1;
    }
  }

  readProse(): void {
    while (this.#at < this.#text.length) this.#step(this.#text[this.#at] ?? "");
  }

  #step(char: string): void {
    if (char === "\\") this.#at += 2;
    else if (char === "`") this.#skipCode();
    else if (this.#text.startsWith("![", this.#at)) this.#readWiki() || this.#open({ isImage: true });
    else if (char === "[") this.#readWiki() || this.#open({ isImage: false });
    else if (char === "]") this.#shut();
    else if (!(char === "<" && this.#skipAngle()) && !(char === "{" && this.#skipMdxComment())) this.#at += 1;
  }

  /** Backticks close at the next run of the same length; without one, they are plain text. */
  #skipCode(): void {
    const run = /`+/y;
    run.lastIndex = this.#at;
    const ticks = run.exec(this.#text)?.[0] ?? "`";
    const close = new RegExp(`(?<!\`)${ticks}(?!\`)`, "g");
    close.lastIndex = this.#at + ticks.length;
    this.#at = close.test(this.#text) ? close.lastIndex : this.#at + ticks.length;
  }

  #skipAngle(): boolean {
    if (this.#match(htmlComment) !== null || this.#match(autolink) !== null) return true;
    const tag = readTag(this.#text, this.#at);
    if (tag === null) return false;
    if (tag.href !== null) this.found.push({ kind: "address", target: tag.href, at: this.#at });
    this.#at = tag.end;
    return true;
  }

  #skipMdxComment(): boolean {
    return this.#dialect === "mdx" && this.#match(mdxComment) !== null;
  }

  #readWiki(): boolean {
    const at = this.#at;
    const inside = this.#match(wiki)?.[1];
    if (inside === undefined) return false;
    this.found.push({ kind: "wiki", target: inside, at });
    return true;
  }

  #open({ isImage }: { isImage: boolean }): void {
    this.#openers.push({ at: this.#at, isImage, isActive: true });
    this.#at += isImage ? 2 : 1;
  }

  /** A `]` ends a link or image if it is followed by an address or a known label, or is a known shortcut. */
  #shut(): void {
    const opener = this.#openers.pop();
    const label =
      opener === undefined ? "" : this.#text.slice(opener.at + (opener.isImage ? 2 : 1), this.#at);
    this.#at += 1;
    if (opener === undefined || !opener.isActive) return;
    const target = this.#readTarget(label);
    if (target === null) return;
    if (opener.isImage) {
      this.#dropLinksFrom(opener.at);
      return;
    }
    this.found.push({ kind: "address", target, at: opener.at });
    for (const outer of this.#openers) if (!outer.isImage) outer.isActive = false;
  }

  #readTarget(label: string): string | null {
    const inline = this.#match(inlineTail);
    if (inline !== null) return unescapeAddress(inline[1] ?? inline[2] ?? "");
    const before = this.#at;
    const tail = this.#match(labelTail);
    const key = foldLabel(tail?.[1]?.trim() ? tail[1] : label);
    const target = this.#definitions.get(key) ?? null;
    if (target === null) this.#at = before;
    return target;
  }

  /** Links in an image's description do not count. */
  #dropLinksFrom(start: number): void {
    while ((this.found.at(-1)?.at ?? -1) >= start) this.found.pop();
  }

  /** Matches a sticky pattern at the current position and moves past it. */
  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}

function foldLabel(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase().toUpperCase();
}

/** Removes backslashes before punctuation and decodes entities. */
function unescapeAddress(address: string): string {
  return decodeEntities(address.replace(/\\([!-/:-@[-`{-~])/g, "$1"));
}
