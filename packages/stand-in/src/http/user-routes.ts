import type { Workspace } from "@clew/folder";
import type { FastifyInstance } from "fastify";
import { botJson, type JsonObject, personJson } from "../notion/object-json.ts";
import type { Grant } from "../oauth/state-file.ts";
import { ApiError, notFound } from "./api-error.ts";
import { listJson, pageOf, readPaging } from "./lists.ts";
import { type ApiServices, readId } from "./request.ts";

/** The people of the workspace, and the bot that a grant makes. */
export async function userRoutes(app: FastifyInstance, { viewOf, grantOf }: ApiServices): Promise<void> {
  app.get("/v1/users/me", async (request) => meJson(grantOf(request), viewOf(request).workspace));

  app.get("/v1/users", async (request) => {
    const { workspace } = viewOf(request);
    const people = workspace.people.map((person) => ({ id: person.id, json: personJson(person) }));
    const grant = grantOf(request);
    const users = [...people, { id: grant.botId, json: meJson(grant, workspace) }];
    const part = pageOf(users, ({ id }) => id, readPaging("query", request.query));
    return listJson(
      "user",
      part.items.map(({ json }) => json),
      part.next,
    );
  });

  app.get("/v1/users/:user_id", async (request) => {
    const id = readId("user_id", request.params);
    const { workspace } = viewOf(request);
    const grant = grantOf(request);
    if (id === grant.botId) return meJson(grant, workspace);
    const person = workspace.people.find((one) => one.id === id);
    if (person === undefined) throw notFound("user", id);
    return personJson(person);
  });
}

function meJson(grant: Grant, workspace: Workspace): JsonObject {
  const owner = workspace.people.find(({ id }) => id === grant.personId);
  if (owner === undefined) throw new ApiError("unauthorized", "API token is invalid.");
  return botJson(grant.botId, grant.clientId, owner, workspace);
}
