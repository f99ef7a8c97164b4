const bullet = /^(\t*)- (.*)$/;
const fence = /^\s*(?:- )?(`{3,}|~{3,})/;
const marker = /^(TODO|LATER|DOING|NOW|WAITING|DONE|CANCELED|CANCELLED) /;
const done = new Set(["DONE", "CANCELED", "CANCELLED"]);
/** Lines that Logseq does not show: ids, whether a block is folded, and the log of its clock. */
const unseen = /^\s*(?:(?:- )?(?:id|collapsed|logseq\.[\w.-]+)::.*|:LOGBOOK:|CLOCK: .*|:END:)$/;

/**
 * Rewrites an outline as nested lists: Logseq indents blocks by tabs, which a parser of Markdown takes for code below a
 * heading. A heading at the top stays one, with the blocks below it as a list. Tasks become items that are checked or not.
 */
export function outlineAsMarkdown(body: string): string {
  const outline = new Outline();
  return body
    .split("\n")
    .flatMap((line) => outline.linesOf(line))
    .join("\n");
}

/** The place in an outline that is read from the top. */
class Outline {
  #depth = 0;
  #isBelowHeading = false;
  /** The fence that ends the code in which it is. */
  #closing: string | null = null;

  linesOf(line: string): string[] {
    if (this.#closing !== null) {
      if (line.trim() === this.#closing) this.#closing = null;
      return [this.#indent() + withoutTabs(line, this.#depth)];
    }
    this.#closing = fence.exec(line)?.[1] ?? null;
    const [, tabs, words = ""] = bullet.exec(line) ?? [];
    if (tabs === undefined) return unseen.test(line) ? [] : [this.#indent() + withoutTabs(line, this.#depth)];
    this.#depth = tabs.length;
    const isHeading = this.#depth === 0 && heading.test(words);
    if (this.#depth === 0) this.#isBelowHeading = isHeading;
    if (isHeading) return ["", words];
    // The id of a block may be all that it has.
    return [unseen.test(line) ? `${this.#indent()}-` : `${this.#indent()}- ${withTask(words)}`];
  }

  #indent(): string {
    return "  ".repeat(Math.max(0, this.#isBelowHeading ? this.#depth - 1 : this.#depth));
  }
}

const heading = /^#{1,6} /;

/** A line of a block after its first, without the tabs of the block. */
function withoutTabs(line: string, depth: number): string {
  const tabs = /^\t*/.exec(line)?.[0].length ?? 0;
  return line.slice(Math.min(tabs, depth));
}

function withTask(words: string): string {
  return words.replace(marker, (_, kind: string) => (done.has(kind) ? "[x] " : "[ ] "));
}
