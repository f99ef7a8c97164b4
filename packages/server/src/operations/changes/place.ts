import type { ChangePlace } from "../../store/change-feed.ts";

/**
 * How far somebody has read the changes of one connection. Revisions grow with every change; a graph is served as of
 * one of them, its edition.
 */
export interface FeedPlace {
  /** The edition that they knew whole when they began to read on; -1 where they knew none. */
  readonly since: number;
  /** The latest edition that they were told something of; -1 where none. */
  readonly seen: number;
  /** Where they are among the changes. */
  readonly next: ChangePlace;
}

/** Before everything. */
export const beginning: FeedPlace = { since: -1, seen: -1, next: { revision: 0, nodeId: null } };

/** Where somebody stands who was told all that the graph of this edition holds. */
export function endOf(edition: number): FeedPlace {
  return { since: edition, seen: edition, next: { revision: edition + 1, nodeId: null } };
}

/**
 * Where to go on in the graph of this edition. What lies behind the edition that was read before was told only where
 * that had to be: a newer graph tells all of it.
 */
export function placeIn(edition: number, place: FeedPlace): FeedPlace {
  const isBehind = place.next.revision > place.seen;
  return edition > place.seen && isBehind ? { ...place, next: endOf(place.seen).next } : place;
}

/** Whether somebody may have been told of nodes whose removal, at this revision or before, is forgotten. */
export function isTooOld({ since, seen, next }: FeedPlace, forgotten: number): boolean {
  if (seen === -1) return false;
  const removalsKnownTo = since === -1 ? seen : next.revision - 1;
  return removalsKnownTo < forgotten;
}

/** As plain JSON, short enough for an address that names the places in fifty connections. */
export type WrittenPlace = readonly [
  connectionId: number,
  since: number,
  seen: number,
  revision: number,
  nodeId: string | null,
];

export function writePlace(connectionId: number, { since, seen, next }: FeedPlace): WrittenPlace {
  return [connectionId, since, seen, next.revision, next.nodeId];
}

export function readPlace([, since, seen, revision, nodeId]: WrittenPlace): FeedPlace {
  return { since, seen, next: { revision, nodeId } };
}
