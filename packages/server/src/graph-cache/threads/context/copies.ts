/** A page is a copy if another one with its title has this share of its lines: a revision, for instance. */
const commonShare = 0.6;
/** Shorter lines are common to many pages. */
const minLineChars = 30;
/** Pages with the same title that others are compared with: notes may have the same one every day. */
const mostCompared = 8;

/** Finds copies of pages, which would fill a context with what it has already. */
export class CopyFinder {
  readonly #byTitle = new Map<string, PageLines[]>();

  add(title: string, markdown: string): void {
    const own = this.#byTitle.get(title) ?? [];
    if (own.length < mostCompared) this.#byTitle.set(title, [...own, new PageLines(markdown)]);
  }

  /** Whether most of a page stands in one that was added. */
  isCopy(title: string, markdown: string): boolean {
    const others = this.#byTitle.get(title);
    if (others === undefined) return false;
    const lines = longLines(markdown);
    return lines.length > 0 && others.some((other) => other.shareOf(lines) >= commonShare);
  }
}

/** The lines of a page. Most pages share their title with no other, so they are found when they are asked for. */
class PageLines {
  readonly #markdown: string;
  #lines: ReadonlySet<string> | null = null;

  constructor(markdown: string) {
    this.#markdown = markdown;
  }

  shareOf(lines: readonly string[]): number {
    this.#lines ??= new Set(longLines(this.#markdown));
    const own = this.#lines;
    return lines.filter((line) => own.has(line)).length / lines.length;
  }
}

const longLines = (markdown: string) => markdown.split("\n").filter((line) => line.length >= minLineChars);
