import { at } from "./column.ts";
import type { NodeId } from "./node-id.ts";

/**
 * The ids of a graph's nodes as 128-bit numbers, four words each, most significant first, ascending.
 * A node's index is the rank of its id: comparing indexes compares ids.
 */
export type NodeIds = Uint32Array;

export const wordsPerId = 4;
const dash = 0x2d;

/** Packs ids that come as their bytes, in whatever order. */
export function packIds(bytes: Uint8Array): NodeIds {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = new Uint32Array(bytes.byteLength / 4);
  for (let word = 0; word < words.length; word += 1) words[word] = view.getUint32(word * 4);
  return words;
}

/** The bytes of ids, 16 each. Throws a RangeError where one is not a lower-case UUID with dashes. */
export function bytesOfIds(ids: readonly NodeId[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(ids.length * 16));
  ids.forEach((id, index) => {
    if (!readWords(id, sought, 0)) throw new RangeError(`${id} is not a node id`);
    sought.forEach((word, place) => {
      view.setUint32(index * 16 + place * 4, word);
    });
  });
  return new Uint8Array(view.buffer);
}

/** Throws a RangeError unless the ids ascend. */
export function assertAscending(ids: NodeIds): void {
  for (let index = 1; index < ids.length / wordsPerId; index += 1) {
    const order = compareIds(ids, index - 1, ids, index);
    if (order === 0) throw new RangeError(`node ${idAt(ids, index)} is given twice`);
    if (order > 0) throw new RangeError(`node ${idAt(ids, index)} is out of order`);
  }
}

/** The index of a node, -1 where the graph has none of that id. */
export function indexOf(ids: NodeIds, id: NodeId): number {
  if (!readWords(id, sought, 0)) return -1;
  const index = lowerBound(ids);
  return index * wordsPerId < ids.length && compareIds(ids, index, sought, 0) === 0 ? index : -1;
}

/** How many nodes have an id that does not come after this one, whether or not the graph has it. */
export function countUpTo(ids: NodeIds, id: NodeId): number {
  if (!readWords(id, sought, 0)) throw new RangeError(`${id} is not a node id`);
  const index = lowerBound(ids);
  return index * wordsPerId < ids.length && compareIds(ids, index, sought, 0) === 0 ? index + 1 : index;
}

/** Four hexadecimal digits of each 16-bit number: answers are full of ids, so writing one must be cheap. */
const quads = Array.from({ length: 0x1_0000 }, (_, number) => number.toString(16).padStart(4, "0"));

export function idAt(ids: NodeIds, index: number): NodeId {
  const start = index * wordsPerId;
  const [a, b, c, d] = [at(ids, start), at(ids, start + 1), at(ids, start + 2), at(ids, start + 3)];
  return `${high(a)}${low(a)}-${high(b)}-${low(b)}-${high(c)}-${low(c)}${high(d)}${low(d)}`;
}

const high = (word: number) => quads[word >>> 16];
const low = (word: number) => quads[word & 0xffff];

/** The id that is being looked up; look-ups are synchronous, so they share it. */
const sought = new Uint32Array(wordsPerId);

function lowerBound(ids: NodeIds): number {
  let low = 0;
  let high = ids.length / wordsPerId;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareIds(ids, middle, sought, 0) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether this is the nil UUID. */
export function isNil(ids: NodeIds, index: number): boolean {
  const start = index * wordsPerId;
  return (at(ids, start) | at(ids, start + 1) | at(ids, start + 2) | at(ids, start + 3)) === 0;
}

/** Compares an id with one among others: below zero where it comes first. */
export function compareIds(ids: NodeIds, index: number, others: NodeIds, position: number): number {
  for (let word = 0; word < wordsPerId; word += 1) {
    const difference = at(ids, index * wordsPerId + word) - at(others, position * wordsPerId + word);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Reads a UUID into four words; false where it is none. */
function readWords(id: string, words: Uint32Array, offset: number): boolean {
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
    if (digits % 8 === 0) words[offset + digits / 8 - 1] = word;
  }
  return true;
}

function hexDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  if (unit >= 0x61 && unit <= 0x66) return unit - 0x57;
  return -1;
}
