const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const units: Readonly<Record<string, number>> = {
  minute,
  hour,
  day,
  week: 7 * day,
  month: 30 * day,
  year: 365 * day,
};

const back = /^(?:the )?(last |past )?(?:(\d{1,4}|an?|one) )?(minute|hour|day|week|month|year)s?(?: ago)?$/;

/**
 * Reads a time that is said in words: `today`, `yesterday`, `last week`, `3 days ago`. Counts in days or more lead to midnight
 * UTC. In milliseconds since the Unix epoch; null if the text says no time.
 */
export function timeOfWords(text: string, now: number): number | null {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, " ");
  if (words === "today") return midnight(now);
  if (words === "yesterday") return midnight(now - day);
  const [, last, count, unit = ""] = back.exec(words) ?? [];
  const length = units[unit];
  if (length === undefined || (last === undefined && count === undefined)) return null;
  const time = now - length * (count !== undefined && /^\d/.test(count) ? Number(count) : 1);
  return length < day ? time : midnight(time);
}

const midnight = (time: number): number => Math.floor(time / day) * day;
