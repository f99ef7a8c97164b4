import type { TokenActivity } from "@clew/client";

/** The calls of one day, by the calendar of the person who looks. */
export interface DayOfCalls {
  /** When it begins, in milliseconds since the Unix epoch. */
  readonly begins: number;
  readonly calls: number;
  readonly refused: number;
}

/** Days that are shown at least: a single bar says nothing. */
export const fewestDays = 7;

/** The calls of each day from one on, up to today. `from` and `now` are milliseconds since the Unix epoch. */
export function daysOf(hours: TokenActivity["hours"], from: number, now: number): DayOfCalls[] {
  const today = midnight(now);
  const first = Math.min(midnight(from), midnight(now, fewestDays - 1));
  const counts = new Map<number, { calls: number; refused: number }>();
  for (const { at, calls, refused } of hours) {
    const day = midnight(Date.parse(at));
    const count = counts.get(day) ?? { calls: 0, refused: 0 };
    counts.set(day, { calls: count.calls + calls, refused: count.refused + refused });
  }
  const days: DayOfCalls[] = [];
  for (let ago = 0; ; ago += 1) {
    const begins = midnight(today, ago);
    days.unshift({ begins, ...(counts.get(begins) ?? { calls: 0, refused: 0 }) });
    if (begins <= first) return days;
  }
}

/** The beginning of the day of a time, or of the one `daysAgo` days before. Days of 23 hours make it more than a subtraction. */
function midnight(time: number, daysAgo = 0): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysAgo).getTime();
}
