import type { TestContext } from "node:test";
import { listObject, pageObject, richText } from "./api-objects.ts";
import { type Arrived, type ProviderServer, sendError, sendJson, startProvider } from "./provider-server.ts";

/** A row; its times are minutes of one day. */
export interface Row {
  readonly created: number;
  readonly edited: number;
  readonly title: string;
}

/** How a data source is short of the whole. */
export interface Shortness {
  /** Rows that one query goes through. */
  readonly limit: number;
  /** Rows of one answer. */
  readonly pageSize: number;
  /** Whether the cursor of a question, counted from 1, has expired. */
  readonly hasExpired?: (question: number) => boolean;
}

const minutes = (count: number) => new Date(Date.UTC(2026, 0, 1, 0, count)).toISOString();

/** A time of rows as milliseconds since the Unix epoch. */
export function timeOfMinute(count: number): number {
  return Date.UTC(2026, 0, 1, 0, count);
}

/**
 * Starts a provider with one data source, which knows the filters and sorts that Clew uses. The number of a row is its
 * place in the list. https://developers.notion.com/reference/query-a-data-source
 */
export function startDataSource(
  test: TestContext,
  rows: readonly Row[],
  { limit, pageSize, hasExpired = () => false }: Shortness,
): Promise<ProviderServer> {
  const pages = rows.map(({ created, edited, title }, number) => ({
    ...pageObject(number),
    created_time: minutes(created),
    last_edited_time: minutes(edited),
    properties: { Name: { id: "title", type: "title", title: richText(title) } },
    title,
  }));
  let questions = 0;
  return startProvider(test, ({ body }: Arrived, response) => {
    questions += 1;
    const { filter, sorts, start_cursor: cursor } = JSON.parse(body);
    if (cursor !== undefined && hasExpired(questions)) return sendError(response, 400, "validation_error");
    const matching = pages.filter((page) => meets(page, filter));
    const key: "created_time" | "last_edited_time" = sorts[0].timestamp;
    const reached = matching.toSorted((a, b) => a[key].localeCompare(b[key])).slice(0, limit);
    const start = Number(cursor ?? 0);
    const end = start + pageSize;
    const isLast = end >= reached.length;
    const isCut = isLast && matching.length > reached.length;
    const status = { type: "incomplete", incomplete_reason: "query_result_limit_reached" };
    sendJson(
      response,
      listObject(
        reached.slice(start, end),
        isLast ? null : `${end}`,
        isCut ? { request_status: status } : {},
      ),
    );
  });
}

interface Filter {
  readonly and?: readonly Filter[];
  readonly created_time?: Comparison;
  readonly last_edited_time?: Comparison;
  readonly title?: { readonly contains?: string; readonly does_not_contain?: string };
}

interface Comparison {
  readonly on_or_after?: string;
  readonly before?: string;
}

function meets(
  page: { created_time: string; last_edited_time: string; title: string },
  filter: Filter = {},
): boolean {
  const { and = [], created_time: created, last_edited_time: edited, title = {} } = filter;
  const letters = page.title.toLowerCase();
  return (
    and.every((part) => meets(page, part)) &&
    isWithin(page.created_time, created) &&
    isWithin(page.last_edited_time, edited) &&
    letters.includes(title.contains ?? "") &&
    (title.does_not_contain === undefined || !letters.includes(title.does_not_contain))
  );
}

function isWithin(time: string, { on_or_after: from = "", before = "9" }: Comparison = {}): boolean {
  return time >= from && time < before;
}
