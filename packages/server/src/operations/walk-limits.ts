import type { WalkLimits } from "@clew/graph";

/** Nodes that one walk may visit: as many as the largest workspaces have, so that time alone ends most walks. */
const maximumVisits = 1_000_000;

/**
 * Milliseconds that one walk may take. Nobody else is served meanwhile, so it is what everybody can wait for without
 * noticing; a walk over a hundred thousand nodes fits in.
 */
const maximumDuration = 100;

/** The budget of a walk that begins now. `monotonic` is a clock in milliseconds that is never set (GRAPH-9). */
export function walkLimits(monotonic: () => number): WalkLimits {
  const deadline = monotonic() + maximumDuration;
  return { visits: maximumVisits, expired: () => monotonic() >= deadline };
}
