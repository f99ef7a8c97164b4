import { once } from "node:events";
import { Neighbors, NodeDetail, Paths, ref, SearchResults } from "@clew/contract";
import Fastify from "fastify";
import { messages } from "../../packages/server/src/http/messages.ts";
import type { Operation } from "./load.ts";

// The reference: a Fastify route for each measured row that returns prepared objects, serialised through the same schema as
// Clew's. It has no authentication, limits, hooks or lookups. The objects are answers that Clew gave; they arrive in one
// message.

const schemas = { search: SearchResults, node: NodeDetail, neighbors: Neighbors, paths: Paths };
const [message] = await once(process, "message");
const bodies: Readonly<Record<string, readonly unknown[]>> = message;
const app = Fastify();
for (const schema of messages) app.addSchema(schema);
for (const [row, answers] of Object.entries(bodies)) {
  const operation = row.split("-", 1)[0] as Operation;
  let asked = 0;
  app.get(`/${row}`, { schema: { response: { 200: ref(schemas[operation]) } } }, async () => {
    asked += 1;
    return answers[asked % answers.length];
  });
}
process.send?.(await app.listen({ host: "127.0.0.1", port: 0 }));
