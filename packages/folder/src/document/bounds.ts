/** Cells that the tables of a page may have, the empty ones at the ends of short rows included. */
const maxCells = 300_000;

/** Links that a page may have. */
const maxLinks = 200_000;

/**
 * The bounds of what is read of a page, since a short text can stand for very much: rows times columns of tables, and links. Beyond
 * them the text is cut.
 */
export class PageBounds {
  #cells = 0;
  #links = 0;
  /** Why the text is cut, in words for its owner; null if it is not. */
  #cut: string | null = null;

  /** The same bounds, with what is used of them. */
  static from({ cells, links }: Used): PageBounds {
    const bounds = new PageBounds();
    bounds.#cells = cells;
    bounds.#links = links;
    return bounds;
  }

  get used(): Used {
    return { cells: this.#cells, links: this.#links };
  }

  get cut(): string | null {
    return this.#cut;
  }

  /** Returns the number of rows of a table of this width that fit. */
  rowsThatFit(rows: number, width: number): number {
    const fitting = Math.min(rows, Math.floor((maxCells - this.#cells) / width));
    this.#cells += fitting * width;
    if (fitting < rows) this.#cut ??= `its tables have more than ${maxCells} cells`;
    return fitting;
  }

  /** Whether another link fits. */
  fitsLink(): boolean {
    if (this.#links === maxLinks) this.#cut ??= `it has more than ${maxLinks} links`;
    else this.#links += 1;
    return this.#cut === null;
  }
}

/** The used part of the bounds. */
export interface Used {
  readonly cells: number;
  readonly links: number;
}
