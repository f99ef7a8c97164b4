import { Content, ContentQuery, graphLimits, Problem, ref } from "@clew/contract";
import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../http/server.ts";
import { ApiError } from "../../../model/api-error.ts";
import { content } from "../../../operations/content.ts";
import type { QueryServices } from "../../../operations/request-context.ts";
import { presentContent } from "../../../present/content.ts";
import { nextLink } from "../../next-link.ts";
import { contextOf, routeOf } from "../audience.ts";
import { NodePath } from "../node.ts";
import { negotiate } from "./accept.ts";
import { entityTag, isKnown } from "./entity-tag.ts";

/** What a text is served as: JSON where the caller does not care. */
const mediaTypes = ["application/json", "text/markdown"] as const;

/** `GET …/nodes/<id>/content/`: a page's text, as JSON or as the Markdown alone (GRAPH-5). */
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
          304: Type.Null({ description: "The caller has this part of the text already" }),
          default: ref(Problem),
        },
      },
    },
    async (request, reply) => {
      const { offset = 0, max_chars: maxChars = graphLimits.content.standardChars } = request.query;
      const mediaType = acceptable(request.headers.accept);
      const text = await content(contextOf(services, request), request.params);
      const tag = entityTag([text.digest, text.updatedAt, mediaType, offset, maxChars]);
      // Kept by the caller, asked about each time: the text may change and access may end (ERR-6).
      reply.headers({ etag: tag, "cache-control": "private, no-cache" });
      if (isKnown(request.headers["if-none-match"], tag)) return reply.code(304).send(null);
      const part = presentContent(text, { offset, maxChars });
      if (part.next_offset !== null) {
        reply.header("link", nextLink(request.url, "offset", String(part.next_offset)));
      }
      return mediaType === "application/json" ? part : sendMarkdown(reply, part.markdown);
    },
  );
}

type MediaType = (typeof mediaTypes)[number];

function acceptable(accept: string | undefined): MediaType {
  const mediaType = negotiate(accept, mediaTypes);
  if (mediaType !== null) return mediaType;
  throw new ApiError("not_acceptable", `A text is served as ${mediaTypes.join(" or as ")}.`);
}

/** Markdown alone is somebody's text on our origin: browsers must run nothing of it (ERR-6). */
function sendMarkdown(reply: FastifyReply, markdown: string): FastifyReply {
  return reply
    .type("text/markdown; charset=utf-8")
    .header("content-security-policy", "sandbox")
    .send(markdown);
}
