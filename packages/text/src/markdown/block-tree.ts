import { CodePoints } from "../basics/code-points.ts";
import { attributesOf } from "./attributes.ts";
import { type Block, blocksOf } from "./blocks.ts";

/** A block without its children. A `line` is Markdown for `inlineTree`. */
type BlockContent =
  | { readonly kind: "heading"; readonly level: number; readonly line: string }
  | { readonly kind: "paragraph" | "quote" | "bullet"; readonly line: string }
  | { readonly kind: "number"; readonly number: number; readonly line: string }
  | { readonly kind: "todo"; readonly isDone: boolean; readonly number: number | null; readonly line: string }
  | { readonly kind: "toggle"; line: string }
  | { readonly kind: "callout"; readonly icon: string }
  | { readonly kind: "columns" | "group" | "divider" }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "equation"; readonly text: string }
  | { readonly kind: "table"; readonly hasHeader: boolean; readonly rows: readonly (readonly string[])[] };

/** A block as it is shown, with the blocks in it. */
export type TreeBlock = BlockContent & {
  /** The start of its first line in the whole text, in code points. */
  readonly offset: number;
  readonly children: readonly TreeBlock[];
};

/** Deeper blocks stand beside each other: in a narrow window there would be no room for them. */
const maxDepth = 10;

/** Reads a text as a tree of blocks. `offset` is the place of `markdown` in the whole text. Linear in its length. */
export function blockTree(markdown: string, offset = 0): readonly TreeBlock[] {
  return new TreeReader(markdown, offset).read();
}

/** A block with children that are still being read: until a line that is less deep, or until its closing tag. */
interface Frame {
  readonly depth: number;
  readonly closer: string | null;
  readonly block: TreeBlock | null;
  readonly children: TreeBlock[];
}

const fence = /^(`{3,}|~{3,}|\$\$)(.*)/;
const blockTag = /^<(\/?)([a-z][\w-]*)(?:\s[^<>]*)?\/?>/i;
const containers: Readonly<Record<string, "columns" | "group">> = {
  columns: "columns",
  column: "group",
  synced_block: "group",
  synced_block_reference: "group",
};

class TreeReader {
  readonly #markdown: string;
  readonly #offset: number;
  readonly #codePoints: CodePoints;
  readonly #blocks: readonly Block[];
  #next = 0;
  readonly #root: Frame = { depth: -1, closer: null, block: null, children: [] };
  readonly #frames: Frame[] = [this.#root];

  constructor(markdown: string, offset: number) {
    this.#markdown = markdown;
    this.#offset = offset;
    this.#codePoints = new CodePoints(markdown);
    this.#blocks = [...blocksOf(markdown)];
  }

  read(): readonly TreeBlock[] {
    for (let block = this.#take(); block !== undefined; block = this.#take()) {
      // The start of a table may be in a part of the text that is missing.
      const isLostRow = block.kind === "row" && !this.#isPipes(block);
      for (const each of isLostRow ? linesAsBlocks(this.#markdown, block) : [block]) this.#read(each);
    }
    return this.#root.children;
  }

  #take(): Block | undefined {
    this.#next += 1;
    return this.#blocks[this.#next - 1];
  }

  #read(block: Block): void {
    const depth = this.#depthOf(block);
    while (this.#top.closer === null ? this.#top.depth >= depth : this.#top.depth > depth) this.#frames.pop();
    if (block.kind === "code") this.#add(block, this.#codeOf(block));
    else if (this.#isPipes(block)) this.#add(block, this.#pipeTable(block));
    else if (block.kind === "rule") this.#add(block, { kind: "divider" });
    else if (!this.#readTag(block, depth)) this.#open(block, this.#lineOf(block), depth);
  }

  get #top(): Frame {
    return this.#frames.at(-1) ?? this.#root;
  }

  /** The tabs before a block. */
  #depthOf({ start, indentEnd }: Block): number {
    let end = start;
    while (end < indentEnd && this.#markdown[end] === "\t") end += 1;
    return end - start;
  }

  /** The source of a block, without its indentation. */
  #sourceOf({ indentEnd, end }: Block): string {
    return this.#markdown.slice(indentEnd, end).trimEnd();
  }

  #linesOf({ content }: Block): string[] {
    return content.map(([start, end]) => this.#markdown.slice(start, end));
  }

  #add(source: Block, content: BlockContent): Pick<Frame, "block" | "children"> {
    const children: TreeBlock[] = [];
    const offset = this.#offset + this.#codePoints.before(source.start);
    const block = { ...content, offset, children };
    this.#top.children.push(block);
    return { block, children };
  }

  /** Adds a block whose children follow. */
  #open(source: Block, content: BlockContent, depth: number, closer: string | null = null): void {
    const added = this.#add(source, content);
    if (this.#frames.length <= maxDepth) this.#frames.push({ depth, closer, ...added });
  }

  #close(closer: string): void {
    const at = this.#frames.findLastIndex((frame) => frame.closer === closer);
    if (at > 0) this.#frames.length = at;
  }

  #codeOf(block: Block): BlockContent {
    const [, marker, language = ""] = fence.exec(this.#markdown.slice(block.indentEnd, block.end)) ?? [];
    const text = this.#linesOf(block).join("\n");
    return marker === "$$" ? { kind: "equation", text } : { kind: "code", language: language.trim(), text };
  }

  /** Reads a block that is a tag of its own, or begins with one of a block. Returns false for any other line of text. */
  #readTag(block: Block, depth: number): boolean {
    const text = this.#sourceOf(block);
    if (text.startsWith(":::")) return this.#readDiv(block, text, depth);
    const [source, slash, name = ""] = blockTag.exec(text) ?? [];
    if (source === undefined) return false;
    const isAlone = text.length === source.length;
    if (slash === "/") {
      this.#close(name);
      return isAlone;
    }
    const container = containers[name];
    if (name === "table") this.#add(block, this.#tagTable(attributesOf(source).get("header-row") === "true"));
    else if (name === "details") this.#open(block, { kind: "toggle", line: "" }, depth, name);
    else if (name === "transcript") this.#open(block, { kind: "toggle", line: "Transcript" }, depth, name);
    else if (name === "summary") return this.#readSummary(text.slice(source.length));
    else if (name === "callout") this.#open(block, calloutOf(source), depth, name);
    else if (container !== undefined) this.#open(block, { kind: container }, depth, name);
    else return isAlone && !/\b(?:url|src)=/.test(source);
    return true;
  }

  #readSummary(rest: string): boolean {
    const { block } = this.#top;
    if (block?.kind !== "toggle") return false;
    block.line = rest.replace(/<\/summary>\s*$/i, "");
    return true;
  }

  /** `::: callout {icon="…"}` … `:::` */
  #readDiv(block: Block, text: string, depth: number): true {
    if (/^:{3,}\s*[\w-]/.test(text)) this.#open(block, calloutOf(text), depth, ":::");
    else this.#close(":::");
    return true;
  }

  /** The rows up to `</table>`; what is in no cell is left out. */
  #tagTable(hasHeader: boolean): BlockContent {
    const rows: string[][] = [];
    for (let block = this.#take(); block !== undefined; block = this.#take()) {
      if (this.#markdown.startsWith("</table", block.indentEnd)) break;
      if (block.kind === "row") rows.push([]);
      rows.at(-1)?.push(...this.#cellsOf(block));
    }
    return { kind: "table", hasHeader, rows };
  }

  #cellsOf(block: Block): string[] {
    return this.#linesOf(block).flatMap((line) => tagCells(line.trimEnd()));
  }

  #isPipes({ indentEnd }: Block): boolean {
    return this.#markdown[indentEnd] === "|";
  }

  /** The rows in pipes that follow each other. */
  #pipeTable(first: Block): BlockContent {
    const rows = [pipeCells(this.#sourceOf(first))];
    let hasHeader = false;
    let { end } = first;
    for (;;) {
      const block = this.#blocks[this.#next];
      if (block === undefined || block.start !== end + 1 || !this.#isPipes(block)) break;
      this.#next += 1;
      end = block.end;
      if (rows.length === 1 && block.kind === "rule") hasHeader = true;
      else rows.push(pipeCells(this.#sourceOf(block)));
    }
    return { kind: "table", hasHeader, rows };
  }

  /** A block in one line. What follows `>` is shown as it is written. */
  #lineOf({ kind, level, indentEnd, content: [range] }: Block): BlockContent {
    const [start, end] = range ?? [indentEnd, indentEnd];
    const line = this.#markdown.slice(start, end);
    const marker = this.#markdown.slice(indentEnd, start);
    if (marker.startsWith(">"))
      return { kind: "quote", line: this.#markdown.slice(indentEnd, end).replace(/^>\s?/, "") };
    if (kind === "heading") return { kind, level, line };
    if (kind === "item") return itemOf(marker, line);
    return bareMarker.test(line) ? itemOf(line, "") : { kind: "paragraph", line };
  }
}

/** A marker alone on its line is a text to search, and looks like the empty item that it mostly is. */
const bareMarker = /^(?:[-*+]|\d{1,9}[.)])$/;

function itemOf(marker: string, line: string): BlockContent {
  const [, check] = /\[([ xX])\]/.exec(marker) ?? [];
  const leading = Number.parseInt(marker, 10);
  const number = Number.isNaN(leading) ? null : leading;
  if (check !== undefined) return { kind: "todo", isDone: check !== " ", number, line };
  return number === null ? { kind: "bullet", line } : { kind: "number", number, line };
}

/** The lines of a row as paragraphs. */
function* linesAsBlocks(markdown: string, row: Block): Generator<Block> {
  for (const range of row.content) {
    const [indentEnd, end] = range;
    const start = markdown.lastIndexOf("\n", indentEnd - 1) + 1;
    yield { kind: "paragraph", level: 0, start, indentEnd, end, content: [range] };
  }
}

const calloutOf = (source: string): BlockContent => ({
  kind: "callout",
  icon: attributesOf(source).get("icon") ?? "",
});

/** The cells in a line of a table. */
function tagCells(line: string): readonly string[] {
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
