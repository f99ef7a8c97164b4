import { isDark, onAppearance } from "../../ui/appearance.ts";
import { type Camera, fitted, panned, type Size, toMap, toScreen, zoomed } from "./camera.ts";
import { drawLabels, type Lit } from "./label-layer.ts";
import { labelled, type MapFile, nodeAt } from "./map-file.ts";
import type { MapNames, MapPage } from "./map-names.ts";
import { createPainter, type Painter } from "./painter.ts";

const mostLabels = 36;

/** Milliseconds without a movement after which labels are chosen anew. */
const settleMs = 160;

/** Pixels around a pointer within which a page is picked. */
const pickRadius = 10;

/** The elements that a map is drawn in. */
interface Stage {
  readonly box: HTMLElement;
  readonly ground: HTMLCanvasElement;
  readonly labels: HTMLCanvasElement;
}

interface Listeners {
  /** Called with the page that is lit, once its title is known. */
  readonly onPage: (page: MapPage | null) => void;
  /** Called with whether the browser can draw the map. */
  readonly onWebGl: (hasWebGl: boolean) => void;
}

/** A map as it is drawn: the part that is in sight, its labels, and the page that is lit. Draws at most once per frame. */
export class MapPicture {
  readonly #map: MapFile;
  readonly #names: MapNames;
  readonly #listeners: Listeners;
  #stage: Stage | null = null;
  #painter: Painter | null = null;
  /** Null before the size is known. */
  #camera: Camera | null = null;
  #size: Size = { width: 1, height: 1 };
  /** Whether everything is in sight, and is to stay so when the window changes its size. */
  #isWhole = true;
  #frame = 0;
  #settling: ReturnType<typeof setTimeout> | undefined;
  /** The positions of the pages that have labels. */
  #shown: readonly number[] = [];
  #lit: Lit | null = null;

  constructor(map: MapFile, names: MapNames, listeners: Listeners) {
    this.#map = map;
    this.#names = names;
    this.#listeners = listeners;
  }

  /** The position of the page that is lit. */
  get lit(): number | null {
    return this.#lit?.position ?? null;
  }

  /** Draws in these elements from now on. Returns a function that ends it. */
  attach(stage: Stage): () => void {
    this.#stage = stage;
    const { box, ground } = stage;
    const start = () => {
      this.#painter = createPainter(ground, this.#map);
      this.#listeners.onWebGl(this.#painter !== null);
      this.#redraw();
    };
    const lose = (event: Event) => {
      event.preventDefault();
      this.#painter = null;
    };
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const [x, y] = offsetIn(box, event);
      const { width, height } = this.#size;
      this.move((camera) => zoomed(camera, 2 ** (-event.deltaY / 300), x - width / 2, y - height / 2));
    };
    const redraw = () => this.#redraw();
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) this.#resize(entry.contentRect);
    });
    ground.addEventListener("webglcontextlost", lose);
    ground.addEventListener("webglcontextrestored", start);
    box.addEventListener("wheel", wheel, { passive: false });
    const stopFollowing = onAppearance(redraw);
    start();
    observer.observe(box);
    return () => {
      observer.disconnect();
      ground.removeEventListener("webglcontextlost", lose);
      ground.removeEventListener("webglcontextrestored", start);
      box.removeEventListener("wheel", wheel);
      stopFollowing();
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
      clearTimeout(this.#settling);
      this.#stage = null;
    };
  }

  /** Shows another part of the map, and chooses the labels once it rests. */
  move(change: (camera: Camera) => Camera): void {
    if (this.#camera === null) return;
    this.#camera = change(this.#camera);
    this.#isWhole = false;
    this.#redraw();
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => void this.#label(), settleMs);
  }

  /** Shows all of the map. */
  fit(): void {
    this.#camera = fitted(this.#map, this.#size);
    this.move((same) => same);
    this.#isWhole = true;
  }

  /** Zooms around a page, or around the middle without one. */
  zoomAt(position: number | null, factor: number): void {
    this.move((camera) => {
      if (position === null) return zoomed(camera, factor);
      const { width, height } = this.#size;
      const [x, y] = toScreen(camera, this.#size, ...this.#map.place(position));
      return zoomed(camera, factor, x - width / 2, y - height / 2);
    });
  }

  /** Moves the map by a number of pixels. */
  pan(dx: number, dy: number): void {
    this.move((camera) => panned(camera, dx, dy));
  }

  /** The position of the page below a pointer. */
  pageAt(pointer: Pointer): number | null {
    if (this.#camera === null || this.#stage === null) return null;
    const [x, y] = toMap(this.#camera, this.#size, ...offsetIn(this.#stage.box, pointer));
    return nodeAt(this.#map, x, y, pickRadius / this.#camera.scale);
  }

  /** The position of the page that is nearest to the middle of the picture. */
  middlePage(): number | null {
    if (this.#camera === null) return null;
    return nodeAt(this.#map, this.#camera.x, this.#camera.y, Number.POSITIVE_INFINITY);
  }

  /** Lights a page with its links, and tells its title. */
  async light(position: number | null): Promise<void> {
    if (this.lit === position) return;
    this.#lit = position === null ? null : { position, linked: [] };
    this.#redraw();
    if (position === null) return this.#listeners.onPage(null);
    const page = await this.#names.page(position);
    if (this.lit !== position || page === null) return;
    this.#listeners.onPage(page);
    this.#redraw();
    const linked = await this.#names.linkedWith(page);
    if (this.lit !== position) return;
    this.#lit = { position, linked };
    this.#redraw();
  }

  #resize({ width, height }: Size): void {
    this.#size = { width, height };
    if (this.#isWhole || this.#camera === null) this.fit();
    else this.move((same) => same);
  }

  /** Chooses the pages that have labels, and loads their titles. */
  async #label(): Promise<void> {
    const [camera, size] = [this.#camera, this.#size];
    if (camera === null) return;
    const isInSight = (x: number, y: number) => {
      const [left, top] = toScreen(camera, size, x, y);
      return left > 0 && left < size.width && top > 0 && top < size.height;
    };
    this.#shown = labelled(this.#map, isInSight, mostLabels);
    this.#redraw();
    await this.#names.load(this.#shown);
    this.#redraw();
  }

  #redraw(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#frame = 0;
    const [stage, camera] = [this.#stage, this.#camera];
    if (stage === null || camera === null) return;
    this.#painter?.draw(camera, this.#size, window.devicePixelRatio, isDark());
    drawLabels(stage.labels, {
      map: this.#map,
      camera,
      size: this.#size,
      positions: this.#shown,
      titleOf: (position) => this.#names.known(position)?.title,
      lit: this.#lit,
    });
  }
}

/** The position of a pointer in the window. */
export interface Pointer {
  readonly clientX: number;
  readonly clientY: number;
}

function offsetIn(element: Element, { clientX, clientY }: Pointer): readonly [number, number] {
  const { left, top } = element.getBoundingClientRect();
  return [clientX - left, clientY - top];
}
