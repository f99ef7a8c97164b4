import { ApiError } from "../model/api-error.ts";

const spanMs = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

const spanPattern = /^(\d{1,6})([hdw])$/;

/** RFC 3339 `full-date` and `date-time`; `T` and `Z` may be lower case. */
const datePattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d)))?$/i;

/**
 * The moment that a request names, in milliseconds since the Unix epoch: an RFC 3339 date (midnight UTC) or date-time, or a
 * span back from `now` in hours, days or weeks, such as `24h`. Null if it is neither.
 */
export function readTime(text: string, now: number): number | null {
  const [, count, unit] = spanPattern.exec(text) ?? [];
  if (unit === "h" || unit === "d" || unit === "w") return now - Number(count) * spanMs[unit];
  return dateOf(text);
}

function dateOf(text: string): number | null {
  const match = datePattern.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = "", sign, ...zone] = match;
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  // `Date` takes the 30th of February for the 2nd of March.
  if (Number.isNaN(midnight) || new Date(midnight).getUTCDate() !== Number(day)) return null;
  const [zoneHours = 0, zoneMinutes = 0] = zone.map((part) => Number(part ?? 0));
  const offset = (sign === "-" ? -1 : 1) * (zoneHours * 60 + zoneMinutes);
  const minutes = Number(hour ?? 0) * 60 + Number(minute ?? 0) - offset;
  return (
    midnight + minutes * 60_000 + Number(second ?? 0) * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"))
  );
}

/** The moment that a query parameter names. Throws `ApiError` `invalid_request`. */
export function readTimeParameter(name: string, text: string, now: number): number {
  const time = readTime(text, now);
  if (time !== null) return time;
  throw new ApiError("invalid_request", "A time in the request cannot be read.", {
    faults: [
      {
        path: `?${name}`,
        message: "must be a date or date-time of RFC 3339, or a span back from now such as 24h, 7d or 2w",
      },
    ],
  });
}
