import type { Random } from "@clew/stand-in/testing/random";
import { cell } from "./cell.ts";
import { below, shuffle, weighted } from "./random.ts";

/** References in columns, grouped by source node; those of node n begin at `offsets[n]`. */
export interface ReferenceColumns {
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  /** 0: mention, 1: link, 2 and above: relation, 2 plus the index of its property. */
  readonly kinds: Uint8Array;
}

/** Shares of mentions, links and relations. */
const kindShares = [0.3, 0.4, 0.3];
/** Number of properties that have relations. */
export const propertyCount = 24;
/** Share of a hub's references that lead to it: pages link to projects and people more often than these link back. */
const towardsHub = 0.9;

/** Generates references until nearly every node has the number of edges that `room` still allows. */
export function generateReferences(
  random: Random,
  room: Uint32Array,
  hubs: readonly number[],
): ReferenceColumns {
  const ends = room.reduce((sum, left) => sum + left, 0);
  const pairs = { from: new Uint32Array(ends), to: new Uint32Array(ends), count: 0 };
  const add = (from: number, to: number) => {
    pairs.from[pairs.count] = from;
    pairs.to[pairs.count] = to;
    pairs.count += 1;
  };
  joinHubs(random, room, hubs, add);
  joinRest(random, room, add);
  return inColumns(random, room.length, pairs);
}

type Add = (from: number, to: number) => void;

/** Connects each hub with as many distinct ordinary nodes as it has room for. */
function joinHubs(random: Random, room: Uint32Array, hubs: readonly number[], add: Add): void {
  const isHub = new Set(hubs);
  const others = shuffle(random, Uint32Array.from(room.keys().filter((node) => !isHub.has(node))));
  for (const hub of hubs) {
    // A stride that is coprime to the number of nodes visits each node once.
    const stride = coprime(below(random, others.length), others.length);
    let at = below(random, others.length);
    for (let looked = 0; looked < others.length && cell(room, hub) > 0; looked += 1) {
      at = (at + stride) % others.length;
      const other = cell(others, at);
      if (cell(room, other) === 0) continue;
      room[other] = cell(room, other) - 1;
      room[hub] = cell(room, hub) - 1;
      if (random() < towardsHub) add(other, hub);
      else add(hub, other);
    }
    room[hub] = 0;
  }
}

function coprime(from: number, size: number): number {
  let stride = Math.max(1, from);
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  while (divisor(size, stride) !== 1) stride += 1;
  return stride;
}

/** Connects the remaining ends at random. */
function joinRest(random: Random, room: Uint32Array, add: Add): void {
  const ends = new Uint32Array(room.reduce((sum, left) => sum + left, 0));
  let filled = 0;
  room.forEach((left, node) => {
    ends.fill(node, filled, filled + left);
    filled += left;
  });
  shuffle(random, ends);
  for (let end = 0; end + 1 < ends.length; end += 2) {
    const [from, to] = [cell(ends, end), cell(ends, end + 1)];
    if (from !== to) add(from, to);
  }
}

interface Pairs {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly count: number;
}

function inColumns(random: Random, size: number, { from, to, count }: Pairs): ReferenceColumns {
  const offsets = new Uint32Array(size + 1);
  for (let pair = 0; pair < count; pair += 1)
    offsets[cell(from, pair) + 1] = cell(offsets, cell(from, pair) + 1) + 1;
  for (let node = 0; node < size; node += 1)
    offsets[node + 1] = cell(offsets, node + 1) + cell(offsets, node);
  const next = offsets.slice();
  const targets = new Uint32Array(count);
  for (let pair = 0; pair < count; pair += 1) {
    const place = cell(next, cell(from, pair));
    next[cell(from, pair)] = place + 1;
    targets[place] = cell(to, pair);
  }
  const kinds = Uint8Array.from(targets, () => {
    const kind = weighted(random, kindShares);
    return kind < 2 ? kind : 2 + Math.floor(propertyCount * random() ** 2);
  });
  return { offsets, targets, kinds };
}
