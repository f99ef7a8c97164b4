import { createHash } from "node:crypto";
import type { Clock, Sleep } from "@clew/provider";

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** The provider counts the requests of this time. */
const windowMs = 60_000;

/** Shorter waits are not reported. */
const minReportedWaitMs = 1000;

/** A refusal's cut of the budget is restored evenly over this time (SYNC-4). */
const recoveryMs = 90_000;

/**
 * Keeps the requests of one grant within the provider's rate limit: `requests` in any minute, all at once if need be.
 * Times are milliseconds since the Unix epoch.
 *
 * The budget also follows the provider's answers, because a workspace has a limit that it shares with the grants of
 * others: a refusal halves it, and it recovers soon after. It never exceeds `requests`.
 * https://developers.notion.com/reference/request-limits
 */
export function createRateLimiter(options: { requests: number; clock: Clock; sleep: Sleep }) {
  const { requests, clock, sleep } = options;
  /** When the requests of the last minute were sent. */
  const sent: number[] = [];
  let pausedUntil = 0;
  let slowed = { share: 1, at: Number.NEGATIVE_INFINITY };

  const share = () => {
    const recovered = Math.max(0, Math.min(1, (clock() - slowed.at) / recoveryMs));
    return slowed.share + (1 - slowed.share) * recovered;
  };

  const nextSlot = (): number => {
    const end = sent.findIndex((time) => time > clock() - windowMs);
    sent.splice(0, end === -1 ? sent.length : end);
    const allowed = Math.max(1, Math.floor(requests * share()));
    // This request must leave the window first.
    const blocking = sent[sent.length - allowed];
    return Math.max(pausedUntil, blocking === undefined ? 0 : blocking + windowMs);
  };

  return {
    /** Resolves when a request may be sent. Calls `onWait` with the time until which it waits, if that takes long. */
    async acquire(signal: AbortSignal, onWait: (until: number) => void): Promise<void> {
      for (;;) {
        signal.throwIfAborted();
        const slot = nextSlot();
        const waitMs = slot - clock();
        if (waitMs <= 0) break;
        if (waitMs >= minReportedWaitMs) onWait(slot);
        await sleep(waitMs, signal);
      }
      sent.push(clock());
    },
    /** Holds back all requests until a time. */
    pauseUntil(time: number): void {
      pausedUntil = Math.max(pausedUntil, time);
    },
    /** Allows fewer requests, because the provider refused one. The budget recovers after `pauseMs`. */
    slowDown(pauseMs: number): void {
      // Requests that were in flight together are refused together; that counts as one refusal.
      if (clock() >= slowed.at + windowMs) slowed = { share: share() / 2, at: clock() + pauseMs };
    },
    /** True if a new limiter would behave the same. */
    isIdle: (): boolean => share() === 1 && clock() >= Math.max(pausedUntil, (sent.at(-1) ?? 0) + windowMs),
  };
}

/** One rate limiter for each access token, shared by all syncs that use it. */
export function createRateLimiters(
  options: Parameters<typeof createRateLimiter>[0],
): (accessToken: string) => RateLimiter {
  const limiters = new Map<string, RateLimiter>();
  return (accessToken) => {
    for (const [key, limiter] of limiters) if (limiter.isIdle()) limiters.delete(key);
    const key = createHash("sha256").update(accessToken).digest("base64url");
    const limiter = limiters.get(key) ?? createRateLimiter(options);
    limiters.set(key, limiter);
    return limiter;
  };
}
