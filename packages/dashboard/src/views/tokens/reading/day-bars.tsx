import type { TokenActivity } from "@clew/client";
import { readingWords } from "../../../words.ts";

/** The calls of one day, by the calendar of the person who looks. */
export interface DayOfCalls {
  /** When it begins, in milliseconds since the Unix epoch. */
  readonly begins: number;
  readonly calls: number;
  readonly refused: number;
}

/** Days that are shown at least: a single bar says nothing. */
const fewestDays = 7;

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

/** The beginning of the day of a time, or of the one so many days before. Days of 23 hours make it more than a subtraction. */
function midnight(time: number, daysAgo = 0): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysAgo).getTime();
}

const weekday = new Intl.DateTimeFormat("en", { weekday: "short" });
const shortDate = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });

/** Days whose names are written below the bars, at most. */
const namedDays = 8;

/** Bars of the calls by day, with the same as a table for screen readers. */
export function DayBars({ days }: { days: readonly DayOfCalls[] }) {
  const most = Math.max(1, ...days.map(({ calls }) => calls));
  const every = Math.ceil(days.length / namedDays);
  const isWeek = days.length <= fewestDays;
  return (
    <div>
      <div className="relative">
        <p className="absolute top-0 right-0 text-xs text-quiet tabular-nums" aria-hidden="true">
          {most.toLocaleString("en")}
        </p>
        <ol aria-hidden="true" className="flex h-28 items-end gap-[2px] border-b border-edge pt-5 sm:gap-1">
          {days.map(({ begins, calls, refused }) => (
            <li
              key={begins}
              className="flex h-full min-w-0 flex-1 flex-col items-center justify-end"
              title={readingWords.day(shortDate.format(begins), calls, refused)}
            >
              {calls === 0 ? null : (
                <span
                  className="flex w-full max-w-10 flex-col overflow-hidden rounded-t-[3px] bg-thread"
                  style={{ height: `max(4px, ${(100 * calls) / most}%)` }}
                >
                  <span className="bg-danger" style={{ height: `${(100 * refused) / calls}%` }} />
                </span>
              )}
            </li>
          ))}
        </ol>
      </div>
      <ol aria-hidden="true" className="mt-1 flex gap-[2px] text-xs text-quiet sm:gap-1">
        {days.map(({ begins }, index) => (
          <li key={begins} className="relative h-4 min-w-0 flex-1">
            {(days.length - 1 - index) % every === 0 ? (
              <span className="absolute left-1/2 -translate-x-1/2 whitespace-nowrap">
                {isWeek ? weekday.format(begins) : shortDate.format(begins)}
              </span>
            ) : null}
          </li>
        ))}
      </ol>
      <table className="sr-only">
        <caption>{readingWords.byDay}</caption>
        <thead>
          <tr>
            {readingWords.dayHead.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ begins, calls, refused }) => (
            <tr key={begins}>
              <th scope="row">{shortDate.format(begins)}</th>
              <td>{calls}</td>
              <td>{refused}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
