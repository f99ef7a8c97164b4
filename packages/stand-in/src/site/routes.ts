import type { FastifyInstance, FastifyReply } from "fastify";
import type { SiteAnswer } from "./answer.ts";
import type { Site } from "./site.ts";

/** The site at the root of a server of the stand-in's own. */
export async function siteRoutes(app: FastifyInstance, site: Site): Promise<void> {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: unknown, body: string | Buffer) => new URLSearchParams(body.toString()),
  );
  app.get("/site.css", (_request, reply) => send(reply, site.style));
  app.get<{ Params: { id: string } }>("/pages/:id", ({ params }, reply) => send(reply, site.page(params.id)));
  app.get("/v1/oauth/authorize", ({ query }, reply) => send(reply, site.ask(query)));
  app.post("/v1/oauth/authorize", async ({ body }, reply) =>
    send(reply, await site.decide(body instanceof URLSearchParams ? body : new URLSearchParams())),
  );
}

function send(reply: FastifyReply, { status, headers, body }: SiteAnswer): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}
