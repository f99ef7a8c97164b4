import type fc from "fast-check";

/** The inputs of one kind that Clew must bear, as arbitraries that are mostly valid. */
export interface Grammar {
  readonly name: string;
  /** The number of inputs that the campaign tries for each thousand of `RUNS`: those that a sync reads take longer. */
  readonly perThousand: number;
  /** Opens what the inputs are tried on. */
  open(): Promise<Trial<unknown>>;
}

/** A Clew on which inputs are tried, one after the other. */
export interface Trial<Input> {
  /** Inputs are plain JSON, so that they can be saved. */
  readonly inputs: fc.Arbitrary<Input>;
  /** Tries one input. Throws if an invariant is broken. */
  try(input: Input): Promise<void>;
  /** Throws if the inputs together broke an invariant: nothing stored has changed. */
  settle(): Promise<void>;
  close(): Promise<void>;
}
