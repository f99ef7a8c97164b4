import type { TestContext } from "node:test";
import { listObject, pageObject } from "./api-objects.ts";
import { type Arrived, type ProviderServer, sendError, sendJson, startProvider } from "./provider-server.ts";

/** A row; its times are minutes of one day. */
export interface Row {
  readonly created: number;
  readonly edited: number;
}

/** How the provider limits its answers. */
export interface ListLimits {
  /** Rows that one query lists. */
  readonly limit: number;
  /** Rows of one answer. */
  readonly pageSize: number;
  /** Whether the cursor of a request, counted from 1, has expired. */
  readonly hasExpired?: (request: number) => boolean;
}

/** A time of rows as milliseconds since the Unix epoch. */
export function timeOfMinute(count: number): number {
  return Date.UTC(2026, 0, 1, 0, count);
}

const isoTime = (count: number) => new Date(timeOfMinute(count)).toISOString();

/**
 * Starts a provider with one data source, which supports the filters and sorts that Clew uses. The number of a row is its
 * index in the list. https://developers.notion.com/reference/query-a-data-source
 */
export function startDataSource(
  test: TestContext,
  rows: readonly Row[],
  { limit, pageSize, hasExpired = () => false }: ListLimits,
): Promise<ProviderServer> {
  const pages = rows.map(({ created, edited }, number) => ({
    ...pageObject(number),
    created_time: isoTime(created),
    last_edited_time: isoTime(edited),
  }));
  let requests = 0;
  return startProvider(test, ({ body }: Arrived, response) => {
    requests += 1;
    const { filter, sorts, start_cursor: cursor } = JSON.parse(body);
    if (cursor !== undefined && hasExpired(requests)) return sendError(response, 400, "validation_error");
    const matching = pages.filter((page) => matches(page, filter));
    const key: "created_time" | "last_edited_time" = sorts[0].timestamp;
    const listed = matching.toSorted((a, b) => a[key].localeCompare(b[key])).slice(0, limit);
    const start = Number(cursor ?? 0);
    const end = start + pageSize;
    const isLast = end >= listed.length;
    const isCut = isLast && matching.length > listed.length;
    const status = { type: "incomplete", incomplete_reason: "query_result_limit_reached" };
    sendJson(
      response,
      listObject(listed.slice(start, end), isLast ? null : `${end}`, isCut ? { request_status: status } : {}),
    );
  });
}

interface Filter {
  readonly and?: readonly Filter[];
  readonly created_time?: Comparison;
  readonly last_edited_time?: Comparison;
}

interface Comparison {
  readonly on_or_after?: string;
  readonly before?: string;
}

function matches(page: { created_time: string; last_edited_time: string }, filter: Filter = {}): boolean {
  const { and = [], created_time: created, last_edited_time: edited } = filter;
  return (
    and.every((part) => matches(page, part)) &&
    isWithin(page.created_time, created) &&
    isWithin(page.last_edited_time, edited)
  );
}

function isWithin(time: string, { on_or_after: from = "", before = "9" }: Comparison = {}): boolean {
  return time >= from && time < before;
}
