import { attributesOf } from "./inline.ts";

/*
 * The blocks of a text in the provider's Markdown: one a line, children one tab deeper. It is not CommonMark, where a
 * tab-indented child would be code. https://developers.notion.com/guides/data-apis/enhanced-markdown
 */

/** A block. A `line` is Markdown for `readInline`. */
export type Block = {
  /** Where it starts in the whole text, in code points. */
  readonly offset: number;
  readonly children: readonly Block[];
} & (
  | { readonly kind: "heading"; readonly level: number; readonly line: string }
  | { readonly kind: "paragraph" | "quote"; readonly line: string }
  | { readonly kind: "bullet"; readonly line: string }
  | { readonly kind: "number"; readonly number: number; readonly line: string }
  | { readonly kind: "todo"; readonly isDone: boolean; readonly line: string }
  | { readonly kind: "toggle"; line: string }
  | { readonly kind: "callout"; readonly icon: string }
  | { readonly kind: "columns" | "group" | "divider" }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "equation"; readonly text: string }
  | { readonly kind: "table"; readonly hasHeader: boolean; readonly rows: readonly (readonly string[])[] }
);

/** Deeper blocks stand beside each other: in a narrow window there would be no room for them. */
const maxDepth = 10;

/** Reads a text, whose start may be missing: `offset` is where it starts. Linear in its length. */
export function readBlocks(markdown: string, offset = 0): readonly Block[] {
  return new BlockReader(markdown, offset).read();
}

/** A block with children that are still being read: until a line less deep, or until its closing tag. */
interface Frame {
  readonly depth: number;
  readonly closer: string | null;
  readonly block: Block | null;
  readonly children: Block[];
}

interface Line {
  readonly depth: number;
  readonly text: string;
  readonly offset: number;
}

const fence = /^(`{3,}(?=[^`]*$)|~{3,}|\$\$(?=\s*$))(.*)$/;
const listItem = /^(?:([-*+])|(\d{1,9})[.)])(?:[ \t]+|$)(?:\[([ xX])\](?:[ \t]+|$))?/;
const attributeList = /\s*\{(?:\s*[\w-]+="[^"{}]*")+\s*\}$/;
/** Longer lists of attributes are text. */
const maxAttributeUnits = 200;
const containers: Readonly<Record<string, "callout" | "columns" | "group">> = {
  callout: "callout",
  columns: "columns",
  column: "group",
  synced_block: "group",
  synced_block_reference: "group",
};

class BlockReader {
  readonly #lines: readonly string[];
  #next = 0;
  #offset: number;
  readonly #root: Block[] = [];
  readonly #frames: Frame[];

  constructor(markdown: string, offset: number) {
    this.#lines = markdown.split("\n");
    this.#offset = offset;
    this.#frames = [{ depth: -1, closer: null, block: null, children: this.#root }];
  }

  read(): readonly Block[] {
    for (let line = this.#take(); line !== null; line = this.#take())
      if (line.text !== "") this.#readLine(line);
    return this.#root;
  }

  #take(): Line | null {
    const source = this.#lines[this.#next];
    if (source === undefined) return null;
    this.#next += 1;
    const offset = this.#offset;
    this.#offset += codePoints(source) + 1;
    const text = source.replace(/^\t+/, "");
    return { depth: source.length - text.length, text: text.trimEnd(), offset };
  }

  #readLine(line: Line): void {
    const { depth, text } = line;
    while (this.#top.closer === null ? this.#top.depth >= depth : this.#top.depth > depth) this.#frames.pop();
    const opened = fence.exec(text);
    if (opened !== null) this.#readFenced(line, opened[1] ?? "", (opened[2] ?? "").trim());
    else if (text.startsWith(":::")) this.#readDiv(line);
    else if (text.startsWith("|")) this.#readPipes(line);
    else if (!text.startsWith("<") || !this.#readTagLine(line)) this.#addLine(line);
  }

  get #top(): Frame {
    return this.#frames.at(-1) ?? { depth: -1, closer: null, block: null, children: this.#root };
  }

  #add(block: Block): void {
    this.#top.children.push(block);
  }

  /** Adds a block whose children follow. */
  #open(block: Block, children: Block[], depth: number, closer: string | null): void {
    this.#add(block);
    if (this.#frames.length <= maxDepth) this.#frames.push({ depth, closer, block, children });
  }

  #close(closer: string): void {
    const at = this.#frames.findLastIndex((frame) => frame.closer === closer);
    if (at > 0) this.#frames.length = at;
  }

  #addLine({ depth, text, offset }: Line): void {
    const children: Block[] = [];
    const line = withoutAttributes(text);
    this.#open({ ...kindOf(line), offset, children }, children, depth, null);
  }

  /** Code or an equation, up to a fence of the same sign that is at least as long, not deeper, and alone on its line. */
  #readFenced({ depth, offset }: Line, marker: string, language: string): void {
    const lines: string[] = [];
    for (;;) {
      const source = this.#lines[this.#next];
      const line = this.#take();
      if (source === undefined || line === null) break;
      if (line.depth <= depth && line.text.startsWith(marker) && isRun(line.text)) break;
      lines.push(source.slice(Math.min(depth, line.depth)));
    }
    const text = lines.join("\n");
    this.#add(
      marker === "$$"
        ? { kind: "equation", text, offset, children: [] }
        : { kind: "code", language, text, offset, children: [] },
    );
  }

  /** A line that is a tag of a block. Returns false for a tag that begins a line of text. */
  #readTagLine(line: Line): boolean {
    const { depth, text, offset } = line;
    const [source, slash, name = ""] = /^<(\/?)([a-z][\w-]*)(?:\s[^<>]*)?\/?>/i.exec(text) ?? [];
    if (source === undefined) return false;
    if (slash === "/") {
      this.#close(name);
      return text.length === source.length;
    }
    const children: Block[] = [];
    const container = containers[name];
    if (name === "table") this.#readTable(line, attributesOf(source).get("header-row") === "true");
    else if (name === "details")
      this.#open({ kind: "toggle", line: "", offset, children }, children, depth, name);
    else if (name === "summary") return this.#readSummary(text.slice(source.length));
    else if (container === "callout") this.#openCallout(line, attributesOf(source), name);
    else if (container !== undefined)
      this.#open({ kind: container, offset, children }, children, depth, name);
    else return text.length === source.length && !/\b(?:url|src)=/.test(source);
    return true;
  }

  #readSummary(rest: string): boolean {
    const { block } = this.#top;
    if (block?.kind !== "toggle") return false;
    block.line = rest.replace(/<\/summary>\s*$/i, "");
    return true;
  }

  #openCallout({ depth, offset }: Line, attributes: ReadonlyMap<string, string>, closer: string): void {
    const children: Block[] = [];
    const icon = attributes.get("icon") ?? "";
    this.#open({ kind: "callout", icon, offset, children }, children, depth, closer);
  }

  /** `::: callout {icon="…"}` … `:::` */
  #readDiv(line: Line): void {
    const name = /^:{3,}\s*([\w-]+)/.exec(line.text)?.[1];
    if (name === undefined) this.#close(":::");
    else this.#openCallout(line, attributesOf(line.text), ":::");
  }

  #readTable({ offset }: Line, hasHeader: boolean): void {
    const rows: string[][] = [];
    for (let line = this.#take(); line !== null && !line.text.startsWith("</table"); line = this.#take()) {
      if (/^<tr\b/i.test(line.text)) rows.push([]);
      for (const cell of cellsOf(line.text)) rows.at(-1)?.push(cell);
    }
    this.#add({ kind: "table", hasHeader, rows, offset, children: [] });
  }

  #readPipes(first: Line): void {
    const rows: string[][] = [pipeCells(first.text)];
    let hasHeader = false;
    while (this.#lines[this.#next]?.trimStart().startsWith("|") === true) {
      const line = this.#take();
      if (line === null) break;
      if (rows.length === 1 && /^[|\-: ]+$/.test(line.text)) hasHeader = true;
      else rows.push(pipeCells(line.text));
    }
    this.#add({ kind: "table", hasHeader, rows, offset: first.offset, children: [] });
  }
}

function kindOf(line: string) {
  const heading = /^(#{1,6})(?:\s+|$)/.exec(line);
  if (heading !== null)
    return { kind: "heading", level: heading[1]?.length ?? 1, line: line.slice(heading[0].length) } as const;
  if (/^>\s?/.test(line)) return { kind: "quote", line: line.replace(/^>\s?/, "") } as const;
  if (line.length >= 3 && "-*_".includes(line.charAt(0)) && isRun(line)) return { kind: "divider" } as const;
  const item = listItem.exec(line);
  if (item === null) return { kind: "paragraph", line } as const;
  const [marker, , number, check] = item;
  const rest = line.slice(marker.length);
  if (check !== undefined) return { kind: "todo", isDone: check !== " ", line: rest } as const;
  if (number !== undefined) return { kind: "number", number: Number(number), line: rest } as const;
  return { kind: "bullet", line: rest } as const;
}

const isRun = (text: string): boolean => text === text.charAt(0).repeat(text.length);

/** A line without the attributes that may follow it: `{color="red"}`. */
function withoutAttributes(line: string): string {
  if (!line.endsWith("}")) return line;
  const from = Math.max(0, line.length - maxAttributeUnits);
  const match = attributeList.exec(line.slice(from));
  return match === null ? line : line.slice(0, from + match.index);
}

/** The cells in a line of a table. */
function cellsOf(line: string): readonly string[] {
  const [, ...cells] = line.split(/<t[dh](?:\s[^<>]*)?>/i);
  return cells.map((cell) => cell.replace(/<\/(?:td|th|tr)>\s*(?:<\/tr>)?$/i, ""));
}

/** The cells of a row in pipes; an escaped pipe is text. */
function pipeCells(line: string): string[] {
  const cells = [""];
  const content = line.replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  for (const piece of content.split(/(\\.|\|)/)) {
    if (piece === "|") cells.push("");
    else cells.push((cells.pop() ?? "") + piece);
  }
  return cells.map((cell) => cell.trim());
}

function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count -= 1;
  return count;
}
