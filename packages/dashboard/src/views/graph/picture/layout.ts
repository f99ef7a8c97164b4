import { neighboursOf, type Scene } from "./scene.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Positions = ReadonlyMap<string, Point>;

const rounds = 240;
/** The distance at which links are at rest. */
const reach = 90;
/** How strongly pages push each other away, links pull, and everything is drawn to the middle. */
const push = 5_200;
const pull = 0.07;
const gravity = 0.012;

/**
 * Where each page of a scene stands. It follows from the ids and links alone, so a scene always looks the same. Pages in
 * `kept` stay where they are, and new ones find their places around them. At most 300 pages need no cleverer sum.
 */
export function layOut({ center, nodes, edges }: Scene, kept: Positions = new Map()): Positions {
  const near = neighboursOf(edges);
  const placed = new Map<string, Point>();
  const points = [...nodes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .toSorted(([, a], [, b]) => a.depth - b.depth)
    .map(([id, { depth }]) => {
      const angle = turnOf(id);
      const anchor = [...(near.get(id) ?? [])].toSorted().find((each) => placed.has(each));
      const { x, y } = (depth > 1 ? placed.get(anchor ?? center) : undefined) ?? { x: 0, y: 0 };
      const distance = depth === 0 ? 0 : depth === 1 ? reach * 1.4 : reach * 0.8;
      const start = kept.get(id) ?? { x: x + Math.cos(angle) * distance, y: y + Math.sin(angle) * distance };
      placed.set(id, start);
      return { id, ...start, dx: 0, dy: 0, isFixed: kept.has(id) || id === center };
    });
  const indexes = new Map(points.map(({ id }, index) => [id, index]));
  const links = edges.flatMap(({ from, to }) => {
    const a = points[indexes.get(from) ?? -1];
    const b = points[indexes.get(to) ?? -1];
    return a === undefined || b === undefined || a === b ? [] : [{ a, b }];
  });
  for (let round = 0; round < rounds; round += 1) {
    const heat = 1 - round / rounds;
    for (const [index, a] of points.entries()) {
      a.dx -= a.x * gravity;
      a.dy -= a.y * gravity;
      for (let other = index + 1; other < points.length; other += 1) {
        const b = points[other];
        if (b === undefined || (a.isFixed && b.isFixed)) continue;
        const x = b.x - a.x || 0.01;
        const y = b.y - a.y || 0.01 * (index - other);
        const force = push / Math.max(25, x * x + y * y) ** 1.25;
        a.dx -= x * force * 0.1;
        a.dy -= y * force * 0.1;
        b.dx += x * force * 0.1;
        b.dy += y * force * 0.1;
      }
    }
    for (const { a, b } of links) {
      const x = b.x - a.x;
      const y = b.y - a.y;
      const distance = Math.hypot(x, y) || 1;
      const force = ((distance - reach) / distance) * pull;
      a.dx += x * force;
      a.dy += y * force;
      b.dx -= x * force;
      b.dy -= y * force;
    }
    for (const point of points) {
      const length = Math.hypot(point.dx, point.dy) || 1;
      const step = Math.min(length, 30 * heat + 0.5) / length;
      if (!point.isFixed) {
        point.x += point.dx * step;
        point.y += point.dy * step;
      }
      point.dx = 0;
      point.dy = 0;
    }
  }
  return new Map(points.map(({ id, x, y }) => [id, { x, y }]));
}

/** An angle that follows from an id. */
function turnOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return ((hash >>> 0) / 2 ** 32) * 2 * Math.PI;
}

/** A rectangle around points, with room for their names. */
export function boundsOf(positions: Iterable<Point>, margin = 60) {
  const all = [...positions];
  const xs = all.map(({ x }) => x);
  const ys = all.map(({ y }) => y);
  const left = Math.min(...xs) - margin;
  const top = Math.min(...ys) - margin;
  return { x: left, y: top, width: Math.max(...xs) + margin - left, height: Math.max(...ys) + margin - top };
}

/** The nearest point in a direction; null where there is none. */
export function nextInDirection(
  from: Point,
  others: ReadonlyMap<string, Point>,
  direction: "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight",
): string | null {
  const { x: dx, y: dy } = directions[direction];
  let best: { id: string; cost: number } | null = null;
  for (const [id, { x, y }] of others) {
    const along = (x - from.x) * dx + (y - from.y) * dy;
    const aside = Math.abs((x - from.x) * dy - (y - from.y) * dx);
    if (along <= 0.5 || aside > along * 2) continue;
    const cost = along + aside * 2;
    if (best === null || cost < best.cost) best = { id, cost };
  }
  return best?.id ?? null;
}

const directions = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** A name in a picture. */
export interface Label {
  readonly id: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** How wide a character is at most places, and how high a line, in units of the picture. */
const characterWidth = 6.6;
const lineHeight = 15;
const mostCharacters = 24;

/** The names that fit without covering each other, the first ones before others. */
export function placeLabels(
  names: readonly { readonly id: string; readonly title: string; readonly radius: number }[],
  positions: Positions,
): readonly Label[] {
  const labels: Label[] = [];
  const boxes: { left: number; right: number; y: number }[] = [];
  for (const { id, title, radius } of names) {
    const point = positions.get(id);
    if (point === undefined) continue;
    const text = shortened(title);
    const half = ([...text].length * characterWidth) / 2;
    const y = point.y + radius + 13;
    const box = { left: point.x - half, right: point.x + half, y };
    const isCovered = boxes.some(
      (each) => Math.abs(each.y - y) < lineHeight && each.left < box.right && box.left < each.right,
    );
    if (isCovered) continue;
    boxes.push(box);
    labels.push({ id, text, x: point.x, y });
  }
  return labels;
}

export function shortened(title: string): string {
  const characters = [...title];
  return characters.length <= mostCharacters ? title : `${characters.slice(0, mostCharacters - 1).join("")}…`;
}
