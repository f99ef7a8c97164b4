import { at, byteAt, startsOf } from "./columns.ts";
import type { NodeId } from "./node.ts";

/**
 * The ids of a graph's nodes as 128-bit numbers, four words each, most significant first, ascending.
 * A node's index is the rank of its id, so comparing indexes compares ids.
 */
export type NodeIds = Uint32Array;

export const wordsPerId = 4;

/** Packs ids given as bytes, in any order. */
export function packIds(bytes: Uint8Array): NodeIds {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = new Uint32Array(bytes.byteLength / 4);
  for (let word = 0; word < words.length; word += 1) words[word] = view.getUint32(word * 4);
  return words;
}

/** Throws a RangeError unless the ids ascend. */
export function assertAscending(ids: NodeIds): void {
  for (let index = 1; index < ids.length / wordsPerId; index += 1) {
    const order = compareIds(ids, index - 1, ids, index);
    if (order === 0) throw new RangeError(`node ${idAt(ids, index)} is given twice`);
    if (order > 0) throw new RangeError(`node ${idAt(ids, index)} is out of order`);
  }
}

/** The index of a node, -1 if the graph has no such node. */
export function indexOf(ids: NodeIds, id: NodeId): number {
  if (!readWanted(id)) return -1;
  const index = lowerBound(ids);
  return isWantedAt(ids, index) ? index : -1;
}

/** Counts the nodes with this id or a lower one. The graph need not have the id. */
export function countUpTo(ids: NodeIds, id: NodeId): number {
  if (!readWanted(id)) throw new RangeError(`${id} is not a node id`);
  const index = lowerBound(ids);
  return isWantedAt(ids, index) ? index + 1 : index;
}

/** The id that is being looked up. All lookups share it: see the rule on scratch memory at `Graph`. */
const wanted = new Uint32Array(wordsPerId);

/** The first index whose id does not come before the wanted one. */
function lowerBound(ids: NodeIds): number {
  let low = 0;
  let high = ids.length / wordsPerId;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareIds(ids, middle, wanted, 0) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isWantedAt(ids: NodeIds, index: number): boolean {
  return index * wordsPerId < ids.length && compareIds(ids, index, wanted, 0) === 0;
}

/** Reads a lower-case UUID with dashes into `wanted`; false if the text is none. */
function readWanted(id: string): boolean {
  if (id.length !== 36) return false;
  let digits = 0;
  let word = 0;
  for (let position = 0; position < 36; position += 1) {
    const unit = id.charCodeAt(position);
    if (position === 8 || position === 13 || position === 18 || position === 23) {
      if (unit !== dash) return false;
      continue;
    }
    const digit = hexDigit(unit);
    if (digit < 0) return false;
    word = (word << 4) | digit;
    digits += 1;
    if (digits % 8 === 0) wanted[digits / 8 - 1] = word;
  }
  return true;
}

const dash = 0x2d;

function hexDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  if (unit >= 0x61 && unit <= 0x66) return unit - 0x57;
  return -1;
}

export function isNil(ids: NodeIds, index: number): boolean {
  const start = index * wordsPerId;
  return (at(ids, start) | at(ids, start + 1) | at(ids, start + 2) | at(ids, start + 3)) === 0;
}

/** Negative if the id at `index` comes before the one at `position` among others. */
function compareIds(ids: NodeIds, index: number, others: NodeIds, position: number): number {
  for (let word = 0; word < wordsPerId; word += 1) {
    const difference = at(ids, index * wordsPerId + word) - at(others, position * wordsPerId + word);
    if (difference !== 0) return difference;
  }
  return 0;
}

export function idAt(ids: NodeIds, index: number): NodeId {
  return format(ids, index, dashed);
}

/** An id as URLs have it, without dashes. */
export function undashedIdAt(ids: NodeIds, index: number): string {
  return format(ids, index, undashed);
}

/** Scratch memory for an id as text, and where the two digits of each byte go. */
interface IdFormat {
  readonly text: Buffer;
  readonly slots: Uint8Array;
}

const dashed: IdFormat = {
  text: Buffer.alloc(36, "-"),
  slots: Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34),
};
const undashed: IdFormat = {
  text: Buffer.alloc(32),
  slots: Uint8Array.from({ length: 16 }, (_, n) => 2 * n),
};
const hexadecimal = Buffer.from("0123456789abcdef");

/** Makes a flat string: a concatenation would have to be flattened when an answer is written, which takes twice as long. */
function format(ids: NodeIds, index: number, { text, slots }: IdFormat): string {
  for (let byte = 0; byte < 16; byte += 1) {
    const word = at(ids, index * wordsPerId + (byte >>> 2));
    const value = (word >>> (24 - 8 * (byte & 3))) & 0xff;
    const slot = byteAt(slots, byte);
    text[slot] = byteAt(hexadecimal, value >>> 4);
    text[slot + 1] = byteAt(hexadecimal, value & 0xf);
  }
  return text.toString("latin1");
}

/** Looks up the id at a position among other ids: the index of that node, -1 if the graph has no such node. */
export type IdLookup = (among: NodeIds, position: number) => number;

/**
 * A lookup for millions of ids: a table says where ids with the same leading bits start, and a binary search finds the id
 * among those. They are few, because ids are mostly random; if they are not, this is an ordinary binary search.
 */
export function idLookup(ids: NodeIds): IdLookup {
  const count = ids.length / wordsPerId;
  const bits = Math.max(1, Math.ceil(Math.log2(count + 1)));
  const shift = 32 - Math.min(bits, 24);
  const prefixes = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) prefixes[index] = at(ids, index * wordsPerId) >>> shift;
  const starts = startsOf(prefixes, 2 ** (32 - shift));
  return (among, position) => {
    const prefix = at(among, position * wordsPerId) >>> shift;
    let low = at(starts, prefix);
    let high = at(starts, prefix + 1);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareIds(ids, middle, among, position);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  };
}
