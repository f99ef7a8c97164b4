import { type Entry, isRecord } from "@clew/folder";
import type { FastifyInstance } from "fastify";
import { dataSourceJson } from "../notion/database-json.ts";
import { pageJson } from "../notion/page-json.ts";
import { invalid } from "./api-error.ts";
import { createListings, listJson, pageOf, readPaging } from "./lists.ts";
import { type ApiServices, readBody, readChoice } from "./request.ts";

/**
 * Lists the shared pages and data sources whose titles contain the query, all of them without one
 * (https://developers.notion.com/reference/post-search). By default the last edited come first.
 */
export async function searchRoutes(app: FastifyInstance, { viewOf, reload }: ApiServices): Promise<void> {
  const list = createListings();
  app.post("/v1/search", async (request) => {
    const body = readBody(request.body);
    const paging = readPaging("body", body);
    const matches = readMatcher(body);
    const order = readOrder(body.sort);
    if (paging.from === null) await reload();
    const view = viewOf(request);
    const question = [body.query, body.filter, body.sort];
    const found = list(view, question, () => view.entries.filter(matches).sort(order));
    const part = pageOf(found, ({ id }) => id, paging);
    const results = part.items.map((entry) =>
      entry.kind === "page" ? pageJson(entry, view) : dataSourceJson(entry, view),
    );
    return listJson("page_or_data_source", results, part.next);
  });
}

function readMatcher(body: Record<string, unknown>): (entry: Entry) => boolean {
  const { query = "", filter } = body;
  if (typeof query !== "string") throw invalid("body.query", "a string", query);
  const words = query.trim().toLowerCase();
  const kind = readKind(filter);
  const inTrash = isRecord(filter) && filter.in_trash === true;
  return (entry) =>
    entry.inTrash === inTrash &&
    (kind === null || entry.kind === kind) &&
    (words === "" || entry.title.toLowerCase().includes(words));
}

function readKind(filter: unknown): Entry["kind"] | null {
  if (filter === undefined) return null;
  if (!isRecord(filter)) throw invalid("body.filter", "an object", filter);
  if (filter.property === undefined && filter.value === undefined) return null;
  readChoice("body.filter.property", filter.property, ["object"]);
  const value = readChoice("body.filter.value", filter.value, ["page", "data_source"]);
  if (value === null) throw invalid("body.filter.value", '`"page"` or `"data_source"`', undefined);
  return value === "page" ? "page" : "database";
}

function readOrder(sort: unknown): (a: Entry, b: Entry) => number {
  if (sort !== undefined && !isRecord(sort)) throw invalid("body.sort", "an object", sort);
  const { direction, timestamp } = sort ?? {};
  readChoice("body.sort.timestamp", timestamp, ["last_edited_time"]);
  const ascending = readChoice("body.sort.direction", direction, ["ascending", "descending"]) === "ascending";
  const sign = ascending ? 1 : -1;
  return (a, b) => sign * (a.editedAt - b.editedAt) || (a.id < b.id ? -1 : 1);
}
