/** No list is nested deeper, in spaces. */
const maxIndent = 200;

/**
 * The line that is being written. It knows what readers ask of it without another look at the line, so that long lines
 * take no longer for each character.
 */
export class OutputLine {
  /** The white space that the line begins with, as far as it can indent anything. */
  indent = "";
  /** Whether the line holds only white space. */
  isBlank = true;
  /** Whether the target of a link comes next: after `](` or `]:`. */
  opensTarget = false;
  #parts: string[] = [];

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** Whether the line is indented code (CommonMark, section 4.4). */
  get isIndented(): boolean {
    return /^(?: {4}|\t)/.test(this.indent);
  }

  text(): string {
    return this.#parts.join("");
  }

  append(text: string): void {
    const newline = text.lastIndexOf("\n");
    if (newline !== -1) this.#clear();
    const added = text.slice(newline + 1);
    if (added === "") return;
    const last = this.#parts.at(-1)?.at(-1) ?? "";
    this.#parts.push(added);
    const words = added.trimStart();
    if (this.isBlank && this.indent.length < maxIndent)
      this.indent = (this.indent + added.slice(0, added.length - words.length)).slice(0, maxIndent);
    if (words === "") return;
    this.isBlank = false;
    this.opensTarget = /\](?:\(|:)\s*$/.test(last + added);
  }

  #clear(): void {
    this.indent = "";
    this.isBlank = true;
    this.opensTarget = false;
    this.#parts = [];
  }
}
