import type { Clock } from "../../../model/runtime.ts";

/** The provider's clock, as far as its answers tell it. */
export interface ProviderClock {
  /** Takes note of the time at which an answer says that it was written. */
  observe(headers: Headers): void;
  /** Now, in milliseconds since the Unix epoch; by the local clock as long as no answer told the time. */
  now(): number;
}

/**
 * Keeps by how much the provider's clock differs from the local one. An answer tells whole seconds and has been under
 * way for a while, so that this clock is rather late than early: what happens at the provider "since" a time of this
 * clock is not missed.
 */
export function createProviderClock(clock: Clock): ProviderClock {
  let ahead = 0;
  return {
    observe(headers) {
      // RFC 9110, section 6.6.1.
      const time = Date.parse(headers.get("date") ?? "");
      if (!Number.isNaN(time)) ahead = time - clock();
    },
    now: () => clock() + ahead,
  };
}
