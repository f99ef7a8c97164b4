import type { WebhookEvent } from "@clew/provider";
import { LRUCache } from "lru-cache";
import type { Clock, ObserveCache } from "../../model/runtime.ts";

/** The provider retries a delivery for about a day. */
const maxDelayMs = 24 * 60 * 60_000;
/** The time by which the provider's clock may be ahead. */
const maxAheadMs = 5 * 60_000;
/** A replay of an older event does no harm: it requests a sync that joins the others. */
const maxIds = 10_000;

export type Replays = ReturnType<typeof createReplays>;

/** Recognises events that were delivered before, or that are too old. */
export function createReplays(clock: Clock, observeCache: ObserveCache = () => {}) {
  const seen = new LRUCache<string, true>({ max: maxIds });
  observeCache({ name: "webhook_events", entries: () => seen.size });
  return {
    /** Whether the time of the event is near enough to now. */
    isTimely: ({ at }: WebhookEvent): boolean => at >= clock() - maxDelayMs && at <= clock() + maxAheadMs,
    /** Whether this process sees the event for the first time. Remembers it. */
    isNew({ id }: WebhookEvent): boolean {
      if (seen.has(id)) return false;
      seen.set(id, true);
      return true;
    },
    /** Takes back that an event was seen, because nothing came of it: the provider sends it again. */
    forget({ id }: WebhookEvent): void {
      seen.delete(id);
    },
  };
}
