import { ApiError } from "./api-error.ts";

interface Bucket {
  tokens: number;
  filledAt: number;
}

/**
 * Counts the calls of each grant: so many a minute, which may be spent in one burst. Throws the API's 429 when they are
 * spent. `perMinute` of 0 turns it off.
 */
export function createRateLimit(perMinute: number, clock: () => number): (grantId: string) => void {
  const buckets = new Map<string, Bucket>();
  const perMillisecond = perMinute / 60_000;
  return (grantId) => {
    if (perMinute === 0) return;
    const now = clock();
    const bucket = buckets.get(grantId) ?? { tokens: perMinute, filledAt: now };
    buckets.set(grantId, bucket);
    bucket.tokens = Math.min(perMinute, bucket.tokens + (now - bucket.filledAt) * perMillisecond);
    bucket.filledAt = now;
    if (bucket.tokens < 1) throw limited(Math.ceil((1 - bucket.tokens) / perMillisecond / 1000));
    bucket.tokens -= 1;
  };
}

function limited(seconds: number): ApiError {
  return new ApiError("rate_limited", "You have been rate limited. Please try again in a few minutes.", {
    headers: { "retry-after": String(Math.max(1, seconds)) },
    additionalData: { rate_limit_reason: "requests_per_minute" },
  });
}
