/** The map of a workspace, as the server sends it. Places are fractions of the map's width and height. */
export interface MapFile {
  readonly graphVersion: number;
  readonly count: number;
  /** The bytes of the pages: six each. */
  readonly nodes: Uint8Array<ArrayBuffer>;
  readonly discs: readonly Disc[];
  place(position: number): readonly [x: number, y: number];
  radius(position: number): number;
}

/** A region of pages. */
export interface Disc {
  /** The position of the page that it is called by; the number of pages for none. */
  readonly position: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** The colour of its pages, 0 to 1. */
  readonly hue: number;
}

export const nodeBytes = 6;
const headerBytes = 40;
const regionBytes = 24;
const version = 2;
const none = 0xffff;
const width = 0xffff;

/** Reads a map. Throws a TypeError for bytes that are none. */
export function readMapFile(buffer: ArrayBuffer): MapFile {
  const view = new DataView(buffer);
  const magic = buffer.byteLength < headerBytes ? "" : String.fromCharCode(...new Uint8Array(buffer, 0, 4));
  if (magic !== "CMAP" || view.getUint16(4, true) !== version) throw new TypeError("the bytes are no map");
  const [first, count, regions, start] = [
    view.getUint16(6, true),
    view.getUint32(8, true),
    view.getUint16(20, true),
    view.getUint32(32, true),
  ];
  if (start + count * nodeBytes !== buffer.byteLength) throw new TypeError("the map is not whole");
  const offsetOf = (position: number) => start + position * nodeBytes;
  const discs = Array.from({ length: regions }, (_, region): Disc => {
    const offset = first + region * regionBytes;
    const parent = view.getUint16(offset + 8, true);
    return {
      position: view.getUint32(offset + 20, true),
      x: view.getUint16(offset, true) / width,
      y: view.getUint16(offset + 2, true) / width,
      radius: view.getUint16(offset + 4, true) / width,
      hue: (parent === none ? region : parent) / 255,
    };
  });
  return {
    graphVersion: view.getFloat64(12, true),
    count,
    nodes: new Uint8Array(buffer, start),
    discs,
    place: (position) => [
      view.getUint16(offsetOf(position), true) / width,
      view.getUint16(offsetOf(position) + 2, true) / width,
    ],
    radius: (position) => 2 ** (view.getUint8(offsetOf(position) + 4) / 8 - 16) / width,
  };
}

/** The page whose place is nearest to a point, within a distance or within its own radius; null if there is none. */
export function nodeAt(map: MapFile, x: number, y: number, reach: number): number | null {
  let [best, nearest]: [number | null, number] = [null, Number.POSITIVE_INFINITY];
  for (let position = 0; position < map.count; position += 1) {
    const [nodeX, nodeY] = map.place(position);
    const [dx, dy] = [nodeX - x, nodeY - y];
    const distance = dx * dx + dy * dy;
    if (distance >= nearest) continue;
    const within = Math.max(reach, map.radius(position));
    if (distance > within * within) continue;
    [best, nearest] = [position, distance];
  }
  return best;
}

/** The pages that labels are for: the largest in sight, some discs' and some others, apart from each other. */
export function labelled(
  map: MapFile,
  isInSight: (x: number, y: number) => boolean,
  most: number,
): readonly number[] {
  const found: number[] = [];
  for (const { position, x, y } of map.discs) {
    if (found.length >= most) return found;
    if (position < map.count && !found.includes(position) && isInSight(x, y)) found.push(position);
  }
  const rest: { position: number; radius: number }[] = [];
  const known = new Set(found);
  let least = 0;
  for (let position = 0; position < map.count; position += 1) {
    const radius = map.radius(position);
    if (radius <= least || known.has(position)) continue;
    const [x, y] = map.place(position);
    if (!isInSight(x, y)) continue;
    rest.push({ position, radius });
    if (rest.length < 4 * most) continue;
    rest.sort((a, b) => b.radius - a.radius).splice(most);
    least = rest.at(-1)?.radius ?? 0;
  }
  rest.sort((a, b) => b.radius - a.radius);
  return [...found, ...rest.map(({ position }) => position)].slice(0, most);
}
