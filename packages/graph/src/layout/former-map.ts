import { at, floatAt, sortByKeys, unitAt } from "../columns.ts";
import { type NodeIds, wordsPerId } from "../node-ids.ts";
import type { Circles } from "./arrangement.ts";
import { mapWidth } from "./region-circles.ts";
import { noRegion, type Regions } from "./regions.ts";
import type { Remembered, Slots } from "./slots.ts";

/**
 * The state of a map that the next one needs, so that places stay. A page is known by 32 bits that follow from its id: two
 * in ten thousand pages of a million share theirs, and may then be taken for each other, which only moves them.
 */
export interface FormerMap {
  /** The keys of the pages, ascending. */
  readonly keys: Uint32Array;
  /** The innermost region and the slot of each page. */
  readonly homes: Uint16Array;
  readonly slots: Uint32Array;
  readonly parents: Uint16Array;
  /** The number of pages of each region when its slots were last numbered. */
  readonly numberedFor: Uint32Array;
  /** The circles of the regions, in units of the map. */
  readonly circles: Circles;
}

/** Scrambles 32 bits, one to one (the finalizer of MurmurHash3). */
export function mixed(bits: number): number {
  let hash = bits ^ (bits >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** 32 bits that follow from a page's id. */
export function keyOf(ids: NodeIds, node: number): number {
  let key = 0;
  for (let word = 0; word < wordsPerId; word += 1) key = mixed(key ^ at(ids, node * wordsPerId + word));
  return key;
}

const formatVersion = 1;
const headerBytes = 12;
const regionBytes = 14;
const pageBytes = 10;

/** Writes the state of a map. `pageKeys` has the key of each page by its position. */
export function writeFormer(
  pageKeys: Uint32Array,
  { parents, homes }: Regions,
  slots: Slots,
  { xs, ys, radii }: Circles,
): Uint8Array {
  const order = sortedByKey(pageKeys);
  const size = headerBytes + parents.length * regionBytes + order.length * pageBytes;
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, formatVersion, true);
  view.setUint32(4, parents.length, true);
  view.setUint32(8, order.length, true);
  let offset = headerBytes;
  parents.forEach((parent, region) => {
    view.setUint16(offset, parent, true);
    view.setUint32(offset + 2, at(slots.numberedFor, region), true);
    view.setUint16(offset + 6, toUnit(floatAt(xs, region)), true);
    view.setUint16(offset + 8, toUnit(floatAt(ys, region)), true);
    view.setFloat32(offset + 10, floatAt(radii, region), true);
    offset += regionBytes;
  });
  for (const page of order) {
    view.setUint32(offset, at(pageKeys, page), true);
    view.setUint16(offset + 4, unitAt(homes, page), true);
    view.setUint32(offset + 6, at(slots.of, page), true);
    offset += pageBytes;
  }
  return bytes;
}

const toUnit = (coordinate: number) => Math.max(0, Math.min(mapWidth, Math.round(coordinate)));

/** Reads the state of a map; null if another version of Clew wrote it, so that the next map starts anew. */
export function readFormer(bytes: Uint8Array): FormerMap | null {
  if (bytes.byteLength < headerBytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [regions, pages] = [view.getUint32(4, true), view.getUint32(8, true)];
  const size = headerBytes + regions * regionBytes + pages * pageBytes;
  if (view.getUint32(0, true) !== formatVersion || bytes.byteLength !== size) return null;
  const former = {
    keys: new Uint32Array(pages),
    homes: new Uint16Array(pages),
    slots: new Uint32Array(pages),
    parents: new Uint16Array(regions),
    numberedFor: new Uint32Array(regions),
    circles: {
      xs: new Float64Array(regions),
      ys: new Float64Array(regions),
      radii: new Float64Array(regions),
    },
  };
  let offset = headerBytes;
  for (let region = 0; region < regions; region += 1) {
    former.parents[region] = view.getUint16(offset, true);
    former.numberedFor[region] = view.getUint32(offset + 2, true);
    former.circles.xs[region] = view.getUint16(offset + 6, true);
    former.circles.ys[region] = view.getUint16(offset + 8, true);
    former.circles.radii[region] = view.getFloat32(offset + 10, true);
    offset += regionBytes;
  }
  for (let page = 0; page < pages; page += 1) {
    former.keys[page] = view.getUint32(offset, true);
    former.homes[page] = view.getUint16(offset + 4, true);
    former.slots[page] = view.getUint32(offset + 6, true);
    offset += pageBytes;
  }
  return former;
}

function sortedByKey(keys: Uint32Array): Uint32Array {
  const pages = new Uint32Array(keys.length).map((_, page) => page);
  const bits = 0x1_0000;
  const byLow = sortByKeys(
    pages,
    keys.map((key) => key % bits),
    bits,
  );
  return sortByKeys(
    byLow,
    byLow.map((page) => at(keys, page) >>> 16),
    bits,
  );
}

/** Finds the pages of a graph on a former map. */
export function remembered(former: FormerMap, pageKeys: Uint32Array): Remembered {
  const homes = new Uint16Array(pageKeys.length).fill(noRegion);
  const slots = new Uint32Array(pageKeys.length);
  const order = sortedByKey(pageKeys);
  let index = 0;
  for (const page of order) {
    const key = at(pageKeys, page);
    while (index < former.keys.length && at(former.keys, index) < key) index += 1;
    if (index === former.keys.length) break;
    if (at(former.keys, index) !== key) continue;
    homes[page] = unitAt(former.homes, index);
    slots[page] = at(former.slots, index);
    // A page is remembered once.
    index += 1;
  }
  return { homes, slots };
}
