const minute = 60_000;

/** A time rounded down to the minute, as the provider gives times (https://developers.notion.com/reference/page). */
export function minuteOf(time: number): number {
  return Math.floor(time / minute) * minute;
}

const date = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Whether a text is an ISO 8601 date, or date and time, that exists. */
export function isDate(text: string): boolean {
  return date.test(text) && !Number.isNaN(Date.parse(withZone(text)));
}

/** The time that a value of front matter names; null where it names none. A time without a zone is UTC. */
export function timeOf(value: unknown): number | null {
  return typeof value === "string" && isDate(value.trim()) ? Date.parse(withZone(value.trim())) : null;
}

function withZone(text: string): string {
  const time = text.replace(" ", "T");
  return time.includes("T") && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(time) ? `${time}Z` : time;
}
