import { keyOf, neighboursOf, type Scene } from "./scene.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Positions = ReadonlyMap<string, Point>;

const rounds = 240;
/** The distance at which links are at rest. */
const reach = 90;
/** The strengths with which pages push each other away, links pull, and everything is drawn to the middle. */
const push = 520;
const pull = 0.07;
const gravity = 0.012;

/**
 * Computes the place of each page of a scene. Places follow from the ids and links alone, so a scene always looks the same.
 * Pages in `kept` stay where they are, and new ones find their places around them. A scene has at most 300 pages, so every
 * pair of pages is summed.
 */
export function layOut(scene: Scene, kept: Positions = new Map()): Positions {
  const bodies = startOf(scene, kept);
  const byId = new Map(bodies.map((body) => [body.id, body]));
  // Sums of fractions depend on their order.
  const edges = scene.edges.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const links = edges.flatMap(({ from, to }) => {
    const [a, b] = [byId.get(from), byId.get(to)];
    return a === undefined || b === undefined || a === b ? [] : [{ a, b }];
  });
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, body] of bodies.entries()) pushApart(body, bodies, index + 1);
    for (const { a, b } of links) pullTogether(a, b);
    for (const body of bodies) move(body, 30 * (1 - round / rounds) + 0.5);
  }
  if (scene.isGrouped) for (let round = 0; round < rounds; round += 1) separate(bodies);
  return new Map(bodies.map(({ id, x, y }) => [id, { x, y }]));
}

/** Pushes bodies apart that would cover each other or the name below a group. */
function separate(bodies: readonly Body[]): void {
  for (const [index, a] of bodies.entries()) for (const b of bodies.slice(index + 1)) keepApart(a, b);
}

function keepApart(a: Body, b: Body): void {
  const x = b.x - a.x || 0.01;
  const y = b.y - a.y || 0.01;
  const distance = Math.hypot(x, y);
  const missing = a.room + b.room - distance;
  if (missing <= 0) return;
  const share = (missing / distance) * (a.isFixed || b.isFixed ? 1 : 0.5);
  if (!a.isFixed) [a.x, a.y] = [a.x - x * share, a.y - y * share];
  if (!b.isFixed) [b.x, b.y] = [b.x + x * share, b.y + y * share];
}

/** A page while it finds its place: where it is, and where it is drawn to. */
interface Body {
  readonly id: string;
  readonly isFixed: boolean;
  /** The distance that others keep from it. */
  readonly room: number;
  x: number;
  y: number;
  dx: number;
  dy: number;
}

/** Pages where they were, and new ones around what they hang on, in a direction that follows from their ids. */
function startOf({ center, nodes, edges }: Scene, kept: Positions): readonly Body[] {
  const near = neighboursOf(edges);
  const placed = new Map<string, Point>();
  const sorted = [...nodes].toSorted(([a, { depth }], [b, other]) => depth - other.depth || (a < b ? -1 : 1));
  const nearest = sorted.filter(([, { depth }]) => depth === 1).map(([id]) => id);
  return sorted.map(([id, { depth, group }]) => {
    const anchor = [...(near.get(id) ?? [])].toSorted().find((each) => placed.has(each));
    const { x, y } = (depth > 1 ? placed.get(anchor ?? center) : undefined) ?? { x: 0, y: 0 };
    const distance = [0, reach * 1.4][depth] ?? reach * 0.8;
    // The nearest pages begin as an even ring.
    const angle = depth === 1 ? (nearest.indexOf(id) / nearest.length) * 2 * Math.PI : turnOf(id);
    const start = kept.get(id) ?? { x: x + Math.cos(angle) * distance, y: y + Math.sin(angle) * distance };
    placed.set(id, start);
    const room = group === undefined ? 11 : 26 + Math.min(44, 0.72 * Math.sqrt(group.count));
    return { id, ...start, dx: 0, dy: 0, room, isFixed: kept.has(id) || id === center };
  });
}

/** Pushes a body away from those after it, and draws it to the middle. */
function pushApart(a: Body, bodies: readonly Body[], next: number): void {
  a.dx -= a.x * gravity;
  a.dy -= a.y * gravity;
  for (let other = next; other < bodies.length; other += 1) {
    const b = bodies[other];
    if (b === undefined || (a.isFixed && b.isFixed)) continue;
    const x = b.x - a.x || 0.01;
    const y = b.y - a.y || 0.01;
    const force = push / Math.max(25, x * x + y * y) ** 1.25;
    a.dx -= x * force;
    a.dy -= y * force;
    b.dx += x * force;
    b.dy += y * force;
  }
}

function pullTogether(a: Body, b: Body): void {
  const x = b.x - a.x;
  const y = b.y - a.y;
  const distance = Math.hypot(x, y) || 1;
  const force = ((distance - reach) / distance) * pull;
  a.dx += x * force;
  a.dy += y * force;
  b.dx -= x * force;
  b.dy -= y * force;
}

/** Moves a body to where it is drawn, at most so far at once. */
function move(body: Body, most: number): void {
  const length = Math.hypot(body.dx, body.dy) || 1;
  const step = body.isFixed ? 0 : Math.min(length, most) / length;
  body.x += body.dx * step;
  body.y += body.dy * step;
  body.dx = 0;
  body.dy = 0;
}

/** An angle that follows from an id. */
function turnOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return ((hash >>> 0) / 2 ** 32) * 2 * Math.PI;
}

/** A rectangle around points and their names. */
export function boundsOf(positions: Iterable<Point>, labels: readonly Label[], margin = 60) {
  const all = [...positions];
  const ys = all.map(({ y }) => y);
  const left = Math.min(...all.map(({ x }) => x - margin), ...labels.map(({ x, half }) => x - half));
  const right = Math.max(...all.map(({ x }) => x + margin), ...labels.map(({ x, half }) => x + half));
  const top = Math.min(...ys) - margin;
  return { x: left, y: top, width: right - left, height: Math.max(...ys) + margin - top };
}

export type Arrow = keyof typeof directions;

/** The nearest point in a direction; null if there is none. */
export function nextInDirection(
  from: Point,
  others: ReadonlyMap<string, Point>,
  direction: Arrow,
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
  /** About half of its width. */
  readonly half: number;
}

/** The width of most characters, of one in Chinese, Japanese or Korean, and the height of a line, in units of the picture. */
const characterWidth = 6.6;
const wideWidth = 12;
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
    const half = widthOf(text) / 2;
    const y = point.y + radius + 13;
    const box = { left: point.x - half, right: point.x + half, y };
    const isCovered = boxes.some(
      (each) => Math.abs(each.y - y) < lineHeight && each.left < box.right && box.left < each.right,
    );
    if (isCovered) continue;
    boxes.push(box);
    labels.push({ id, text, x: point.x, y, half });
  }
  return labels;
}

const isWide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (isWide.test(character) ? wideWidth : characterWidth), 0);

function shortened(title: string): string {
  const characters = [...title];
  return characters.length <= mostCharacters ? title : `${characters.slice(0, mostCharacters - 1).join("")}…`;
}
