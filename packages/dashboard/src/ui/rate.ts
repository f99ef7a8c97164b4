import type { SyncProgress } from "@clew/contract";

/** The progress of a sync at a moment. */
export interface Sample {
  readonly at: number;
  readonly phase: SyncProgress["phase"];
  readonly done: number;
}

/** Milliseconds that the rate is taken from, and from which it says something. */
const windowMs = 60_000;
const leastMs = 4_000;

/** The samples with a new one. Those of another phase, or too old, are dropped. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last?.phase === sample.phase && last.done === sample.done) return samples;
  const kept = samples.filter(
    ({ at, phase, done }) => phase === sample.phase && done <= sample.done && sample.at - at <= windowMs,
  );
  return [...kept, sample];
}

/** Pages a minute, and the minutes that the rest takes at that rate; null if that is not known yet. */
export function paceOf(
  samples: readonly Sample[],
  total: number | null,
  now: number,
): { readonly perMinute: number; readonly minutesLeft: number } | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || total === null) return null;
  const elapsedMs = now - first.at;
  const perMinute = ((last.done - first.done) / elapsedMs) * 60_000;
  if (elapsedMs < leastMs || perMinute < 1) return null;
  return { perMinute: Math.round(perMinute), minutesLeft: Math.max(0, total - last.done) / perMinute };
}
