import type { QueryDataSourceParameters } from "@notionhq/client";
import type { NotionApi } from "./api.ts";
import { answersOf, type Cursor, isCutOff, pageSize } from "./listing.ts";

/** The data source whose rows are read. */
export interface RowSource {
  readonly api: NotionApi;
  readonly dataSourceId: string;
  readonly signal: AbortSignal;
}

/** What a row must meet. https://developers.notion.com/reference/filter-data-source-entries */
export type Condition = Extract<QueryDataSourceParameters["filter"], { and: unknown }>["and"][number];

export type Timestamp = "created_time" | "last_edited_time";

/** The rows of one answer, and whether the query ends there although there are more. */
export interface RowAnswer {
  readonly rows: readonly unknown[];
  readonly isCut: boolean;
}

/**
 * Rows that meet all conditions, in the order of a timestamp. A query gives 10 000 at most, and then says that it is
 * cut. The conditions are asked for anew where the query must begin again, and may go on from where it was.
 * https://developers.notion.com/reference/query-a-data-source
 */
export async function* queryRows(
  { api, dataSourceId, signal }: RowSource,
  order: Timestamp,
  conditions: () => readonly Condition[],
): AsyncGenerator<RowAnswer> {
  let filter = {};
  const ask = (cursor: Cursor) => {
    if (cursor.start_cursor === undefined) filter = filterOf(conditions());
    return api.call(signal, (client) =>
      client.dataSources.query({
        data_source_id: dataSourceId,
        page_size: pageSize,
        sorts: [{ timestamp: order, direction: "ascending" }],
        ...filter,
        ...cursor,
      }),
    );
  };
  for await (const { results, json } of answersOf(ask)) yield { rows: results, isCut: isCutOff(json) };
}

function filterOf(conditions: readonly Condition[]): Pick<QueryDataSourceParameters, "filter"> {
  const [only, ...others] = conditions;
  if (only === undefined) return {};
  return { filter: others.length === 0 ? only : { and: [...conditions] } };
}

/** The condition that a time of a row is at a time or later, or before it; in milliseconds since the Unix epoch. */
export function timeCondition(
  timestamp: Timestamp,
  comparison: "on_or_after" | "before",
  time: number,
): Condition {
  const text = new Date(time).toISOString();
  const limit = comparison === "before" ? { before: text } : { on_or_after: text };
  return timestamp === "created_time"
    ? { timestamp, created_time: limit }
    : { timestamp, last_edited_time: limit };
}
