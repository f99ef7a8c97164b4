import { LRUCache } from "lru-cache";
import type { Clock, ObserveCache } from "../../model/runtime.ts";
import type { WebhookEvent } from "../../provider/port.ts";

/** The provider retries a delivery for about a day. */
const maxDelayMs = 24 * 60 * 60_000;
/** How far the provider's clock may be ahead. */
const maxAheadMs = 5 * 60_000;
/** A replay of an older event does no harm: it requests a sync that joins the others. */
const maxIds = 10_000;

/** Recognises events that were delivered before, or that are too old. */
export interface Replays {
  /** Whether the time of the event is near enough to now. */
  isTimely(event: WebhookEvent): boolean;
  /** Whether this process sees the event for the first time. Remembers it. */
  isNew(event: WebhookEvent): boolean;
}

export function createReplays(clock: Clock, observeCache: ObserveCache = () => {}): Replays {
  const seen = new LRUCache<string, true>({ max: maxIds });
  observeCache({ name: "webhook_events", entries: () => seen.size });
  return {
    isTimely: ({ at }) => at >= clock() - maxDelayMs && at <= clock() + maxAheadMs,
    isNew({ id }) {
      if (seen.has(id)) return false;
      seen.set(id, true);
      return true;
    },
  };
}
