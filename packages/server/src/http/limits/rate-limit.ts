import type { Clock } from "../../model/runtime.ts";

/** What a limit says to a request. */
export interface Verdict {
  readonly allowed: boolean;
  /** The answer's header fields; none where the limit is off. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Counts the requests of each key: a caller or an address. */
export interface RateLimit {
  /** Counts a request of this key, unless it is one too many. */
  take(key: string): Verdict;
  /** What `take` would say to one more request, without counting it. */
  peek(key: string): Verdict;
}

export interface Policy {
  /** Its name in the header fields. */
  readonly name: string;
  /** Requests a minute; 0 = no limit. */
  readonly quota: number;
}

interface Window {
  readonly endsAt: number;
  used: number;
}

const windowLength = 60_000;

/** Keys that are counted at the same time: some 10 MB. Beyond it the oldest windows end early. */
const maximumKeys = 50_000;

/**
 * A limit of requests in windows of one minute. A key's window begins with its first request, so windows end
 * in the order in which they began, and those at the front of the map are the first to be dropped.
 */
export function createRateLimit({ name, quota }: Policy, clock: Clock): RateLimit {
  if (quota === 0) return unlimited;
  const windows = new Map<string, Window>();

  function windowOf(key: string, now: number): Window {
    const window = windows.get(key);
    return window && window.endsAt > now ? window : { endsAt: now + windowLength, used: 0 };
  }

  function dropEnded(now: number): void {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now && windows.size < maximumKeys) return;
      windows.delete(key);
    }
  }

  function verdict(allowed: boolean, { endsAt, used }: Window, now: number): Verdict {
    const seconds = Math.ceil((endsAt - now) / 1000);
    const fields = {
      "ratelimit-policy": `"${name}";q=${quota};w=${windowLength / 1000}`,
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
      if (window.used === 0) {
        windows.delete(key);
        dropEnded(now);
        windows.set(key, window);
      }
      window.used += 1;
      return verdict(true, window, now);
    },
  };
}

const unlimited: RateLimit = {
  take: () => ({ allowed: true, fields: {} }),
  peek: () => ({ allowed: true, fields: {} }),
};
