import { at, type MapFile } from "./map-file.ts";

/** A rectangle of the map. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const pagesPerCell = 4;

/** The pages of a map by their places: a grid of cells over the map, and the pages of each cell. */
export class PageIndex {
  readonly #map: MapFile;
  /** Cells of a row, and rows. */
  readonly #side: number;
  readonly #starts: Uint32Array;
  readonly #pages: Uint32Array;

  constructor(map: MapFile) {
    this.#map = map;
    const { count, xs, ys } = map;
    this.#side = Math.max(1, Math.ceil(Math.sqrt(count / pagesPerCell)));
    this.#starts = new Uint32Array(this.#side * this.#side + 1);
    this.#pages = new Uint32Array(count);
    const cells = new Uint32Array(count);
    for (let page = 0; page < count; page += 1) {
      const cell = this.#column(at(ys, page)) * this.#side + this.#column(at(xs, page));
      cells[page] = cell;
      this.#starts[cell + 1] = at(this.#starts, cell + 1) + 1;
    }
    for (let cell = 1; cell < this.#starts.length; cell += 1)
      this.#starts[cell] = at(this.#starts, cell) + at(this.#starts, cell - 1);
    const next = this.#starts.slice();
    for (let page = 0; page < count; page += 1) {
      const cell = at(cells, page);
      this.#pages[at(next, cell)] = page;
      next[cell] = at(next, cell) + 1;
    }
  }

  #column(place: number): number {
    return Math.min(this.#side - 1, Math.max(0, Math.floor(place * this.#side)));
  }

  /** Calls `visit` with each page in the cells that a box touches: all pages in the box, and some around it. */
  forEachNear(box: Box, visit: (page: number) => void): void {
    const [left, right] = [this.#column(box.left), this.#column(box.right)];
    const [top, bottom] = [this.#column(box.top), this.#column(box.bottom)];
    for (let row = top; row <= bottom; row += 1) {
      const end = at(this.#starts, row * this.#side + right + 1);
      for (let index = at(this.#starts, row * this.#side + left); index < end; index += 1)
        visit(at(this.#pages, index));
    }
  }

  /** The page whose place is nearest to a point, within `reach` or within its own radius; null if there is none. */
  nearest(x: number, y: number, reach: number): number | null {
    let [best, least]: [number | null, number] = [null, Number.POSITIVE_INFINITY];
    const { xs, ys, radii } = this.#map;
    // A page is larger than the reach only where pages are few; the largest are looked for in a wider box.
    const around = Math.max(reach, 2 / this.#side);
    const box = { left: x - around, right: x + around, top: y - around, bottom: y + around };
    this.forEachNear(box, (page) => {
      const distance = Math.hypot(at(xs, page) - x, at(ys, page) - y);
      if (distance >= least || distance > Math.max(reach, at(radii, page))) return;
      [best, least] = [page, distance];
    });
    return best;
  }

  /**
   * The page that is nearest in a direction (a unit vector), seen from a page: within 45° to both sides, and the straighter
   * the nearer. Null if there is none.
   */
  inDirection(from: number, dx: number, dy: number): number | null {
    const { xs, ys } = this.#map;
    const [x, y] = [at(xs, from), at(ys, from)];
    for (let reach = 2 / this.#side; ; reach *= 2) {
      let [best, least]: [number | null, number] = [null, Number.POSITIVE_INFINITY];
      this.forEachNear({ left: x - reach, right: x + reach, top: y - reach, bottom: y + reach }, (page) => {
        const [toX, toY] = [at(xs, page) - x, at(ys, page) - y];
        const along = toX * dx + toY * dy;
        const across = Math.abs(toX * dy - toY * dx);
        if (page === from || along <= 0 || across > along) return;
        const cost = along + 2 * across;
        if (cost < least) [best, least] = [page, cost];
      });
      // Beyond the box there may be a nearer one until the box is as large as what was found.
      if (best !== null && least <= reach) return best;
      if (reach > 2) return best;
    }
  }
}
