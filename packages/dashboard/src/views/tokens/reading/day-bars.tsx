import { readingWords } from "../words.ts";
import { type DayOfCalls, fewestDays } from "./days.ts";

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
    <div className="flex flex-col">
      <div className="relative grid flex-1">
        <p className="absolute top-0 right-0 text-xs text-quiet tabular-nums" aria-hidden="true">
          {most.toLocaleString("en")}
        </p>
        <ol
          aria-hidden="true"
          className="flex h-full min-h-32 items-end gap-[2px] border-b border-edge pt-5 sm:gap-1"
        >
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
                  {refused === 0 ? null : (
                    <span className="hatched" style={{ height: `max(3px, ${(100 * refused) / calls}%)` }} />
                  )}
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
