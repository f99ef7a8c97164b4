import fc from "fast-check";
import type { Trial } from "./grammar.ts";
import { describe, Growth } from "./growth.ts";

/** An invariant that inputs broke. */
export interface Finding {
  readonly fault: string;
  /** The smallest input that was found to break it; undefined if all inputs together did. */
  readonly input?: unknown;
}

interface Options {
  readonly seed: number;
  readonly runs: number;
  /** Whether to look at what this process holds: garbage is collected thirty times. */
  readonly watchesGrowth: boolean;
  /** The work that an input makes for Clew, a request being 1; 1 if left out. */
  readonly work?: number;
  /** Whether to make the input that breaks an invariant as small as possible, as by default. */
  readonly shrinks?: boolean;
}

/** The outcome of a grammar's inputs. */
export interface Outcome {
  /** The inputs that were tried, those of the search for the smallest one included. */
  readonly tried: number;
  readonly faults: readonly Finding[];
  /** The growth in words; null if it was not measured. */
  readonly growth: string | null;
}

const looks = 30;

/** Tries inputs of a grammar. Ends at the first that breaks an invariant, after it was made as small as possible. */
export async function fuzz(
  trial: Trial<unknown>,
  { seed, runs, watchesGrowth, work = 1, shrinks = true }: Options,
): Promise<Outcome> {
  const faults: Finding[] = [];
  let tried = 0;
  const growth = watchesGrowth ? new Growth(work) : null;
  const stride = Math.ceil(runs / looks);
  const property = fc.asyncProperty(trial.inputs, async (input) => {
    if (tried % stride === 0) await growth?.look(tried);
    tried += 1;
    await trial.try(input);
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    seed,
    numRuns: runs,
    endOnFailure: !shrinks,
  });
  if (failed) faults.push({ fault: messageOf(errorInstance), input: counterexample?.[0] });
  const grew = failed ? null : (growth?.fault() ?? null);
  if (grew !== null) faults.push({ fault: grew });
  await trial.settle().catch((error: unknown) => faults.push({ fault: messageOf(error) }));
  const slopes = failed ? undefined : growth?.slopes();
  return {
    tried,
    faults,
    growth: slopes
      ? `${describe(slopes.bytes)} bytes and ${describe(slopes.handles)} handles for each input`
      : null,
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
