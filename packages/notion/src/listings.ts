import { type ListEntry, ProviderError, type ProviderErrorCode, type SearchEntry } from "@clew/provider";
import type { QueryDataSourceParameters } from "@notionhq/client";
import type { NotionApi } from "./api.ts";
import { OversizedAnswerError } from "./http/retrying-fetch.ts";
import { parseTime, textAt } from "./json.ts";
import { listEntries } from "./listed-node.ts";
import { answersOf, isCutOff, type ListAnswer, type Paging } from "./pagination.ts";

/** Entries of the first answer, if the caller expects to need few. */
const fewEntries = 10;

/** Everything that the provider's search lists. https://developers.notion.com/reference/post-search */
export async function* search(
  api: NotionApi,
  { few = false }: { readonly few?: boolean } = {},
): AsyncGenerator<SearchEntry> {
  let isCut = false;
  const sized = ({ page_size, ...paging }: Paging): Paging => ({
    ...paging,
    page_size: few && paging.start_cursor === undefined ? Math.min(page_size, fewEntries) : page_size,
  });
  const results = async function* (direction: Direction) {
    const sort = { timestamp: "last_edited_time", direction } as const;
    for await (const answer of answersOf((paging) =>
      api.call((client) => client.search({ sort, ...sized(paging) })),
    )) {
      yield* answer.results;
      isCut ||= isCutOff(answer.json);
    }
  };
  const found = fromBothEnds(
    () => results("descending"),
    () => results("ascending"),
  );
  yield* listEntries(found, api.dialect);
  if (isCut) yield { type: "cut" };
}

/** Failures that leave the trash unlisted. Whole listings then notice what is missing. */
const withoutTrash: readonly ProviderErrorCode[] = ["invalid", "malformed", "refused"];

/** The pages and databases in the trash that were edited last: one answer, since only those of late are wanted. */
export async function* trashed(api: NotionApi): AsyncGenerator<ListEntry> {
  const sort = { timestamp: "last_edited_time", direction: "descending" } as const;
  const filter = { in_trash: true };
  const ask = (paging: Paging) => api.call((client) => client.search({ sort, filter, ...paging }));
  const first = async function* () {
    for await (const { results } of answersOf(ask)) return yield* results;
  };
  try {
    yield* listEntries(first(), api.dialect);
  } catch (error) {
    if (!(error instanceof ProviderError) || !withoutTrash.includes(error.code)) throw error;
  }
}

type Direction = "ascending" | "descending";

/**
 * A list in one order. If an entry is too large for any answer, no cursor leads past it: then the list follows in the
 * reverse order, up to that entry from behind, and the error is thrown last.
 */
async function* fromBothEnds(
  forward: () => AsyncIterable<unknown>,
  backward: () => AsyncIterable<unknown>,
): AsyncGenerator<unknown> {
  try {
    yield* forward();
  } catch (error) {
    if (!(error instanceof OversizedAnswerError)) throw error;
    try {
      yield* backward();
    } catch (end) {
      if (!(end instanceof OversizedAnswerError)) throw end;
    }
    throw error;
  }
}

/** https://developers.notion.com/reference/filter-data-source-entries */
type Filter = Extract<QueryDataSourceParameters["filter"], { and: unknown }>["and"][number];

type Timestamp = "created_time" | "last_edited_time";

/**
 * The rows that match all filters, in the order of a timestamp. `filters` is called again if an expired cursor restarts the
 * query, which may then continue from where it was. https://developers.notion.com/reference/query-a-data-source
 */
type Query = (
  timestamp: Timestamp,
  filters: () => readonly Filter[],
  direction?: Direction,
) => AsyncIterable<ListAnswer>;

/** Queries in a row without a new row after which a list counts as endless. Each repeats a minute of the one before. */
const maxIdleQueries = 10;

/** Timestamps of rows are rounded down to the minute. */
const minuteMs = 60_000;

/**
 * The rows of a data source, in the order of their creation: all, or those edited at or after a time. One query lists
 * 10 000 rows at most, so the next one continues from the minute in which the last one ended. If one minute has more rows than
 * that, they are listed by the minute of their last edit. Throws `malformed` after the last row if even those are too many
 * in one minute, or if one row is too large for any answer.
 */
export async function* rows(
  api: NotionApi,
  dataSourceId: string,
  editedSince: number | null,
): AsyncGenerator<ListEntry> {
  const seen = new Set<string>();
  let seenBefore = -1;
  let idleQueries = 0;
  const query: Query = (timestamp, filters, direction = "ascending") => {
    idleQueries = seen.size > seenBefore ? 0 : idleQueries + 1;
    seenBefore = seen.size;
    if (idleQueries === maxIdleQueries)
      throw new ProviderError("malformed", `${maxIdleQueries} queries in a row listed no new row`);
    const sorts: QueryDataSourceParameters["sorts"] = [{ timestamp, direction }];
    let filter = {};
    return answersOf((paging) => {
      if (paging.start_cursor === undefined) filter = combined(filters());
      const query = { data_source_id: dataSourceId, sorts, ...filter, ...paging };
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
  const found = fromBothEnds(
    () => rowsByTime(query, "created_time", edited, divideByEdit),
    () => resultsOf(query("created_time", () => edited, "descending")),
  );
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

async function* resultsOf(answers: AsyncIterable<ListAnswer>): AsyncGenerator<unknown> {
  for await (const { results } of answers) yield* results;
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
