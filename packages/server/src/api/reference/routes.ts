import { readReferenceFrame } from "@clew/dashboard";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../config/config.ts";
import { entityTag } from "../../http/content-negotiation.ts";
import type { App } from "../../http/server.ts";
import { ApiError } from "../../model/api-error.ts";
import type { Sources } from "../../providers/sources.ts";
import { isolated, pageHeaders, sendUnlessKnown } from "../built-files.ts";
import { examples } from "../openapi/examples.ts";
import { topicIdOf } from "./document.ts";
import { renderLlms } from "./llms.ts";
import { Reference } from "./pages.ts";

const open = { schema: { hide: true }, config: { access: { kind: "open" }, isCompressed: true } } as const;
const anyPage = { ...open, config: { ...open.config, hasPages: true } } as const;

/**
 * `GET /docs/api` and what is below it: the reference of the API for people. `GET /llms.txt`: where everything is, for
 * language models. Each text is made when it is first asked for: all routes are known by then.
 */
export async function referenceRoutes(
  app: App,
  { config, sources }: { config: Pick<Config, "publicUrl">; sources: Pick<Sources, "products"> },
): Promise<void> {
  const url = config.publicUrl.href.replace(/\/$/, "");
  const base = `${config.publicUrl.pathname.replace(/\/$/, "")}/docs/`;
  const frame = (await readReferenceFrame()).replace('href="./"', `href="${base}"`);
  let reference: Reference | null = null;
  const texts = new Map<string, Text>();

  const send = (request: FastifyRequest, reply: FastifyReply, name: string, make: () => string | null) => {
    const text = texts.get(name) ?? textOf(make());
    texts.set(name, text);
    reply.headers({ ...pageHeaders, ...isolated, "cache-control": "no-cache", etag: text.etag });
    return sendUnlessKnown(request, reply, text.etag, text.body);
  };
  const pages = () => {
    reference ??= new Reference(app.swagger(), { url, frame, examples });
    return reference;
  };

  app.get("/docs/api", open, (request, reply) => send(request, reply, "", () => pages().overview()));
  app.get<{ Params: { id: string } }>("/docs/api/:id", anyPage, (request, reply) => {
    const { id } = request.params;
    // An operation that sessions have too is on the same page.
    if (topicIdOf(id) !== id && pages().operation(topicIdOf(id)) !== null)
      return reply.redirect(`${base}api/${topicIdOf(id)}#session`);
    return send(request, reply, id, () => pages().operation(id));
  });
  app.get<{ Params: { name: string } }>("/docs/api/messages/:name", anyPage, (request, reply) =>
    send(request, reply, `messages/${request.params.name}`, () => pages().message(request.params.name)),
  );
  app.get("/llms.txt", open, (request, reply) => {
    const text = texts.get("llms.txt") ?? textOf(renderLlms(url, sources.products()));
    texts.set("llms.txt", text);
    reply.headers({
      "cache-control": "no-cache",
      "content-type": "text/plain; charset=utf-8",
      etag: text.etag,
    });
    return sendUnlessKnown(request, reply, text.etag, text.body);
  });
}

interface Text {
  readonly body: string;
  readonly etag: string;
}

function textOf(body: string | null): Text {
  if (body === null) throw new ApiError("not_found", "The reference has no such page.");
  return { body, etag: entityTag([body]) };
}
