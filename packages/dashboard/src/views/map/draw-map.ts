import { toScreen } from "./camera.ts";
import { type DotsLayer, dotRadius, type Look, type Sight } from "./dots-layer.ts";
import { drawBundles, drawRegions } from "./ground-layer.ts";
import { type Area, drawLabels, placeLabels } from "./labels.ts";
import { drawLinks, drawPath, drawRing, type Pairs } from "./links-layer.ts";
import { at, type MapFile } from "./map-file.ts";
import { firstNamed, linkedNamed, type Marks } from "./marks.ts";

/** A map as it is to be drawn. */
export interface Scene {
  readonly map: MapFile;
  readonly look: Look;
  readonly dots: DotsLayer;
  /** While it moves, the dots may be those of an earlier sight. */
  readonly isMoving: boolean;
  /** The links in sight: those within each region, and for null those between regions. */
  readonly links: ReadonlyMap<number | null, Pairs>;
  /** How much of these links shows, from 0 to 1. */
  readonly linkStrength: number;
  readonly marks: Marks;
  /** The pages in sight that have names, beside those that stand out. */
  readonly named: readonly number[];
  readonly titleOf: (page: number) => string | undefined;
  /** The parts of the page that lie over the picture. */
  readonly covered: readonly Area[];
}

/** The share that is left of other pages while a path is drawn. */
const besidePath = 0.4;

/** Draws all layers of a map, from the ground up. Returns whether the dots are those of this sight. */
export function drawMap(context: CanvasRenderingContext2D, sight: Sight, scene: Scene): boolean {
  const { size, ratio } = sight;
  const { map, look, marks, named, titleOf, covered, linkStrength } = scene;
  const { theme } = look;
  const hasPath = marks.path.length > 0;
  const isDimmed = look.shown !== null || hasPath;
  const ground = { palette: look.ground, isDark: theme.isDark, isDimmed };
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, size.width, size.height);
  drawRegions(context, map, sight, ground);
  drawBundles(context, map, sight, { ...ground, strength: 1 - 0.6 * linkStrength });
  if (linkStrength > 0) drawLinksInSight(context, sight, scene, isDimmed);
  context.globalAlpha = hasPath ? besidePath : 1;
  const isUpToDate = scene.dots.draw(context, sight, look, scene.isMoving);
  context.globalAlpha = 1;
  drawMarks(context, sight, scene);
  const pages = {
    first: firstNamed(marks),
    linked: linkedNamed(marks),
    pages: hasPath ? [] : named,
    titleOf,
  };
  drawLabels(context, placeLabels(context, map, sight, pages, { theme, covered }), look.ground, theme);
  return isUpToDate;
}

function drawLinksInSight(
  context: CanvasRenderingContext2D,
  sight: Sight,
  { map, look, links, linkStrength }: Scene,
  isDimmed: boolean,
): void {
  context.lineWidth = 1;
  for (const [region, pairs] of links) {
    // Links between regions are many and long; the bundles say the same more quietly.
    const isWithin = region !== null;
    context.strokeStyle = isWithin ? look.ground.css(region) : look.theme.ink;
    context.globalAlpha = linkStrength * (isDimmed ? 0.25 : 1) * (isWithin ? 0.5 : 0.07);
    drawLinks(context, map, look.tops, sight, pairs);
  }
  context.globalAlpha = 1;
}

function drawMarks(context: CanvasRenderingContext2D, sight: Sight, { map, look, marks }: Scene): void {
  const { hovered, selected, visited, linked, path, lit } = marks;
  const { theme, tops } = look;
  for (const page of lit) drawGlow(context, map, sight, page);
  const from = hovered ?? selected;
  if (from !== null && linked.length > 0 && path.length === 0) {
    context.strokeStyle = theme.thread;
    context.globalAlpha = 0.75;
    context.lineWidth = 1.4;
    const pairs = linked.filter((to) => to !== from).map((to) => [from, to] as const);
    drawLinks(context, map, tops, sight, pairs);
    context.globalAlpha = 1;
    context.lineWidth = 1.6;
    for (const [, page] of pairs) drawRing(context, map, sight, page, 2);
  }
  if (path.length > 0) drawPath(context, map, tops, sight, path, theme);
  for (const page of new Set([hovered, selected, visited])) {
    if (page === null) continue;
    for (const [colour, width] of [
      [theme.paper, 6],
      [theme.thread, page === hovered && page !== selected ? 2 : 3],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      drawRing(context, map, sight, page, 4);
    }
  }
}

/** Draws a soft light around a page. */
function drawGlow(
  context: CanvasRenderingContext2D,
  map: MapFile,
  { camera, size }: Sight,
  { position, colour, strength }: Marks["lit"][number],
): void {
  const [x, y] = toScreen(camera, size, at(map.xs, position), at(map.ys, position));
  const radius = dotRadius(map, position, camera.scale);
  context.fillStyle = colour;
  for (const [spread, alpha] of [
    [14, 0.18],
    [8, 0.3],
    [2, 0.9],
  ] as const) {
    context.globalAlpha = alpha * strength;
    context.beginPath();
    context.arc(x, y, radius + spread, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
}
