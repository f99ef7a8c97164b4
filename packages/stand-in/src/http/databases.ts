import type { FastifyInstance } from "fastify";
import { databaseJson } from "../notion/database-json.ts";
import { notFound } from "./api-error.ts";
import type { ApiParts } from "./api-parts.ts";
import { readId } from "./reading.ts";

/** Databases: the containers of data sources. */
export async function databaseRoutes(app: FastifyInstance, { viewOf }: ApiParts): Promise<void> {
  app.get("/v1/databases/:database_id", async (request) => {
    const view = viewOf(request);
    const id = readId("database_id", request.params);
    const database = view.entry(id);
    if (database?.kind !== "database") throw notFound("database", id);
    return databaseJson(database, view);
  });
}
