import { toMap, toScreen } from "./camera.ts";
import { dotRadii, dotRadius, type Sight } from "./dots-layer.ts";
import { at, type MapFile, type Region } from "./map-file.ts";
import type { MapTheme } from "./map-theme.ts";
import type { PageIndex } from "./page-index.ts";
import type { Palette } from "./palette.ts";

/** A rectangle of the picture in CSS pixels. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The names that a picture may have. */
export interface Wanted {
  /** Pages whose names come before all others. */
  readonly first: readonly number[];
  /** The pages that those are linked with. Their names come after those of regions. */
  readonly linked: readonly number[];
  /** Further pages, the most important ones first. */
  readonly pages: readonly number[];
  titleOf(page: number): string | undefined;
}

/** A name where it is written. */
export interface Label {
  readonly text: string;
  readonly font: string;
  readonly x: number;
  readonly y: number;
  readonly align: "left" | "center" | "right";
  readonly area: Area;
  readonly kind: "region" | "inner" | "page" | "linked" | "first";
  /** The number of the colour of a region. */
  readonly colour: number;
}

/** A name has at least this much room. */
const room = { width: 90, height: 24 } as const;
/** The least distance between pages that are named, in pixels of the screen. */
const spacing = { x: 128, y: 48 } as const;
const mostPages = 100;
const longest = { region: 44, inner: 34, page: 30, linked: 36, first: 60 } as const;

/** Regions of the second level have names from this radius on, in pixels; those of the first level from the other on. */
const leastRadius = { region: 16, inner: 46 } as const;

/**
 * The pages to name: in each cell of a grid over the map the most important one, important ones first. The grid belongs to the map and
 * not to the window, so that names stay while the map is moved.
 */
export function pagesToName(
  map: MapFile,
  index: PageIndex,
  { camera, size }: Sight,
  shown: Uint8Array | null,
): readonly number[] {
  const step = 2 ** (Math.floor(Math.log2(camera.scale) * 2) / 2);
  const [cellWidth, cellHeight] = [spacing.x / step, spacing.y / step];
  const [left, top] = toMap(camera, size, 0, 0);
  const [right, bottom] = toMap(camera, size, size.width, size.height);
  const best = new Map<number, number>();
  const { xs, ys, radii } = map;
  // Whole cells: the edge of the window does not decide which page of a cell is named.
  const around = {
    left: left - cellWidth,
    top: top - cellHeight,
    right: right + cellWidth,
    bottom: bottom + cellHeight,
  };
  index.forEachNear(around, (page) => {
    const [x, y] = [at(xs, page), at(ys, page)];
    if (shown !== null && at(shown, page) === 0) return;
    const cell = Math.floor(y / cellHeight) * 65_536 + Math.floor(x / cellWidth);
    const before = best.get(cell);
    if (before === undefined || at(radii, page) > at(radii, before)) best.set(cell, page);
  });
  const isInSight = (page: number) =>
    at(xs, page) >= left && at(xs, page) <= right && at(ys, page) >= top && at(ys, page) <= bottom;
  return [...best.values()]
    .filter(isInSight)
    .sort((a, b) => at(radii, b) - at(radii, a) || a - b)
    .slice(0, mostPages);
}

/** The part of a canvas that knows how wide a text is. */
interface Measure {
  font: string;
  measureText(text: string): { readonly width: number };
}

/** Places names where they fit: never one over another, and none in `covered`. */
export function placeLabels(
  context: Measure,
  map: MapFile,
  sight: Sight,
  { first, linked, pages, titleOf }: Wanted,
  { theme, covered }: { theme: MapTheme; covered: readonly Area[] },
): readonly Label[] {
  const taken: Area[] = [...covered];
  const labels: Label[] = [];
  const add = (label: Label | null): boolean => {
    if (label === null || taken.some((other) => meets(other, label.area))) return false;
    taken.push(widened(label.area));
    labels.push(label);
    return true;
  };
  const write = (kind: Label["kind"], name: string, most: number = longest[kind]) => {
    const text = shortened(name, Math.min(most, longest[kind]));
    context.font = fontOf(kind, theme);
    return { text, font: context.font, kind, half: context.measureText(text).width / 2 };
  };
  const addPage = (kind: "page" | "linked" | "first", page: number) => {
    const title = titleOf(page);
    if (title === undefined || title === "") return;
    const written = write(kind, title);
    for (const label of besideDot(map, sight, page, written)) if (add(label)) return;
  };
  for (const page of first) addPage("first", page);
  const named = [...map.regions.entries()].sort(([, a], [, b]) => b.radius - a.radius);
  for (const [number, region] of named)
    if (region.parent === null)
      add(atTop(sight, region, number, write("region", region.name, lettersFor(sight, region))));
  for (const [, region] of named) {
    // One that is named like the region around it says nothing new.
    if (region.parent === null || map.regions[region.parent]?.name === region.name) continue;
    add(atTop(sight, region, region.parent, write("inner", region.name, lettersFor(sight, region))));
  }
  const done = new Set([...first, ...linked]);
  for (const page of linked) addPage("linked", page);
  for (const page of pages) if (!done.has(page)) addPage("page", page);
  return labels;
}

/** The letters of a region's name that are about as wide as the region. */
const lettersFor = ({ camera }: Sight, { radius }: Region): number =>
  Math.floor(Math.max(170, 2.6 * radius * camera.scale) / 8.5);

interface Written {
  readonly text: string;
  readonly font: string;
  readonly kind: Label["kind"];
  /** Half of its width. */
  readonly half: number;
}

const heights = { region: 20, inner: 15, page: 15, linked: 15, first: 18 } as const;

/** The name of a region at its top, like that of a country: on its rim, where no page is. If that is out of sight, at the edge of the picture. */
function atTop({ camera, size }: Sight, region: Region, colour: number, written: Written): Label | null {
  const radius = region.radius * camera.scale;
  if (radius < leastRadius[written.kind === "inner" ? "inner" : "region"] || written.text === "") return null;
  const [x, y] = toScreen(camera, size, region.x, region.y);
  const edge = heights[written.kind] / 2 + 4;
  const rim = y - radius;
  if (rim >= edge) {
    const inside = clamp(x, written.half + 4, size.width - written.half - 4);
    const near = Math.abs(inside - x) < radius ? inside : x;
    return labelAt(written, { x: near, y: rim, align: "center", colour }, size);
  }
  // Held at the edge as long as the region is below it, and as wide as its name there.
  const chord = Math.sqrt(Math.max(0, radius * radius - (edge - y) ** 2));
  const [left, right] = [Math.max(0, x - chord), Math.min(size.width, x + chord)];
  if (y + radius / 2 < edge || right - left < 2 * written.half + 24) return null;
  const held = clamp(x, left + written.half + 12, right - written.half - 12);
  return labelAt(written, { x: held, y: edge, align: "center", colour }, size);
}

/** The places of a page's name, the best first: to the right of its dot, to the left, below, above. */
function* besideDot(map: MapFile, { camera, size }: Sight, page: number, written: Written) {
  const [x, y] = toScreen(camera, size, at(map.xs, page), at(map.ys, page));
  const radius = dotRadius(map, page, camera.scale);
  const gap = radius + 4;
  const below = { x, y: y + radius + 10, align: "center" } as const;
  const above = { x, y: y - radius - 10, align: "center" } as const;
  const right = { x: x + gap, y, align: "left" } as const;
  const left = { x: x - gap, y, align: "right" } as const;
  // A name under a large dot reads as its name; beside it, as that of the next one.
  const places = radius > dotRadii.most / 2 ? [below, above, right, left] : [right, left, below, above];
  for (const place of places) {
    const label = labelAt(written, { ...place, colour: 0 }, size);
    if (label !== null) yield label;
  }
}

/** How far a name reaches to the left of its point, in halves of its width. */
const shifts = { left: 0, center: 1, right: 2 } as const;

/** Null for a name that would not be wholly in the picture. */
function labelAt(
  { text, font, kind, half }: Written,
  { x, y, align, colour }: Pick<Label, "x" | "y" | "align" | "colour">,
  size: Sight["size"],
): Label | null {
  const left = x - half * shifts[align];
  const height = heights[kind];
  const area = { left: left - 2, top: y - height / 2, right: left + 2 * half + 2, bottom: y + height / 2 };
  if (area.left < 2 || area.right > size.width - 2 || area.top < 2 || area.bottom > size.height - 2)
    return null;
  return { text, font, x, y, align, area, kind, colour };
}

const meets = (a: Area, b: Area) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function widened({ left, top, right, bottom }: Area): Area {
  const dx = Math.max(0, room.width - (right - left)) / 2;
  const dy = Math.max(0, room.height - (bottom - top)) / 2;
  return { left: left - dx, top: top - dy, right: right + dx, bottom: bottom + dy };
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

function shortened(name: string, most: number): string {
  const letters = [...name];
  return letters.length <= most
    ? name
    : `${letters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

function fontOf(kind: Label["kind"], { titleFont: title, bodyFont: body }: MapTheme): string {
  if (kind === "region") return `700 16px ${title}`;
  if (kind === "inner") return `italic 600 12.5px ${title}`;
  if (kind === "first") return `600 13px ${body}`;
  return `${kind === "linked" ? 500 : 400} 11.5px ${body}`;
}

/** Writes names, each with a halo of the ground. */
export function drawLabels(
  context: CanvasRenderingContext2D,
  labels: readonly Label[],
  palette: Palette,
  { ink, paper }: MapTheme,
): void {
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.strokeStyle = paper;
  for (const { text, font, x, y, align, kind, colour } of labels) {
    context.font = font;
    context.textAlign = align;
    const isOfRegion = kind === "region" || kind === "inner";
    context.fillStyle = isOfRegion ? `color-mix(in oklab, ${palette.css(colour)} 45%, ${ink})` : ink;
    context.lineWidth = kind === "page" ? 3 : 4;
    context.globalAlpha = kind === "page" ? 0.75 : 0.9;
    context.strokeText(text, x, y);
    context.globalAlpha = kind === "page" ? 0.88 : 1;
    context.fillText(text, x, y);
  }
  context.globalAlpha = 1;
}
