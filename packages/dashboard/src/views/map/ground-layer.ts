import { toScreen } from "./camera.ts";
import { dimmedShare, type Sight } from "./dots-layer.ts";
import type { MapFile } from "./map-file.ts";
import type { Palette } from "./palette.ts";

/** Bundles that are drawn, of those in the file. */
const mostBundles = 60;
/** Pixels: of the strongest bundle, and of all together. */
const widestBundle = 11;
const allWidths = 150;

/** Regions of the second level are drawn from this radius on, in pixels, and in full from twice as much. */
const leastInner = 14;

interface GroundLook {
  readonly palette: Palette;
  readonly isDark: boolean;
  /** Whether some pages stand out, so that all else is to be paler. */
  readonly isDimmed: boolean;
}

/** Draws the regions as pale circles. */
export function drawRegions(
  context: CanvasRenderingContext2D,
  map: MapFile,
  { camera, size }: Sight,
  { palette, isDimmed }: GroundLook,
): void {
  const strength = isDimmed ? 0.45 : 1;
  for (const [number, region] of map.regions.entries()) {
    const radius = region.radius * camera.scale;
    const [x, y] = toScreen(camera, size, region.x, region.y);
    const isInSight = x + radius > 0 && x - radius < size.width && y + radius > 0 && y - radius < size.height;
    const { fill, line, width } = region.parent === null ? strokes.outer : strokes.inner;
    const share = region.parent === null ? 1 : Math.min(1, Math.max(0, radius / leastInner - 1));
    if (!isInSight || share === 0) continue;
    context.fillStyle = palette.css(region.parent ?? number);
    context.strokeStyle = context.fillStyle;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.globalAlpha = share * strength * fill;
    context.fill();
    context.globalAlpha = share * strength * line;
    context.lineWidth = width;
    context.stroke();
  }
  context.globalAlpha = 1;
}

const strokes = {
  outer: { fill: 0.125, line: 0.42, width: 1.2 },
  inner: { fill: 0.07, line: 0.22, width: 0.8 },
} as const;

/** Draws the links between regions, wider where there are more, from rim to rim. They begin and end softly. */
export function drawBundles(
  context: CanvasRenderingContext2D,
  map: MapFile,
  { camera, size }: Sight,
  { palette, isDark, isDimmed, strength }: GroundLook & { strength: number },
): void {
  const drawn = map.bundles.slice(0, mostBundles);
  const most = drawn[0]?.links ?? 1;
  const shares = drawn.map(({ links }) => Math.sqrt(links / most));
  const widest = Math.min(widestBundle, allWidths / shares.reduce((sum, share) => sum + share, 0));
  context.globalAlpha = strength * (isDark ? 0.55 : 0.5) * (isDimmed ? 2 * dimmedShare : 1);
  // The strongest last, above the others.
  for (const [index, { from, to }] of [...drawn.entries()].toReversed()) {
    const [a, b] = [map.regions[from], map.regions[to]];
    if (a === undefined || b === undefined) continue;
    const distance = Math.hypot(b.x - a.x, b.y - a.y);
    if (distance === 0) continue;
    const [begin, end] = [within(a.radius / distance), 1 - within(b.radius / distance)];
    const along = (share: number) =>
      toScreen(camera, size, a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share);
    const [[fromX, fromY], [toX, toY]] = [along(begin), along(end)];
    const gradient = context.createLinearGradient(fromX, fromY, toX, toY);
    const [first, second] = [palette.css(from), palette.css(to)];
    gradient.addColorStop(0, faded(first));
    gradient.addColorStop(0.25, first);
    gradient.addColorStop(0.75, second);
    gradient.addColorStop(1, faded(second));
    context.strokeStyle = gradient;
    context.lineWidth = 0.8 + Math.max(0, widest - 0.8) * (shares[index] ?? 0);
    context.beginPath();
    context.moveTo(fromX, fromY);
    const [midX, midY] = bend(fromX, fromY, toX, toY);
    context.quadraticCurveTo(midX, midY, toX, toY);
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** The share of the way between two regions at which a bundle begins: within the first one, and before the middle. */
const within = (radius: number) => Math.min(0.62 * radius, 0.45);

const faded = (css: string) => css.replace(")", " / 0)");

/** The middle of a curve, a little to the side. It does not depend on the direction. */
function bend(fromX: number, fromY: number, toX: number, toY: number): readonly [number, number] {
  const side = fromX < toX ? 0.12 : -0.12;
  return [(fromX + toX) / 2 - (toY - fromY) * side, (fromY + toY) / 2 + (toX - fromX) * side];
}
