import { isRecord, minuteOf, timeOf } from "./front-matter.ts";

/** The times at which a page was created and last edited, in milliseconds since the Unix epoch. */
export interface PageDates {
  readonly createdAt: number;
  readonly editedAt: number;
}

/** The sources of page dates besides the texts. */
export interface DateSources {
  /** Dates of files by path, from git. */
  readonly git: ReadonlyMap<string, PageDates>;
  /** Milliseconds since the Unix epoch. Later dates are not believed. */
  readonly now: number;
  /** As in `OpenOptions`. */
  readonly roundsTimes?: boolean;
}

/** Names in front matter, in order of preference. `date` is the only date of many pages, so it is both. */
const editedNames = [
  ...["updated", "updated_at", "date_modified", "modified", "last_modified", "last_modified_at", "lastmod"],
  ...["last_update", "last_updated", "lastupdated", "ms.date", "date"],
];
const createdNames = ["created", "created_at", "date_created", "date", "publishdate", "pubdate", "published"];

/**
 * The dates of a page: those of its front matter, else git's, else the file's. Dates in the
 * future, before 1970 or in another form are ignored. No page was edited before it was created.
 */
export function datesOf(
  data: Readonly<Record<string, unknown>>,
  file: PageDates & { readonly path: string },
  { git, now, roundsTimes = false }: DateSources,
): PageDates {
  const given = new Map(Object.entries(data).map(([name, value]) => [nameOf(name), value]));
  const fromGit = git.get(file.path);
  const createdHere = firstDate(given, createdNames, now);
  const edited = firstDate(given, editedNames, now) ?? fromGit?.editedAt ?? file.editedAt;
  const created = createdHere ?? Math.min(fromGit?.createdAt ?? file.createdAt, edited);
  // The system's times of files have parts of a millisecond.
  const shown = roundsTimes ? minuteOf : Math.floor;
  return { createdAt: shown(created), editedAt: shown(Math.max(created, edited)) };
}

/** Whether a time can be that of a page. */
export function isPlausible(time: number, now: number): boolean {
  return time >= 0 && time <= now;
}

function nameOf(name: string): string {
  return name.toLowerCase().replace(/[ -]/g, "_");
}

function firstDate(
  given: ReadonlyMap<string, unknown>,
  names: readonly string[],
  now: number,
): number | null {
  for (const name of names) {
    const time = parseDate(name, given.get(name));
    if (time !== null && isPlausible(time, now)) return time;
  }
  return null;
}

/** The least number that is read as milliseconds: smaller ones are years, or days such as 20260131. */
const minMilliseconds = 1e11;

/** ISO 8601, milliseconds since the Unix epoch (Dendron), or `MM/DD/YYYY` (Microsoft's `ms.date`). */
function parseDate(name: string, value: unknown): number | null {
  // Docusaurus has `last_update: { date, author }`.
  if (isRecord(value)) return parseDate(name, value.date);
  if (typeof value === "number") return value >= minMilliseconds ? value : null;
  if (typeof value !== "string") return null;
  if (/^\d{12,13}$/.test(value)) return Number(value);
  const [, month, day, year] = (name === "ms.date" && /^(\d\d?)\/(\d\d?)\/(\d{4})$/.exec(value.trim())) || [];
  if (month === undefined || day === undefined) return timeOf(value);
  return timeOf(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
}
