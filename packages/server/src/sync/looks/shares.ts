import { highestOwner } from "../../model/rendezvous.ts";

/* Which instance looks at a connection, and when: all instances compute the same. */

/** Milliseconds between two looks at a connection. */
export const lookIntervalMs = 60_000;

/** A number of 32 bits for a text (FNV-1a). */
function seedOf(text: string): number {
  let seed = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) seed = Math.imul(seed ^ text.charCodeAt(at), 0x01000193);
  return seed;
}

/** An evenly distributed number of 32 bits for a connection and a seed. */
function mix(connectionId: number, seed: number): number {
  let hash = Math.imul(connectionId, 0x9e3779b1) ^ seed;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/**
 * The instance to which a connection falls: the one with the highest number for it (rendezvous hashing). If an instance
 * comes or goes, only its own connections change hands. null without instances.
 */
export function ownerOf(connectionId: number, instanceIds: readonly string[]): string | null {
  return highestOwner(instanceIds, (id) => mix(connectionId, seedOf(id)));
}

/** When a connection is looked at next: each has its place within the minute, the same on all instances. */
export function nextLook(connectionId: number, now: number): number {
  const place = mix(connectionId, 0) % lookIntervalMs;
  return now + lookIntervalMs - ((now - place) % lookIntervalMs);
}
