import { priorities } from "./request.ts";

/*
 * How many syncs a process has under way. Most end within seconds; one of 100,000 pages takes hours, nearly all of which
 * it waits for the provider's rate limit. So a sync counts as a new one for a short while only. After that it is known
 * to be long and goes on beside the others: however many of those there are, a small one finds its place.
 */

/** Syncs at a time of which nobody knows yet how long they take. */
const newOnes = 4;

/** Milliseconds after which a sync is no longer a new one. */
const newFor = 15_000;

/** Syncs at a time in all, for the memory that they take. */
const all = 16;

/** Of these, the places kept for what a person waits for. */
const keptForPeople = 4;

/** The least urgent priority of a job that there is a place for; null where there is none for any. */
export function roomFor(startedAt: readonly number[], now: number): number | null {
  const recent = startedAt.filter((time) => now - time < newFor).length;
  if (recent >= newOnes || startedAt.length >= all) return null;
  return startedAt.length >= all - keptForPeople ? priorities.person : priorities.schedule;
}
