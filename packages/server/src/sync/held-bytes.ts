import type { SyncState } from "./state.ts";

/* What a sync holds in memory, estimated from what was measured (docs/operations.md). */

/** A sync that has seen nothing yet: its reader, and a few answers that are being read. */
const baseBytes = 128 * 1024;

/** Each node: its id and its place, in the catalog, the report and the list of what is to be read. */
const bytesPerNode = 350;

/** Each of the other facts that a catalog keeps. */
const bytesPerFact = 250;

/** Of a text, whose references were found. */
const bytesPerCharacter = 4;

/** Of a sync that knows so many nodes. */
export function heldBytesOf(nodes: number): number {
  return baseBytes + nodes * bytesPerNode;
}

/** Of a sync that is open. */
export function heldBytes(state: SyncState): number {
  const { nodes, databases, rowsKnownSince, blocks, asked, unanswered, unsettled, gone } = state;
  const facts = [databases, rowsKnownSince, blocks, asked, unanswered, unsettled, gone];
  const counted = facts.reduce((sum, { size }) => sum + size, 0);
  return heldBytesOf(nodes.size) + counted * bytesPerFact + state.charactersInHand * bytesPerCharacter;
}
