import { type ListEntry, ProviderError } from "../port.ts";
import type { NotionApi } from "./api.ts";
import { at, textAt } from "./json.ts";
import { listEntries } from "./list-entries.ts";
import { type Condition, queryRows, type RowSource, type Timestamp, timeCondition } from "./row-query.ts";
import { dividingLetter } from "./row-titles.ts";

/**
 * The rows of a data source, in the order of their creation: all, or those edited at or after a time. One query gives
 * 10 000 at most, and the next goes on from the minute where that one ended, since the provider knows times to the
 * minute. Where more rows than that were created in one minute, those are read by the minute of their last edit, and
 * where these are too many as well, by the letters in their titles. Throws `nonsense`, after all that can be had, where
 * even so some are withheld.
 */
export async function* rows(
  api: NotionApi,
  dataSourceId: string,
  editedSince: number | null,
  signal: AbortSignal,
): AsyncGenerator<ListEntry> {
  const source = { api, dataSourceId, signal };
  const edited =
    editedSince === null
      ? []
      : [timeCondition("last_edited_time", "on_or_after", startOfMinute(editedSince))];
  let isWhole = true;
  const withhold = () => {
    isWhole = false;
  };
  const byTitle: Narrower = async function* (conditions) {
    try {
      yield* rowsByTitle(source, conditions, [], withhold);
    } catch (error) {
      // Who does not know the filter cannot be asked further.
      if (!(error instanceof ProviderError) || error.code !== "invalid") throw error;
      withhold();
    }
  };
  const byEdit: Narrower = (conditions) => rowsByTime(source, "last_edited_time", conditions, byTitle);
  const seen = new Set<string>();
  for await (const entry of listEntries(rowsByTime(source, "created_time", edited, byEdit), api.dialect)) {
    if (entry.type !== "unsupported") {
      if (seen.has(entry.id)) continue;
      seen.add(entry.id);
    }
    yield entry;
  }
  if (!isWhole)
    throw new ProviderError("nonsense", "More rows of one minute are alike than the provider lists");
}

/** Reads the rows that meet the conditions, in another way than the one that did not get at them all. */
type Narrower = (conditions: readonly Condition[]) => AsyncGenerator<unknown>;

const minute = 60_000;

/** The rows in the order of a timestamp, one query after the other; some come more than once. */
async function* rowsByTime(
  source: RowSource,
  timestamp: Timestamp,
  conditions: readonly Condition[],
  narrower: Narrower,
): AsyncGenerator<unknown> {
  /** The minute that the reading has reached. */
  let reached = Number.NEGATIVE_INFINITY;
  const onwards = () =>
    reached === Number.NEGATIVE_INFINITY
      ? conditions
      : [...conditions, timeCondition(timestamp, "on_or_after", reached)];
  for (;;) {
    const start = reached;
    let first: number | null = null;
    let isWhole = true;
    for await (const answer of queryRows(source, timestamp, onwards)) {
      isWhole &&= !answer.isCut;
      for (const row of answer.rows) {
        reached = minuteAt(row, timestamp) ?? reached;
        first ??= reached;
        yield row;
      }
    }
    if (isWhole) return;
    if (first === null || first < start || reached === Number.NEGATIVE_INFINITY)
      throw new ProviderError("nonsense", "The provider gives other rows than were asked for");
    // That this minute was reached does not mean that it was read to its end; nor may the next query get further.
    if (first === reached) {
      const within = timeCondition(timestamp, "before", reached + minute);
      yield* narrower([...onwards(), within]);
      reached += minute;
    }
  }
}

function minuteAt(row: unknown, timestamp: Timestamp): number | null {
  const time = Date.parse(textAt(row, timestamp) ?? "");
  return Number.isNaN(time) ? null : startOfMinute(time);
}

function startOfMinute(time: number): number {
  return Math.floor(time / minute) * minute;
}

/** Further letters would halve what cannot be so large. */
const maxLetters = 12;

/** The rows, halved by a letter that a title has or has not, and again, until one query gives all. */
async function* rowsByTitle(
  source: RowSource,
  conditions: readonly Condition[],
  letters: readonly string[],
  onWithheld: () => void,
): AsyncGenerator<unknown> {
  const titles: string[] = [];
  let isWhole = true;
  for await (const answer of queryRows(source, "created_time", () => conditions)) {
    isWhole &&= !answer.isCut;
    for (const row of answer.rows) {
      titles.push(titleOf(row));
      yield row;
    }
  }
  if (isWhole) return;
  const letter = letters.length < maxLetters ? dividingLetter(titles, letters) : null;
  if (letter === null) return onWithheld();
  for (const title of [{ contains: letter }, { does_not_contain: letter }])
    yield* rowsByTitle(
      source,
      // A data source has one title, whose id is the same everywhere.
      [...conditions, { property: "title", title }],
      [...letters, letter],
      onWithheld,
    );
}

/** The title of a row as far as it can be read: it only helps to divide the rows. */
function titleOf(row: unknown): string {
  const title = Object.values(Object(at(row, "properties"))).find(
    (property) => textAt(property, "type") === "title",
  );
  return textAt(title, "title", 0, "plain_text") ?? "";
}
