import { readTag } from "./html-tag.ts";

/** Markdown or MDX. MDX has neither indented code nor HTML blocks, and its own comments. */
export type Dialect = "md" | "mdx";

/** Consecutive lines of running text, without markers of quotes and lists, in which a link can be. */
export interface Passage {
  /** `html`: an HTML block, whose tags count and whose Markdown does not. */
  readonly kind: "paragraph" | "heading" | "cell" | "html";
  readonly text: string;
  /** 1-based line of the passage's first line. */
  readonly line: number;
}

type Container = { readonly kind: "quote" } | { readonly kind: "item"; readonly indent: number };

type Leaf =
  | { readonly kind: "paragraph" | "html"; readonly lines: string[]; readonly line: number; until?: RegExp }
  | { readonly kind: "fence"; readonly close: RegExp }
  | { readonly kind: "comment"; readonly until: RegExp }
  | { readonly kind: "table" };

const rawBlock = /^<(pre|script|style|textarea)(?=[\s>]|$)/i;
const blockTag =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[\s/>]|$)/i;
const thematicBreak = /^([*_-])[ ]*(?:\1[ ]*){2,}$/;
const listMarker = /^([-+*]|(\d{1,9})[.)])( +|$)/;
const tableRule = /^\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?[ ]*$/;

/**
 * Reads the block structure of a body line by line, and returns the passages that can contain links: not fences, indented
 * code and comments, in lists and quotes either.
 */
export function passagesOf(body: readonly string[], firstLine: number, dialect: Dialect): Passage[] {
  const scanner = new BlockScanner(dialect);
  for (const [at, line] of body.entries()) scanner.read(expandTabs(line).trimEnd(), firstLine + at);
  return scanner.end();
}

class BlockScanner {
  readonly #dialect: Dialect;
  readonly #passages: Passage[] = [];
  readonly #containers: Container[] = [];
  #leaf: Leaf | null = null;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  end(): Passage[] {
    this.#close();
    return this.#passages;
  }

  read(line: string, number: number): void {
    const { depth, rest } = this.#enterContainers(line);
    if (depth < this.#containers.length) {
      if (this.#leaf?.kind === "paragraph" && this.#isLazy(rest)) {
        this.#leaf.lines.push(rest);
        return;
      }
      this.#close();
      this.#containers.length = depth;
    }
    if (this.#continueLeaf(rest)) return;
    this.#readBlock(this.#openContainers(rest), number);
  }

  /** Removes the markers of the open containers that the line belongs to. */
  #enterContainers(line: string): { depth: number; rest: string } {
    let rest = line;
    for (const [depth, container] of this.#containers.entries()) {
      const inner = container.kind === "quote" ? this.#enterQuote(rest) : enterItem(rest, container.indent);
      if (inner === null) return { depth, rest };
      rest = inner;
    }
    return { depth: this.#containers.length, rest };
  }

  #enterQuote(line: string): string | null {
    const marker = /^ *> ?/.exec(line)?.[0];
    return marker === undefined || this.#isIndented(line) ? null : line.slice(marker.length);
  }

  /** A line indented by four columns opens no block; MDX has no such rule. */
  #isIndented(line: string): boolean {
    return this.#dialect === "md" && line.startsWith("    ");
  }

  /** Whether the line continues a paragraph although it has left the paragraph's container. */
  #isLazy(line: string): boolean {
    if (line.trim() === "") return false;
    if (this.#isIndented(line)) return true;
    const text = line.trimStart();
    const opensBlock =
      /^(?:>|\[\^[^\]\s]+\]:|#{1,6}(?: |$)|```|~~~|<!--)/.test(text) || thematicBreak.test(text);
    return !opensBlock && !listMarker.test(text) && !(this.#dialect === "md" && blockTag.test(text));
  }

  /** Continues an open fence, comment or HTML block. */
  #continueLeaf(line: string): boolean {
    const leaf = this.#leaf;
    if (leaf?.kind === "fence") {
      if (leaf.close.test(line)) this.#leaf = null;
      return true;
    }
    if (leaf?.kind === "comment") {
      if (leaf.until.test(line)) this.#leaf = null;
      return true;
    }
    if (leaf?.kind === "html") {
      leaf.lines.push(line);
      if ((leaf.until ?? /^\s*$/).test(line)) this.#close();
      return true;
    }
    if (leaf?.kind !== "paragraph" || this.#dialect === "md" || !endsInsideTag(leaf.lines)) return false;
    leaf.lines.push(line);
    return true;
  }

  #openContainers(line: string): string {
    let rest = line;
    while (rest.trim() !== "" && !this.#isIndented(rest)) {
      const inner = this.#openContainer(rest);
      if (inner === null) break;
      this.#close();
      rest = inner;
    }
    return rest;
  }

  /** Opens the quote, list item or footnote at the start of the line and returns its content. */
  #openContainer(line: string): string | null {
    const text = line.trimStart();
    const quoted = this.#enterQuote(line);
    if (quoted !== null) {
      this.#containers.push({ kind: "quote" });
      return quoted;
    }
    const footnote = /^\[\^[^\]\s]+\]:[ ]*/.exec(text);
    if (footnote !== null) {
      this.#containers.push({ kind: "item", indent: 4 });
      return text.slice(footnote[0].length);
    }
    const marker = thematicBreak.test(text) ? null : listMarker.exec(text);
    if (marker === null) return null;
    if (this.#leaf?.kind === "paragraph" && !interrupts(marker, text)) return null;
    const [bullet = "", padding = ""] = [marker[1], marker[3]];
    const inner = padding.length > 4 || padding === "" ? 1 : padding.length;
    this.#containers.push({ kind: "item", indent: line.length - text.length + bullet.length + inner });
    return text.slice(bullet.length + inner);
  }

  #readBlock(line: string, number: number): void {
    const text = line.trimStart();
    if (text === "") this.#close();
    else if (this.#isIndented(line) && this.#leaf?.kind !== "paragraph") this.#close();
    else if (this.#isIndented(line) || !this.#openBlock(line, text, number)) this.#readText(line, number);
  }

  /** Opens the fence, comment, heading or HTML block that starts with the line. */
  #openBlock(line: string, text: string, number: number): boolean {
    const fence = /^(`{3,})[^`]*$|^(~{3,})/.exec(text);
    const heading = /^#{1,6}(?: +(.*))?$/.exec(text);
    if (fence !== null) {
      const marker = fence[1] ?? fence[2] ?? "";
      const indent = this.#dialect === "md" ? " {0,3}" : " *";
      this.#close({ kind: "fence", close: new RegExp(`^${indent}${marker[0]}{${marker.length},} *$`) });
    } else if (heading !== null) {
      this.#close();
      this.#passages.push({ kind: "heading", text: heading[1] ?? "", line: number });
    } else if (thematicBreak.test(text) || (this.#leaf?.kind === "paragraph" && /^(?:=+|-+) *$/.test(text))) {
      this.#close();
    } else return this.#openComment(text) || this.#openHtml(line, text, number);
    return true;
  }

  #openComment(text: string): boolean {
    if (text.startsWith("<!--")) {
      this.#close(text.includes("-->") ? null : { kind: "comment", until: /-->/ });
      return true;
    }
    if (this.#dialect !== "mdx" || !text.startsWith("{/*") || text.includes("*/}")) return false;
    this.#close({ kind: "comment", until: /\*\/\}/ });
    return true;
  }

  #openHtml(line: string, text: string, number: number): boolean {
    if (this.#dialect === "mdx") return false;
    const raw = rawBlock.exec(text)?.[1];
    const alone = readTag(text, 0)?.end === text.length && this.#leaf?.kind !== "paragraph";
    if (raw === undefined && !blockTag.test(text) && !alone) return false;
    const until = raw === undefined ? undefined : new RegExp(`</${raw}>`, "i");
    this.#close({ kind: "html", lines: [line], line: number, ...(until && { until }) });
    if (until?.test(line)) this.#close();
    return true;
  }

  #readText(line: string, number: number): void {
    if (this.#leaf?.kind === "table") this.#readRow(line, number);
    else if (this.#leaf?.kind !== "paragraph")
      this.#leaf = { kind: "paragraph", lines: [line], line: number };
    else if (isTableRule(line, this.#leaf.lines.at(-1) ?? "")) this.#openTable(this.#leaf.lines, number);
    else this.#leaf.lines.push(line);
  }

  /** The paragraph's last line is the head of a table. */
  #openTable(lines: string[], number: number): void {
    const head = lines.pop() ?? "";
    this.#close({ kind: "table" });
    this.#readRow(head, number - 1);
  }

  /** Cells are split first, so an unescaped bar ends even a code span. */
  #readRow(line: string, number: number): void {
    for (const cell of cellsOf(line)) {
      const text = cell.replaceAll("\\|", "|").trim();
      if (text !== "") this.#passages.push({ kind: "cell", text, line: number });
    }
  }

  #close(next: Leaf | null = null): void {
    const leaf = this.#leaf;
    if ((leaf?.kind === "paragraph" || leaf?.kind === "html") && leaf.lines.length > 0) {
      this.#passages.push({ kind: leaf.kind, text: leaf.lines.join("\n"), line: leaf.line });
    }
    this.#leaf = next;
  }
}

/** A table's second line: dashes for as many cells as the head above it has. */
function isTableRule(line: string, head: string): boolean {
  if (!line.includes("|") || !tableRule.test(line.trim())) return false;
  return cellsOf(line).length === cellsOf(head).length;
}

const cellsOf = (row: string) =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/);

/** Whether a JSX tag that began at the start of a line is still open: its `>` may be on a further line. */
function endsInsideTag(lines: readonly string[]): boolean {
  const first = lines.findLastIndex((line) => /^ *<[A-Za-z]/.test(line));
  const text = lines.slice(first).join("\n").trimStart();
  return (
    first >= 0 && lines.at(-1) !== "" && readTag(text, 0) === null && /^<[A-Za-z][\w.]*(?:\s|$)/.test(text)
  );
}

function enterItem(line: string, indent: number): string | null {
  if (line.trim() === "") return "";
  return line.startsWith(" ".repeat(indent)) ? line.slice(indent) : null;
}

/** Directly below a paragraph, only a bullet or number one with text can begin a list. */
function interrupts(marker: RegExpExecArray, text: string): boolean {
  return text.length > marker[0].length && (marker[2] === undefined || Number(marker[2]) === 1);
}

function expandTabs(line: string): string {
  if (!line.includes("\t")) return line;
  let expanded = "";
  for (const char of line) expanded += char === "\t" ? " ".repeat(4 - (expanded.length % 4)) : char;
  return expanded;
}
