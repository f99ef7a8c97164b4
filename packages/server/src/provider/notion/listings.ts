import type { QueryDataSourceParameters } from "@notionhq/client";
import { type ListEntry, ProviderError, type SearchEntry } from "../port.ts";
import type { NotionApi } from "./api.ts";
import { parseTime, textAt } from "./json.ts";
import { listEntries } from "./listed-node.ts";
import { answersOf, isCutOff, type ListAnswer, pageSize } from "./pagination.ts";

/** Everything that the provider's search lists. https://developers.notion.com/reference/post-search */
export async function* search(api: NotionApi): AsyncGenerator<SearchEntry> {
  const sort = { timestamp: "last_edited_time", direction: "descending" } as const;
  let isCut = false;
  const results = async function* () {
    for await (const answer of answersOf((cursor) =>
      api.call((client) => client.search({ page_size: pageSize, sort, ...cursor })),
    )) {
      yield* answer.results;
      isCut ||= isCutOff(answer.json);
    }
  };
  yield* listEntries(results(), api.dialect);
  if (isCut) yield { type: "cut" };
}

/** https://developers.notion.com/reference/filter-data-source-entries */
type Filter = Extract<QueryDataSourceParameters["filter"], { and: unknown }>["and"][number];

type Timestamp = "created_time" | "last_edited_time";

/**
 * The rows that match all filters, in the order of a timestamp. `filters` is called again if an expired cursor restarts the
 * query, which may then continue from where it was. https://developers.notion.com/reference/query-a-data-source
 */
type Query = (timestamp: Timestamp, filters: () => readonly Filter[]) => AsyncIterable<ListAnswer>;

/** Timestamps of rows are rounded down to the minute. */
const minuteMs = 60_000;

/**
 * The rows of a data source, in the order of their creation: all, or those edited at or after a time. One query lists
 * 10 000 rows at most, so the next one continues from the minute in which the last one ended. If one minute has more rows than
 * that, they are listed by the minute of their last edit. Throws `malformed` after the last row if even those are too many
 * in one minute.
 */
export async function* rows(
  api: NotionApi,
  dataSourceId: string,
  editedSince: number | null,
): AsyncGenerator<ListEntry> {
  const query: Query = (timestamp, filters) => {
    const sorts: QueryDataSourceParameters["sorts"] = [{ timestamp, direction: "ascending" }];
    let filter = {};
    return answersOf((cursor) => {
      if (cursor.start_cursor === undefined) filter = combined(filters());
      const query = { data_source_id: dataSourceId, page_size: pageSize, sorts, ...filter, ...cursor };
      return api.call(({ dataSources }) => dataSources.query(query));
    });
  };
  const edited = from(editedSince === null ? null : startOfMinute(editedSince), "last_edited_time", []);
  let unlistedMinute: number | null = null;
  const divideByEdit: Divide = (filters) =>
    rowsByTime(query, "last_edited_time", filters, (_, minute) => {
      unlistedMinute = minute;
      return [];
    });
  const found = rowsByTime(query, "created_time", edited, divideByEdit);
  const seen = new Set<string>();
  for await (const entry of listEntries(found, api.dialect)) {
    if (entry.type !== "unsupported") {
      if (seen.has(entry.id)) continue;
      seen.add(entry.id);
    }
    yield entry;
  }
  if (unlistedMinute !== null)
    throw new ProviderError(
      "malformed",
      `The provider lists only some of the rows created within one minute and last edited at ${isoTime(unlistedMinute)}`,
    );
}

/** The rows of a minute that has more of them than one query lists. */
type Divide = (filters: readonly Filter[], minute: number) => AsyncIterable<unknown> | Iterable<unknown>;

/** The rows in the order of a timestamp, query by query; some come twice. */
async function* rowsByTime(
  query: Query,
  timestamp: Timestamp,
  filters: readonly Filter[],
  divide: Divide,
): AsyncGenerator<unknown> {
  /** The minute of the last row. */
  let reached: number | null = null;
  const remaining = () => from(reached, timestamp, filters);
  for (;;) {
    const start: number | null = reached;
    let first: number | null = null;
    let isCut = false;
    for await (const { results, json } of query(timestamp, remaining)) {
      isCut ||= isCutOff(json);
      for (const row of results) {
        reached = minuteOf(row, timestamp) ?? reached;
        first ??= reached;
        yield row;
      }
    }
    if (!isCut) return;
    if (reached === null || first === null || first < (start ?? first))
      throw new ProviderError("malformed", "The provider lists other rows than were asked for");
    // The query did not get beyond one minute, and the next one would not either.
    if (first === reached) {
      yield* divide([...remaining(), timeFilter(timestamp, "before", reached + minuteMs)], reached);
      reached += minuteMs;
    }
  }
}

function combined(filters: readonly Filter[]): Pick<QueryDataSourceParameters, "filter"> {
  const [only, ...others] = filters;
  if (only === undefined) return {};
  return { filter: others.length === 0 ? only : { and: [...filters] } };
}

function from(time: number | null, timestamp: Timestamp, filters: readonly Filter[]): readonly Filter[] {
  return time === null ? filters : [...filters, timeFilter(timestamp, "on_or_after", time)];
}

function timeFilter(timestamp: Timestamp, comparison: "on_or_after" | "before", time: number): Filter {
  const limit = comparison === "before" ? { before: isoTime(time) } : { on_or_after: isoTime(time) };
  return timestamp === "created_time"
    ? { timestamp, created_time: limit }
    : { timestamp, last_edited_time: limit };
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}

function minuteOf(row: unknown, timestamp: Timestamp): number | null {
  const time = parseTime(textAt(row, timestamp) ?? "");
  return time === null ? null : startOfMinute(time);
}

function startOfMinute(time: number): number {
  return Math.floor(time / minuteMs) * minuteMs;
}
