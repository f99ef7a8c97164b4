import { Content, ContentQuery, graphLimits, Problem, ref } from "@clew/contract";
import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { entityTag, matchesEntityTag, negotiate } from "../../http/content-negotiation.ts";
import type { App } from "../../http/server.ts";
import { ApiError } from "../../model/api-error.ts";
import { content } from "../../operations/nodes.ts";
import type { QueryServices } from "../../operations/request-context.ts";
import { presentContent } from "../../present/graph.ts";
import { nextLink } from "../list-page.ts";
import { contextOf, NodePath, routeOf } from "./audience.ts";

/** The first is the default. */
const mediaTypes = ["application/json", "text/markdown"] as const;

/** `GET …/nodes/<id>/content/`: a page's text, as JSON or as plain Markdown (GRAPH-5). */
export function contentRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "content");
  app.get(
    path,
    {
      config,
      schema: {
        summary,
        params: NodePath,
        querystring: ContentQuery,
        response: {
          200: {
            description: "A part of the text",
            content: {
              "application/json": { schema: ref(Content) },
              "text/markdown": { schema: Type.String() },
            },
          },
          304: Type.Null({ description: "The client already has this part of the text" }),
          default: ref(Problem),
        },
      },
    },
    async (request, reply) => {
      const { offset = 0, max_chars: maxChars = graphLimits.content.standardChars } = request.query;
      const mediaType = negotiate(request.headers.accept, mediaTypes);
      if (mediaType === null)
        throw new ApiError("not_acceptable", `Texts are available as ${mediaTypes.join(" or as ")}.`);
      const text = await content(contextOf(services, request), request.params);
      const tag = entityTag([text.digest, text.updatedAt, mediaType, offset, maxChars]);
      // Clients may store it but must revalidate: the text may change and access may end (ERR-6).
      reply.headers({ etag: tag, "cache-control": "private, no-cache" });
      if (matchesEntityTag(request.headers["if-none-match"], tag)) return reply.code(304).send(null);
      const part = presentContent(text, { offset, maxChars });
      if (part.next_offset !== null)
        reply.header("link", nextLink(request.url, "offset", String(part.next_offset)));
      return mediaType === "application/json" ? part : sendMarkdown(reply, part.markdown);
    },
  );
}

/** Page texts are user content on Clew's origin: browsers must not run anything in them (ERR-6). */
function sendMarkdown(reply: FastifyReply, markdown: string): FastifyReply {
  return reply
    .type("text/markdown; charset=utf-8")
    .header("content-security-policy", "sandbox")
    .send(markdown);
}
