import { type Entry, isRecord, timeOf } from "@clew/folder";
import type { FastifyInstance } from "fastify";
import { databaseJson, dataSourceJson } from "../notion/database-json.ts";
import { pageJson } from "../notion/page-json.ts";
import type { View } from "../notion/view.ts";
import { ApiError, invalid, notFound } from "./api-error.ts";
import { createListings, listJson, pageOf, readPaging } from "./lists.ts";
import { type ApiServices, readBody, readChoice, readId } from "./request.ts";

/** Databases: the containers of data sources. */
export async function databaseRoutes(app: FastifyInstance, { viewOf }: ApiServices): Promise<void> {
  app.get("/v1/databases/:database_id", async (request) => {
    const view = viewOf(request);
    const id = readId("database_id", request.params);
    const database = view.entry(id);
    if (database?.kind !== "database") throw notFound("database", id);
    return databaseJson(database, view);
  });
}

/** Data sources: the schema and the rows of a database. */
export async function dataSourceRoutes(app: FastifyInstance, services: ApiServices): Promise<void> {
  const { viewOf, queryRowLimit } = services;
  const list = createListings();

  app.get("/v1/data_sources/:data_source_id", async (request) => {
    const view = viewOf(request);
    return dataSourceJson(findDatabase(view, readId("data_source_id", request.params)), view);
  });

  app.post("/v1/data_sources/:data_source_id/query", async (request) => {
    const id = readId("data_source_id", request.params);
    const body = readBody(request.body);
    const paging = readPaging("body", body);
    const matches = readFilter(body.filter);
    const order = readSorts(body.sorts);
    const view = viewOf(request);
    const database = findDatabase(view, id);
    const inTrash = body.in_trash === true;
    const rows = list(view, [id, body.filter, body.sorts, inTrash], () =>
      database.children
        .filter((row) => row.kind === "page" && row.inTrash === inTrash && matches(row))
        .sort(order),
    );
    const reached = rows.slice(0, queryRowLimit);
    const part = pageOf(reached, (row) => row.id, paging);
    const answer = listJson(
      "page_or_data_source",
      part.items.map((row) => pageJson(row, view)),
      part.next,
    );
    return rows.length > reached.length && part.next === null
      ? { ...answer, request_status: incomplete }
      : answer;
  });
}

/** The `request_status` of the last page of a query that reached its limit. */
const incomplete = { type: "incomplete", incomplete_reason: "query_result_limit_reached" };

function findDatabase(view: View, id: string): Entry {
  const database = view.workspace.databaseOf(id);
  if (database === null || view.entry(database.id) === null) throw notFound("data source", id);
  return database;
}

const timestamps = ["created_time", "last_edited_time"] as const;

type Timestamp = (typeof timestamps)[number];

const comparisons: Readonly<Record<string, (time: number, limit: number) => boolean>> = {
  equals: (time, limit) => time === limit,
  before: (time, limit) => time < limit,
  after: (time, limit) => time > limit,
  on_or_before: (time, limit) => time <= limit,
  on_or_after: (time, limit) => time >= limit,
};

/**
 * Parses the filter of a query (https://developers.notion.com/reference/filter-data-source-entries). Supports conditions
 * on timestamps, joined by `and` and `or`, but none on properties.
 */
function readFilter(filter: unknown, path = "body.filter"): (row: Entry) => boolean {
  if (filter === undefined) return () => true;
  if (!isRecord(filter)) throw invalid(path, "an object", filter);
  if (Array.isArray(filter.and)) {
    const all = filter.and.map((part, index) => readFilter(part, `${path}.and[${index}]`));
    return (row) => all.every((matches) => matches(row));
  }
  if (Array.isArray(filter.or)) {
    const any = filter.or.map((part, index) => readFilter(part, `${path}.or[${index}]`));
    return (row) => any.some((matches) => matches(row));
  }
  return readCondition(filter, path);
}

function readCondition(filter: Record<string, unknown>, path: string): (row: Entry) => boolean {
  const timestamp = readTimestamp(filter, path);
  const condition = filter[timestamp];
  if (!isRecord(condition)) throw invalid(`${path}.${timestamp}`, "an object", condition);
  const tests = Object.entries(condition).map(([name, value]) => {
    const compare = Object.hasOwn(comparisons, name) ? comparisons[name] : undefined;
    const limit = timeOf(value);
    if (compare === undefined)
      throw invalid(`${path}.${timestamp}`, "a comparison of times", { [name]: value });
    if (limit === null) throw invalid(`${path}.${timestamp}.${name}`, "a valid ISO 8601 date string", value);
    return (row: Entry) => compare(timeIn(row, timestamp), limit);
  });
  return (row) => tests.every((test) => test(row));
}

/** Parses the sorts of a query, which may only name timestamps. Ties are broken by id, so the order is stable. */
function readSorts(sorts: unknown): (a: Entry, b: Entry) => number {
  if (sorts !== undefined && !Array.isArray(sorts)) throw invalid("body.sorts", "an array", sorts);
  const orders = (sorts ?? []).map((sort: unknown, index: number) => {
    const path = `body.sorts[${index}]`;
    if (!isRecord(sort)) throw invalid(path, "an object", sort);
    const timestamp = readTimestamp(sort, path);
    const direction = readChoice(`${path}.direction`, sort.direction, ["ascending", "descending"]);
    const sign = direction === "descending" ? -1 : 1;
    return (a: Entry, b: Entry) => sign * (timeIn(a, timestamp) - timeIn(b, timestamp));
  });
  return (a, b) => {
    for (const order of orders) {
      const difference = order(a, b);
      if (difference !== 0) return difference;
    }
    return a.id < b.id ? -1 : 1;
  };
}

function readTimestamp(source: Record<string, unknown>, path: string): Timestamp {
  if ("property" in source) {
    throw new ApiError(
      "validation_error",
      `${path} names a property: the demo workspace supports only timestamps here.`,
    );
  }
  const timestamp = readChoice(`${path}.timestamp`, source.timestamp, timestamps);
  if (timestamp === null) throw invalid(`${path}.timestamp`, "defined", undefined);
  return timestamp;
}

function timeIn(row: Entry, timestamp: Timestamp): number {
  return timestamp === "created_time" ? row.createdAt : row.editedAt;
}
