import { at, floatAt, identityOrder, sortByKeys, startsOf, unitAt } from "../columns.ts";
import { turned } from "./arrangement.ts";
import type { Regions } from "./regions.ts";

/**
 * The slots of pages in their regions. Slot i of m lies at i times the golden angle, at the root of (i + ½)/m of the radius: the slots
 * of a region lie evenly, the first in the middle.
 */
export interface Slots {
  /** The slot of each page. */
  readonly of: Uint32Array;
  /** The number of slots of each region. */
  readonly counts: Uint32Array;
  /** The number of pages of each region when its slots were last numbered. */
  readonly numberedFor: Uint32Array;
}

/** The facts that a former map has of the pages of a graph: their regions and slots, `noRegion` for pages that it did not have. */
export interface Remembered {
  readonly homes: Uint16Array;
  readonly slots: Uint32Array;
}

/** The facts that the order of pages in their regions follows from. */
export interface PageOrder {
  /** The position of each page among all, the most important first. */
  readonly ranks: Uint32Array;
  /** A key for each page: pages that are near each other by it lie near each other. */
  readonly line: Uint32Array;
}

/** The shares of a region's slots within which its pages lie: the most important in the middle, then others, then the rest. */
const tiers = [0, 1 / 16, 1 / 4, 1];

/** The slots of each tier: the first, and the one after the last. */
export const tierBounds = (count: number): readonly (readonly [from: number, to: number])[] =>
  tiers.slice(1).map((end, tier) => [Math.ceil(count * (tiers[tier] ?? 0)), Math.ceil(count * end)]);

/** Slots are numbered anew once there are this many times as many as when they last were. */
const mostGrown = 1.25;

/** Numbers the slots of all regions. */
export function numberedSlots(regions: Regions, order: PageOrder): Slots {
  const { parents, homes } = regions;
  const slots = {
    of: new Uint32Array(homes.length),
    counts: new Uint32Array(parents.length),
    numberedFor: new Uint32Array(parents.length),
  };
  for (const [region, pages] of pagesByHome(regions).entries()) numberRegion(region, pages, order, slots);
  return slots;
}

/**
 * Keeps the slots of the map before. New pages are at the rim, after all others. A region whose slots have become a quarter more,
 * or that has lost a quarter of its pages, is numbered anew.
 */
export function keptSlots(
  regions: Regions,
  order: PageOrder,
  before: Remembered & { readonly numberedFor: Uint32Array; readonly origins: Int32Array },
): Slots {
  const { parents, homes } = regions;
  const slots = {
    of: new Uint32Array(homes.length),
    counts: new Uint32Array(parents.length),
    numberedFor: new Uint32Array(parents.length),
  };
  for (const [region, pages] of pagesByHome(regions).entries()) {
    const origin = before.origins[region] ?? -1;
    const numberedFor = origin < 0 ? 0 : at(before.numberedFor, origin);
    const known = pages.filter((page) => unitAt(before.homes, page) === origin);
    let count = 0;
    for (const page of known) count = Math.max(count, at(before.slots, page) + 1);
    count += pages.length - known.length;
    if (count > mostGrown * numberedFor || pages.length * mostGrown < numberedFor) {
      numberRegion(region, pages, order, slots);
      continue;
    }
    let next = count - (pages.length - known.length);
    for (const page of pages) {
      const isKnown = unitAt(before.homes, page) === origin;
      slots.of[page] = isKnown ? at(before.slots, page) : next;
      if (!isKnown) next += 1;
    }
    slots.counts[region] = count;
    slots.numberedFor[region] = numberedFor;
  }
  return slots;
}

/** The pages of each region that are in none of its regions, in preorder. */
export function pagesByHome({ parents, homes }: Regions): Uint32Array[] {
  const count = parents.length;
  const keys = Uint32Array.from(homes);
  const pages = sortByKeys(identityOrder(homes.length), keys, count);
  const starts = startsOf(keys, count);
  return Array.from({ length: count }, (_, region) =>
    pages.subarray(at(starts, region), at(starts, region + 1)),
  );
}

/** In each tier, the pages in the order of their line get the slots in the order of their angles. */
function numberRegion(
  region: number,
  pages: Uint32Array,
  { ranks, line }: PageOrder,
  slots: { of: Uint32Array; counts: Uint32Array; numberedFor: Uint32Array },
): void {
  const { length } = pages;
  const byRank = pages.slice().sort((a, b) => at(ranks, a) - at(ranks, b));
  for (const [from, to] of tierBounds(length)) {
    const inTier = byRank.subarray(from, to).sort((a, b) => at(line, a) - at(line, b) || a - b);
    const angles = Float64Array.from(inTier, (_, index) => angleOf(from + index));
    const byAngle = identityOrder(inTier.length).sort((a, b) => floatAt(angles, a) - floatAt(angles, b));
    byAngle.forEach((slot, index) => {
      slots.of[at(inTier, index)] = from + slot;
    });
  }
  slots.counts[region] = length;
  slots.numberedFor[region] = length;
}

/** The golden angle as a share of a turn: 1 - 1/φ. */
const goldenShare = 0.381966011250105;

/** The angle of a slot as a share of a turn. */
const angleOf = (slot: number) => (slot * goldenShare) % 1;

/** The next step from a number of pages: steps of 6 %, so that a few more pages move none, and more only a little. */
export const roomFor = (pages: number): number => roomSteps.find((step) => step >= pages) ?? pages;

const roomSteps = stepsUpTo(2 ** 32);

function stepsUpTo(most: number): number[] {
  const steps = [1];
  for (let last = 1; last < most; ) {
    last = Math.ceil(last * 1.06);
    steps.push(last);
  }
  return steps;
}

/** The share of the slots that pages may take up where they find theirs by key. */
const mostTaken = 0.85;

/** The slots that a page chooses from: those at about the distance from the middle that it looks at. */
const choice = 24;

/**
 * The slots of pages without a map before: each page takes the free one that is nearest to a point that follows from its key, older
 * pages first. So hardly any page moves when others come, change or go. `keys` and `byAge` (oldest first) are those of pages, and
 * more important ones look further inside.
 */
export function hashedSlots(
  { parents, homes }: Regions,
  {
    keys,
    byAge,
    importance,
  }: { readonly keys: Uint32Array; readonly byAge: Uint32Array; readonly importance: Uint16Array },
): Slots {
  const pageCounts = new Uint32Array(parents.length);
  for (const home of homes) pageCounts[home] = at(pageCounts, home) + 1;
  const counts = pageCounts.map((count) => roomFor(Math.ceil(count / mostTaken)));
  const starts = new Float64Array(parents.length + 1);
  counts.forEach((count, region) => {
    starts[region + 1] = floatAt(starts, region) + count;
  });
  const isTaken = new Uint8Array(floatAt(starts, parents.length));
  const of = new Uint32Array(homes.length);
  for (const page of byAge) {
    const region = unitAt(homes, page);
    const slots = isTaken.subarray(floatAt(starts, region), floatAt(starts, region + 1));
    const slot = freeSlot(slots, at(keys, page), tierOf(unitAt(importance, page)));
    slots[slot] = 1;
    of[page] = slot;
  }
  return { of, counts, numberedFor: pageCounts };
}

/** The free slot of a tier that is nearest to a point by its angle; the next one further out if none is free. */
function freeSlot(isTaken: Uint8Array, key: number, tier: number): number {
  const [from, to] = tierBounds(isTaken.length)[tier] ?? [0, isTaken.length];
  const middle = from + Math.floor(((key % 0x1_0000) / 0x1_0000) * (to - from));
  const angle = (key >>> 16) / 0x1_0000;
  const first = Math.max(from, Math.min(middle - choice / 2, to - choice));
  let [best, nearest] = [-1, 1];
  for (let slot = first; slot < Math.min(to, first + choice); slot += 1) {
    const turn = Math.abs(angleOf(slot) - angle);
    const distance = Math.min(turn, 1 - turn);
    if (isTaken[slot] === 0 && distance < nearest) [best, nearest] = [slot, distance];
  }
  if (best >= 0) return best;
  let slot = middle;
  while (isTaken[slot] !== 0) slot = (slot + 1) % isTaken.length;
  return slot;
}

/** Pages above 95 of 100 others look in the middle, those above 80 around it. */
function tierOf(importance: number): number {
  if (importance >= 9_500) return 0;
  return importance >= 8_000 ? 1 : 2;
}

/** The unit vectors of slots: x and y in turn. */
export type SlotTurns = Float64Array;

/** The unit vectors of as many slots as any region has. */
export function slotTurns({ counts }: Slots): SlotTurns {
  const most = counts.reduce((largest, count) => Math.max(largest, count), 0);
  const turns = new Float64Array(2 * most);
  let [x, y] = [1, 0];
  for (let slot = 0; slot < most; slot += 1) {
    turns[2 * slot] = x;
    turns[2 * slot + 1] = y;
    [x, y] = turned(x, y);
  }
  return turns;
}

/** Units of the map that are left free at the rim of a region, so that rounding puts no page outside of it. */
const rim = 2;

/** The share of the distance between slots that a page has for itself to both sides. */
const ownShare = 0.45;

/** The place of a slot of `count` from the middle of its region, and the radius that it has for itself. */
export function placeOf(turns: SlotTurns, slot: number, count: number, radius: number) {
  // The outermost pages have their room within the region too.
  const own = Math.sqrt(Math.PI / count) * ownShare;
  const inner = Math.max(0, radius - rim) / (1 + own);
  const distance = count === 1 ? 0 : inner * Math.sqrt((slot + 0.5) / count);
  return {
    x: floatAt(turns, 2 * slot) * distance,
    y: floatAt(turns, 2 * slot + 1) * distance,
    room: inner * own,
  };
}
