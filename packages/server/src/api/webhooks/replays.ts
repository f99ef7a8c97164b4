import type { Clock } from "../../model/runtime.ts";
import type { WebhookEvent } from "../../provider/port.ts";

/** Milliseconds that an event may be late: the provider tries for about a day to deliver one. */
const latest = 24 * 60 * 60_000;
/** Milliseconds by which the provider's clock may be ahead. */
const earliest = 5 * 60_000;
/** Ids that are remembered. A replay that is older is a hint too many, and hints for one workspace join. */
const capacity = 10_000;

/** Tells events that are delivered for the first time from those that came before or are too old to be honest. */
export interface Replays {
  /** Whether the event's time is near enough to now. */
  isTimely(event: WebhookEvent): boolean;
  /** Whether the event comes for the first time, as far as this process remembers. From then on it has come. */
  isNew(event: WebhookEvent): boolean;
}

export function createReplays(clock: Clock): Replays {
  const seen = new Set<string>();
  return {
    isTimely: ({ at }) => at >= clock() - latest && at <= clock() + earliest,
    isNew({ id }) {
      if (seen.has(id)) return false;
      seen.add(id);
      const [oldest] = seen;
      if (seen.size > capacity && oldest !== undefined) seen.delete(oldest);
      return true;
    },
  };
}
