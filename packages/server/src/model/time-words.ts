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

const numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"] as const;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] as const;
/** The first three letters of months, which are enough. */
const month =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";

const back = new RegExp(
  `^(?:(?:in|over|within) (?=(?:the )?(?:last|past) ))?(?:the )?(last |past )?(?:(\\d{1,4}|an?|${numbers.join("|")}) )?(minute|hour|day|week|month|year)s?(?: ago)?$`,
);
const dayFirst = new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${month},? (\\d{4})$`);
const monthFirst = new RegExp(`^${month} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})$`);
const monthAlone = new RegExp(`^${month}(?:,? (\\d{4}))?$`);

const wordsIn = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, " ");

const monthOf = (name = ""): number => months.findIndex((each) => name.startsWith(each));

/**
 * Reads a time that is said in words: `today`, `yesterday`, `last week`, `3 days ago`, `1 November 2026`. Counts in days or more
 * lead to midnight UTC. In milliseconds since the Unix epoch; null if the text says no time.
 */
export function timeOfWords(text: string, now: number): number | null {
  const words = wordsIn(text);
  if (words === "now") return now;
  if (words === "today") return midnight(now);
  if (words === "yesterday") return midnight(now - day);
  if (words === "tomorrow") return midnight(now + day);
  return countedBack(words, now) ?? dayOfWords(words);
}

function countedBack(words: string, now: number): number | null {
  const [, last, count, unit = ""] = back.exec(words) ?? [];
  const length = units[unit];
  if (length === undefined || (last === undefined && count === undefined)) return null;
  const named = numbers.findIndex((each) => each === count) + 1;
  const time = now - length * (count !== undefined && /^\d/.test(count) ? Number(count) : named || 1);
  return length < day ? time : midnight(time);
}

function dayOfWords(words: string): number | null {
  const [, number, name, year] = dayFirst.exec(words) ?? [];
  const [, otherName, otherNumber, otherYear] = monthFirst.exec(words) ?? [];
  const date = Number(number ?? otherNumber);
  const time = Date.UTC(Number(year ?? otherYear), monthOf(name ?? otherName), date);
  // The 30th of February would be a day in March.
  return new Date(time).getUTCDate() === date ? time : null;
}

/**
 * Reads the beginning of a week, month or year: `this week` (from Monday), `this month`, `October`, `October 2026`, `2026-10`. Midnight
 * UTC, in milliseconds since the Unix epoch; null for any other text. It suits lists since or until then, not a comparison
 * with a day.
 */
export function startOfPeriod(text: string, now: number): number | null {
  const words = wordsIn(text);
  const today = new Date(midnight(now));
  if (words === "this week") return today.getTime() - ((today.getUTCDay() + 6) % 7) * day;
  if (words === "this month") return Date.UTC(today.getUTCFullYear(), today.getUTCMonth());
  if (words === "this year") return Date.UTC(today.getUTCFullYear(), 0);
  const [, isoYear, isoMonth] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(words) ?? [];
  if (isoYear !== undefined) return Date.UTC(Number(isoYear), Number(isoMonth) - 1);
  const [, name, year] = monthAlone.exec(words) ?? [];
  if (name === undefined) return null;
  if (year !== undefined) return Date.UTC(Number(year), monthOf(name));
  // Without a year, it is the last month of this name that began.
  const isAhead = monthOf(name) > today.getUTCMonth();
  return Date.UTC(today.getUTCFullYear() - Number(isAhead), monthOf(name));
}

const midnight = (time: number): number => Math.floor(time / day) * day;
