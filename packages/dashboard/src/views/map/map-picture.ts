import {
  between,
  type Camera,
  fitted,
  fittedTo,
  type Place,
  panned,
  type Size,
  toMap,
  toScreen,
  zoomed,
} from "./camera.ts";
import { DotsLayer, type Look, type Sight } from "./dots-layer.ts";
import { drawMap, type Scene } from "./draw-map.ts";
import { type Area, pagesToName } from "./labels.ts";
import type { Pairs } from "./links-layer.ts";
import { at, type MapFile } from "./map-file.ts";
import type { MapNames } from "./map-names.ts";
import { type Marks, namesOf, noMarks } from "./marks.ts";
import { PageIndex } from "./page-index.ts";

/** Milliseconds without a movement after which names and links are chosen anew. */
const settleMs = 140;
const flightMs = 300;

/** Links of single pages fade in from this radius of a usual dot on, in pixels, and are there at twice as much. */
const linksFrom = 3;
/** Pages whose links among each other are drawn, of those in sight. */
const mostLinkedPages = 200;

/** A map as it is drawn: the part in sight, what has a name there, and what stands out. Draws at most once per frame. */
export class MapPicture {
  readonly #map: MapFile;
  readonly #names: MapNames;
  readonly #onRest: (place: Place | null) => void;
  readonly index: PageIndex;
  readonly #dots: DotsLayer;
  /** The radius of a usual dot, as a fraction of the map. */
  readonly #usualRadius: number;
  #canvas: HTMLCanvasElement | null = null;
  /** The parts of the page that lie over the picture. */
  #covers: () => readonly Area[] = () => [];
  #look: Look | null = null;
  /** Null before the size is known. */
  #camera: Camera | null = null;
  #size: Size = { width: 0, height: 0 };
  /** Whether everything is in sight, and is to stay so when the window changes its size. */
  #isWhole = true;
  /** A place that was asked for before the size was known. */
  #wanted: ((size: Size) => Camera) | null = null;
  #frame = 0;
  #isMoving = false;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #flight: { readonly from: Camera; readonly to: Camera; readonly start: number } | null = null;
  #named: readonly number[] = [];
  /** The links in sight: those within each region, and for null those between regions. */
  #pairs: ReadonlyMap<number | null, Pairs> = new Map();
  #linksRequest = new AbortController();
  #marks = noMarks;

  constructor(map: MapFile, names: MapNames, onRest: (place: Place | null) => void) {
    this.#map = map;
    this.#names = names;
    this.#onRest = onRest;
    this.index = new PageIndex(map);
    this.#dots = new DotsLayer(map, this.index);
    this.#usualRadius = map.count === 0 ? 0 : at(map.radii.toSorted(), map.count >> 1);
  }

  /** Draws on a canvas from now on. Returns a function that ends it. */
  attach(canvas: HTMLCanvasElement, covers: () => readonly Area[]): () => void {
    this.#canvas = canvas;
    this.#covers = covers;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) this.#resize(entry.contentRect);
    });
    observer.observe(canvas);
    // The observer's first answer comes with the next frame, and keys may come before it.
    this.#resize(canvas.getBoundingClientRect());
    return () => {
      observer.disconnect();
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
      clearTimeout(this.#settling);
      this.#linksRequest.abort();
      this.#canvas = null;
    };
  }

  set look(look: Look) {
    const isFiltered = this.#look?.shown !== look.shown || this.#look.sought !== look.sought;
    this.#look = look;
    if (isFiltered) this.#settle(0);
    this.redraw();
  }

  /** Changes what stands out. */
  mark(changes: Partial<Marks>): void {
    this.#marks = { ...this.#marks, ...changes };
    this.redraw();
    void this.#names.load(namesOf(this.#marks)).then(() => this.redraw());
  }

  get marks(): Marks {
    return this.#marks;
  }

  /** Shows another part of the map. */
  move(change: (camera: Camera) => Camera): void {
    if (this.#camera === null) return;
    this.#flight = null;
    this.#isWhole = false;
    this.#show(change(this.#camera));
  }

  pan(dx: number, dy: number): void {
    this.move((camera) => panned(camera, dx, dy));
  }

  /** Zooms around a point of the picture. */
  zoom(factor: number, x: number, y: number): void {
    const { width, height } = this.#size;
    const whole = fitted(this.#map, this.#size).scale;
    this.move((camera) => zoomed(camera, factor, x - width / 2, y - height / 2, whole));
  }

  /** Zooms towards a page, if there is one: without it soon none would be in sight. */
  zoomAround(page: number | null, factor: number): void {
    if (this.#camera === null) return;
    const { width, height } = this.#size;
    const { xs, ys } = this.#map;
    const [x, y] =
      page === null
        ? [width / 2, height / 2]
        : toScreen(this.#camera, this.#size, at(xs, page), at(ys, page));
    this.zoom(factor, x, y);
  }

  /** Shows everything. */
  fit(): void {
    this.#fly(fitted(this.#map, this.#size));
    this.#isWhole = true;
  }

  /** Flies to a page and what is around it, or to several pages. */
  flyTo(pages: readonly number[]): void {
    if (pages.length === 0) return;
    this.#whenSized((size) => {
      const { xs, ys } = this.#map;
      const [left, right] = range(pages.map((page) => at(xs, page)));
      const [top, bottom] = range(pages.map((page) => at(ys, page)));
      // A single page is shown with what is around it.
      const around = (pages.length === 1 ? 24 : 8) * this.#usualRadius;
      const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
      const free = this.#free();
      const covered = { ...noCover, right: size.width - free.right, bottom: size.height - free.bottom };
      return fittedTo(middle, right - left + around, bottom - top + around, size, covered);
    });
  }

  /** Shows a place at once. */
  show({ x, y, zoom }: Place): void {
    this.#whenSized((size) => ({ x, y, scale: fitted(this.#map, size).scale * 2 ** zoom }), true);
  }

  /** Moves the map as far as is needed to have a page in sight, and not below a panel. */
  reveal(page: number): void {
    if (this.#camera === null) return;
    const [x, y] = toScreen(this.#camera, this.#size, at(this.#map.xs, page), at(this.#map.ys, page));
    const { width, height } = this.#size;
    const { right, bottom } = this.#free();
    const margin = Math.min(60, right / 4, bottom / 4);
    const dx = Math.max(0, margin - x) - Math.max(0, x - right + margin);
    const dy = Math.max(0, margin - y) - Math.max(0, y - bottom + margin);
    if (dx === 0 && dy === 0) return;
    // Far away, it is better in the middle than at the edge.
    const isFar = Math.abs(dx) > width / 2 || Math.abs(dy) > height / 2;
    this.#fly(panned(this.#camera, isFar ? right / 2 - x : dx, isFar ? bottom / 2 - y : dy));
  }

  /** The part of the picture beside or above a panel. */
  #free(): { readonly right: number; readonly bottom: number } {
    const { width, height } = this.#size;
    let [right, bottom] = [width, height];
    for (const cover of this.#covers()) {
      if (cover.right - cover.left > 0.8 * width && cover.bottom > 0.8 * height)
        bottom = Math.min(bottom, cover.top);
      else if (cover.bottom - cover.top > 0.3 * height && cover.left > width / 2)
        right = Math.min(right, cover.left);
    }
    return { right, bottom };
  }

  /** The page at a point of the picture, within `reach` pixels; null for none. */
  pageAt(x: number, y: number, reach: number): number | null {
    if (this.#camera === null) return null;
    const [mapX, mapY] = toMap(this.#camera, this.#size, x, y);
    return this.index.nearest(mapX, mapY, reach / this.#camera.scale);
  }

  /** The most important page near the middle of the picture. */
  middlePage(): number | null {
    const { width, height } = this.#size;
    for (let reach = 40; reach < 4 * Math.max(width, height); reach *= 2) {
      const found = this.pageAt(width / 2, height / 2, reach);
      if (found !== null) return found;
    }
    return null;
  }

  /** The picture as a PNG with twice as many pixels, without what lies over it. Null if the browser cannot make it. */
  async png(): Promise<Blob | null> {
    const [camera, size, look] = [this.#camera, this.#size, this.#look];
    const canvas = document.createElement("canvas");
    const ratio = Math.max(2, window.devicePixelRatio);
    [canvas.width, canvas.height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    const context = canvas.getContext("2d");
    if (context === null || camera === null || look === null) return null;
    const dots = new DotsLayer(this.#map, this.index);
    this.#paint(context, { camera, size, ratio }, { look, dots, covered: [] });
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }

  redraw(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame((now) => this.#draw(now));
  }

  #whenSized(cameraFor: (size: Size) => Camera, isAtOnce = false): void {
    if (this.#camera === null) {
      this.#wanted = cameraFor;
      return;
    }
    if (isAtOnce) this.move(() => cameraFor(this.#size));
    else this.#fly(cameraFor(this.#size));
  }

  #fly(to: Camera): void {
    this.#isWhole = false;
    if (this.#camera === null || window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#flight = null;
      this.#show(to);
      return;
    }
    this.#flight = { from: this.#camera, to, start: performance.now() };
    this.#isMoving = true;
    this.redraw();
  }

  #show(camera: Camera): void {
    this.#camera = camera;
    this.#isMoving = true;
    this.redraw();
    this.#settle(settleMs);
  }

  #settle(ms: number): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => void this.#rest(), ms);
  }

  #resize({ width, height }: Size): void {
    if (width === 0 || height === 0) return;
    if (width === this.#size.width && height === this.#size.height) return;
    this.#size = { width, height };
    if (this.#wanted !== null) {
      this.#camera = this.#wanted(this.#size);
      this.#wanted = null;
      this.#isWhole = false;
    } else if (this.#isWhole || this.#camera === null) this.#camera = fitted(this.#map, this.#size);
    this.redraw();
    this.#settle(this.#named.length === 0 ? 0 : settleMs);
  }

  /** Chooses the pages that have names, and loads these and the links in sight. */
  async #rest(): Promise<void> {
    const sight = this.#sight();
    if (sight === null) return;
    this.#isMoving = false;
    const { camera, size } = sight;
    const zoom = Math.log2(camera.scale / fitted(this.#map, size).scale);
    this.#onRest(this.#isWhole ? null : { x: camera.x, y: camera.y, zoom });
    this.#named = pagesToName(this.#map, this.index, sight, this.#look?.sought ?? this.#look?.shown ?? null);
    this.redraw();
    this.#linksRequest.abort();
    this.#linksRequest = new AbortController();
    const { signal } = this.#linksRequest;
    await this.#names.load(this.#named);
    this.redraw();
    if (this.#linkStrength(camera) === 0 || signal.aborted) return;
    try {
      const pairs = await this.#names.linksAmong(this.#mostImportantIn(sight), signal);
      if (signal.aborted) return;
      const { tops = new Uint8Array() } = this.#look ?? {};
      this.#pairs = Map.groupBy(pairs, ([from, to]) =>
        at(tops, from) === at(tops, to) ? at(tops, from) : null,
      );
      this.redraw();
    } catch {
      // The picture is right without them; they are asked for again when it rests next.
    }
  }

  #linkStrength({ scale }: Camera): number {
    return Math.min(1, Math.max(0, (this.#usualRadius * scale) / linksFrom - 1));
  }

  #mostImportantIn({ camera, size }: Sight): readonly number[] {
    const [left, top] = toMap(camera, size, 0, 0);
    const [right, bottom] = toMap(camera, size, size.width, size.height);
    const found: number[] = [];
    this.index.forEachNear({ left, top, right, bottom }, (page) => found.push(page));
    const { radii } = this.#map;
    return found.sort((a, b) => at(radii, b) - at(radii, a) || a - b).slice(0, mostLinkedPages);
  }

  #sight(): Sight | null {
    if (this.#camera === null || this.#size.width === 0) return null;
    return { camera: this.#camera, size: this.#size, ratio: window.devicePixelRatio };
  }

  #draw(now: number): void {
    this.#frame = 0;
    if (this.#flight !== null) this.#continueFlight(this.#flight, now);
    const [canvas, sight, look] = [this.#canvas, this.#sight(), this.#look];
    if (canvas === null || sight === null || look === null) return;
    const { size, ratio } = sight;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) return;
    const isUpToDate = this.#paint(context, sight, { look, dots: this.#dots, covered: this.#covers() });
    if (!isUpToDate) this.redraw();
  }

  #continueFlight({ from, to, start }: { from: Camera; to: Camera; start: number }, now: number): void {
    const share = Math.min(1, Math.max(0, (now - start) / flightMs));
    if (share < 1) {
      this.#camera = between(from, to, share);
      this.redraw();
    } else {
      this.#flight = null;
      this.#show(to);
    }
  }

  /** Draws the map as it is now. Returns whether the dots are those of this sight. */
  #paint(
    context: CanvasRenderingContext2D,
    sight: Sight,
    { look, dots, covered }: Pick<Scene, "look" | "dots" | "covered">,
  ): boolean {
    return drawMap(context, sight, {
      map: this.#map,
      look,
      dots,
      isMoving: this.#isMoving,
      links: this.#pairs,
      linkStrength: this.#linkStrength(sight.camera),
      marks: this.#marks,
      named: this.#named,
      titleOf: (page) => this.#names.known(page)?.title,
      covered,
    });
  }
}

const noCover = { top: 0, right: 0, bottom: 0, left: 0 };

const range = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const;
