const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const endings: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };

/** Writes a day (`2026-01-31`) in Logseq's format for the titles of journals, such as `MMM do, yyyy`: `Jan 31st, 2026`. */
export function formatDay(day: string, format: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  const named = (options: Intl.DateTimeFormatOptions) =>
    date.toLocaleDateString("en-US", { ...options, timeZone: "UTC" });
  const number = date.getUTCDate();
  const parts: Readonly<Record<string, string>> = {
    yyyy: day.slice(0, 4),
    MMMM: named({ month: "long" }),
    MMM: named({ month: "short" }),
    MM: day.slice(5, 7),
    EEEE: named({ weekday: "long" }),
    EEE: named({ weekday: "short" }),
    E: named({ weekday: "short" }),
    do: `${number}${endings[ordinals.select(number)] ?? "th"}`,
    dd: day.slice(8),
    d: String(number),
  };
  return format.replace(/yyyy|MMMM|MMM|MM|EEEE|EEE|E|do|dd|d/g, (part) => parts[part] ?? part);
}
