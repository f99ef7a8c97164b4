import type { ChangePosition } from "../../store/queries/change-feed.ts";

/**
 * How far somebody has read the changes of one connection. Revisions grow with every change; a graph is served as of
 * one of them, its version.
 */
export interface FeedPosition {
  /** The version that they knew whole when they began to read on; -1 where they knew none. */
  readonly since: number;
  /** The latest version that they were told something of; -1 where none. */
  readonly seen: number;
  /** Where they are among the changes. */
  readonly next: ChangePosition;
}

/** Before everything. */
export const beginning: FeedPosition = { since: -1, seen: -1, next: { revision: 0, nodeId: null } };

/** Where somebody stands who was told all that the graph of this version holds. */
export function endOf(version: number): FeedPosition {
  return { since: version, seen: version, next: { revision: version + 1, nodeId: null } };
}

/**
 * Where to go on in the graph of this version. What lies behind the version that was read before was told only where
 * that had to be: a newer graph tells all of it.
 */
export function positionIn(version: number, position: FeedPosition): FeedPosition {
  const isBehind = position.next.revision > position.seen;
  return version > position.seen && isBehind ? { ...position, next: endOf(position.seen).next } : position;
}

/** Whether somebody may have been told of nodes whose removal, at this revision or before, is forgotten. */
export function isExpired({ since, seen, next }: FeedPosition, forgotten: number): boolean {
  if (seen === -1) return false;
  const removalsKnownTo = since === -1 ? seen : next.revision - 1;
  return removalsKnownTo < forgotten;
}

/** As plain JSON, short enough for an address that names the places in fifty connections. */
export type EncodedPosition = readonly [
  connectionId: number,
  since: number,
  seen: number,
  revision: number,
  nodeId: string | null,
];

export function encodePosition(connectionId: number, { since, seen, next }: FeedPosition): EncodedPosition {
  return [connectionId, since, seen, next.revision, next.nodeId];
}

export function decodePosition([, since, seen, revision, nodeId]: EncodedPosition): FeedPosition {
  return { since, seen, next: { revision, nodeId } };
}
