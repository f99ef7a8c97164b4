import { type Camera, type Size, toScreen } from "./camera.ts";
import type { Disc, MapFile } from "./map-file.ts";

/** The layer above the drawn map: titles, and the links of one page. */
interface Labels {
  readonly map: MapFile;
  readonly camera: Camera;
  readonly size: Size;
  /** The pages to name, more important ones first. */
  readonly positions: readonly number[];
  titleOf(position: number): string | undefined;
  readonly lit: Lit | null;
}

export interface Lit {
  readonly position: number;
  readonly linked: readonly number[];
}

interface Colours {
  readonly ink: string;
  readonly ground: string;
  readonly thread: string;
}

const mostLinkedNames = 12;
const longestName = 28;

/** Points are drawn up to this radius. */
export const largestPoint = 22;

export function drawLabels(canvas: HTMLCanvasElement, labels: Labels): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const { size, lit, positions } = labels;
  const ratio = window.devicePixelRatio;
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  const colours = coloursOf(canvas);
  if (lit !== null) drawLinks(context, labels, lit, colours.thread);
  const first = lit === null ? [] : [lit.position, ...lit.linked.slice(0, mostLinkedNames)];
  drawNames(context, labels, new Set([...first, ...positions]), colours, getComputedStyle(canvas).fontFamily);
}

const placeOf = ({ map, camera, size }: Labels, position: number) =>
  toScreen(camera, size, ...map.place(position));

/** The radius of a page's point, in pixels. */
const pointOf = ({ map, camera }: Labels, position: number) =>
  Math.min(largestPoint, map.radius(position) * camera.scale);

function drawLinks(context: CanvasRenderingContext2D, labels: Labels, lit: Lit, colour: string): void {
  const [x, y] = placeOf(labels, lit.position);
  context.strokeStyle = colour;
  context.lineWidth = 1.2;
  context.globalAlpha = 0.75;
  context.beginPath();
  for (const other of lit.linked) {
    const [toX, toY] = placeOf(labels, other);
    context.moveTo(x, y);
    // Bent a little, always to the same side.
    context.quadraticCurveTo((x + toX) / 2 - (toY - y) * 0.12, (y + toY) / 2 + (toX - x) * 0.12, toX, toY);
  }
  context.stroke();
  context.globalAlpha = 1;
  context.lineWidth = 2;
  for (const position of [lit.position, ...lit.linked]) {
    const [ringX, ringY] = placeOf(labels, position);
    context.beginPath();
    context.arc(ringX, ringY, pointOf(labels, position) + 3, 0, 2 * Math.PI);
    context.stroke();
  }
}

interface Name {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly points: number;
  readonly half: number;
}

/** Writes names where they fit, and never one over another. */
function drawNames(
  context: CanvasRenderingContext2D,
  labels: Labels,
  positions: ReadonlySet<number>,
  { ink, ground, thread }: Colours,
  family: string,
): void {
  // Of regions that are called by one page, the outer one is named.
  const discs = new Map(labels.map.discs.toReversed().map((disc) => [disc.position, disc]));
  const taken: Name[] = [];
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.strokeStyle = ground;
  context.lineWidth = 3.5;
  for (const position of positions) {
    const title = labels.titleOf(position);
    if (title === undefined || title === "") continue;
    const isLit = position === labels.lit?.position;
    const name = nameAt(context, labels, position, { title, isLit, family, disc: discs.get(position) });
    if (taken.some((other) => isOver(other, name))) continue;
    taken.push(name);
    context.fillStyle = isLit ? thread : ink;
    context.strokeText(name.text, name.x, name.y);
    context.fillText(name.text, name.x, name.y);
  }
}

/** Sets the font of a name, and finds its place. */
function nameAt(
  context: CanvasRenderingContext2D,
  labels: Labels,
  position: number,
  { title, isLit, family, disc }: { title: string; isLit: boolean; family: string; disc: Disc | undefined },
): Name {
  const text = title.length > longestName ? `${title.slice(0, longestName - 1).trimEnd()}…` : title;
  const across = disc === undefined ? 0 : disc.radius * labels.camera.scale * 2;
  const points = isLit ? 14 : Math.min(16, Math.max(11, across / 16));
  context.font = `${across > 60 || isLit ? 600 : 400} ${points}px ${family}`;
  const half = context.measureText(text).width / 2 + 4;
  const { size, camera } = labels;
  if (disc !== undefined && !isLit && across > 2.2 * half && across < 1.6 * size.height) {
    // In the upper part of its disc, like the name of a country.
    const [x, y] = toScreen(camera, size, disc.x, disc.y);
    return { text, x, y: y - across * 0.34, points, half };
  }
  const [pointX, y] = placeOf(labels, position);
  // At the edge of the picture the whole name stays in it.
  const x = Math.min(Math.max(pointX, half), size.width - half);
  const above = disc !== undefined && across < 60 ? across / 2 : pointOf(labels, position);
  return { text, x, y: y - above - points * 0.8, points, half };
}

const isOver = (one: Name, other: Name) =>
  Math.abs(one.x - other.x) < one.half + other.half &&
  Math.abs(one.y - other.y) < (one.points + other.points) * 0.7;

/** The colours of the theme, as the browser resolves them. */
function coloursOf(element: HTMLElement): Colours {
  const resolved = (name: string) => {
    element.style.color = `var(${name})`;
    return getComputedStyle(element).color;
  };
  return { ink: resolved("--ink"), ground: resolved("--surface"), thread: resolved("--thread") };
}
