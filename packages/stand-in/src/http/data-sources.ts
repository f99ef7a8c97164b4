import type { FastifyInstance } from "fastify";
import { dataSourceJson } from "../notion/database-json.ts";
import { pageJson } from "../notion/page-json.ts";
import type { View } from "../notion/view.ts";
import type { Entry } from "../workspace/entry.ts";
import { notFound } from "./api-error.ts";
import type { ApiParts } from "./api-parts.ts";
import { createListings } from "./listings.ts";
import { listJson, pageOf, readPaging } from "./paging.ts";
import { readBody, readId } from "./reading.ts";
import { readFilter, readSorts } from "./row-query.ts";

/** Data sources: the schema and the rows of a database. */
export async function dataSourceRoutes(app: FastifyInstance, parts: ApiParts): Promise<void> {
  const { viewOf, queryRowLimit } = parts;
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

/** What the last page of a query says that stopped before the end. */
const incomplete = { type: "incomplete", incomplete_reason: "query_result_limit_reached" };

function findDatabase(view: View, id: string): Entry {
  const database = view.workspace.databaseOf(id);
  if (database === null || view.entry(database.id) === null) throw notFound("data source", id);
  return database;
}
