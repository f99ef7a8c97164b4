import { ApiError } from "../model/api-error.ts";
import { parseQueryTime, parseQueryTimeEitherWay, queryTimeForm } from "../model/query-time.ts";
import { startOfPeriod, timeOfWords } from "../model/time-words.ts";

/*
 * Times as tools take them (AGT-3): those of operations, and words.
 */

/** A time of a tool as the operations read it. Throws `ApiError` `invalid_request` that says what a time may be. */
export function readTime(parameter: string, text: string, now: number): string {
  const time = timeOfWords(text, now) ?? startOfPeriod(text, now);
  if (time !== null) return new Date(time).toISOString();
  if (parseQueryTime(text, now) !== null) return text;
  throw new ApiError("invalid_request", "A time cannot be read.", {
    errors: [
      {
        path: parameter,
        message: `must be ${queryTimeForm}, or today, yesterday, last week, 3 days ago or October 2026`,
      },
    ],
  });
}

/** The time of a value that a row is compared with, in milliseconds since the Unix epoch; null if it is none. */
export const timeOfValue = (text: string, now: number): number | null =>
  parseQueryTimeEitherWay(text, now) ?? timeOfWords(text, now);
