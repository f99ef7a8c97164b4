import { LRUCache } from "lru-cache";
import type { Clock } from "../../model/runtime.ts";

/** Whether a request is within a limit. */
export interface Verdict {
  readonly allowed: boolean;
  /** The response's header fields; empty if the limit is off. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Counts the requests of each key: a caller or an address. */
export interface RateLimit {
  /** Counts a request of this key, unless it is one too many. */
  take(key: string): Verdict;
  /** The verdict that `take` would give, without counting a request. */
  peek(key: string): Verdict;
}

export interface Policy {
  /** Its name in the header fields. */
  readonly name: string;
  /** Requests a minute; 0 turns the limit off. */
  readonly quota: number;
}

interface Window {
  readonly endsAt: number;
  used: number;
}

const windowMs = 60_000;

/** Keys that are counted at the same time, about 10 MB. With more, those used longest ago start over. */
const maxKeys = 50_000;

/** A limit of requests in windows of one minute. A key's window begins with its first request. */
export function createRateLimit({ name, quota }: Policy, clock: Clock): RateLimit {
  if (quota === 0) return unlimited;
  // By size, because a cache with `max` allocates its memory at once.
  const windows = new LRUCache<string, Window>({ maxSize: maxKeys, sizeCalculation: () => 1 });

  function windowOf(key: string, now: number): Window {
    const window = windows.peek(key);
    return window && window.endsAt > now ? window : { endsAt: now + windowMs, used: 0 };
  }

  function verdict(allowed: boolean, { endsAt, used }: Window, now: number): Verdict {
    const seconds = Math.ceil((endsAt - now) / 1000);
    const fields = {
      "ratelimit-policy": `"${name}";q=${quota};w=${windowMs / 1000}`,
      ratelimit: `"${name}";r=${quota - used};t=${seconds}`,
    };
    return { allowed, fields: allowed ? fields : { ...fields, "retry-after": String(seconds) } };
  }

  return {
    peek(key) {
      const now = clock();
      const window = windowOf(key, now);
      return verdict(window.used < quota, window, now);
    },
    take(key) {
      const now = clock();
      const window = windowOf(key, now);
      if (window.used >= quota) return verdict(false, window, now);
      window.used += 1;
      windows.set(key, window);
      return verdict(true, window, now);
    },
  };
}

const unlimited: RateLimit = {
  take: () => ({ allowed: true, fields: {} }),
  peek: () => ({ allowed: true, fields: {} }),
};
