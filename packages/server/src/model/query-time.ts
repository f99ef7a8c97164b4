/** The form of the times that `parseQueryTime` reads, for messages. */
export const queryTimeForm = "an RFC 3339 date or date-time, or a span such as 24h, 7d, 2w, 6mo or 1y";

// `6m` could be minutes.
const span = /^(\d{1,6})(h|d|w|mo|y)$/;
const hour = 3_600_000;
const day = 24 * hour;
const units: Readonly<Record<string, number>> = { h: hour, d: day, w: 7 * day, mo: 30 * day, y: 365 * day };

/** The first and the last moment that a date can name. */
const earliest = Date.parse("0000-01-01");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

// A plus sign in a query is a space, unless it is escaped.
const dateTime =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+ -](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/**
 * Reads a time of a query: an RFC 3339 date (midnight UTC) or date-time, or a span back from `now` in hours, days, weeks, months
 * or years.
 * In milliseconds since the Unix epoch; null if the text is neither.
 */
export function parseQueryTime(text: string, now: number): number | null {
  const back = spanMs(text);
  if (back !== null) return Math.max(earliest, now - back);
  const [, date, time = "00:00:00", fraction = "", offset = "Z"] = dateTime.exec(text) ?? [];
  if (date === undefined) return null;
  // Date.parse accepts the 30th of February, and takes it for a day in March.
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return null;
  const parsed = Date.parse(
    `${date}T${time}${fraction.slice(0, 4)}${offset.toUpperCase().replace(" ", "+")}`,
  );
  return Number.isNaN(parsed) || time.startsWith("24") ? null : parsed;
}

/** As `parseQueryTime`, or a span ahead of `now`, such as `+7d`. */
export function parseQueryTimeEitherWay(text: string, now: number): number | null {
  if (!text.startsWith("+")) return parseQueryTime(text, now);
  const ahead = spanMs(text.slice(1));
  return ahead === null ? null : Math.min(latest, now + ahead);
}

function spanMs(text: string): number | null {
  const [, count, unit] = span.exec(text) ?? [];
  return count === undefined || unit === undefined ? null : Number(count) * (units[unit] ?? 0);
}
