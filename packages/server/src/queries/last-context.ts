import type { GatheredContext } from "@clew/context";

/** Milliseconds for which a thread keeps the last context that it gathered. */
const keptMs = 2_000;

/** The last context of a thread: a tool asks for it in several lengths, until it has as many tokens as the agent wants. */
export class LastContext {
  #last: {
    readonly of: readonly unknown[];
    readonly until: number;
    readonly context: GatheredContext;
  } | null = null;

  /** Returns the context that was gathered `of` the same values a moment ago, otherwise that of `gather`. */
  async take(of: readonly unknown[], now: number, gather: () => Promise<GatheredContext>) {
    const last = this.#last;
    if (last !== null && now < last.until && last.of.every((value, index) => value === of[index]))
      return last.context;
    const context = await gather();
    this.#last = { of, until: now + keptMs, context };
    return context;
  }

  /** Lets go of it. */
  clear(): void {
    this.#last = null;
  }
}
