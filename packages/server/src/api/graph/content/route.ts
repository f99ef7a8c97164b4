import { Content, ContentQuery, graphLimits, Problem, ref } from "@clew/contract";
import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { Refusal } from "../../../model/refusal.ts";
import { presentContent, type Text } from "../../../present/content.ts";
import type { PlacedNode } from "../../../publication/readable.ts";
import type { Database } from "../../../store/database.ts";
import { readContent } from "../../../store/graph-reading.ts";
import type { App } from "../../app-instance.ts";
import { nextLink } from "../../next-link.ts";
import { routeOf } from "../door.ts";
import { NodePath } from "../node.ts";
import { idInPath, nodeAmong } from "../node-ids.ts";
import { graphsFor, type Reading } from "../reading.ts";
import { negotiate } from "./accept.ts";
import { entityTag, isKnown } from "./entity-tag.ts";

/** What a text is served as: JSON where the caller does not care. */
const mediaTypes = ["application/json", "text/markdown"] as const;

/** `GET …/nodes/<id>/content/`: a page's text, as JSON or as the Markdown alone (GRAPH-5). */
export function contentRoute(app: App, reading: Reading): void {
  const { path, summary, config } = routeOf(reading.door, "content");
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
      const id = idInPath(request.params.id);
      const text = await textOf(reading.database, nodeAmong(await graphsFor(reading, request), id));
      const tag = entityTag([text.digest, text.updatedAt, mediaType, offset, maxChars]);
      // Kept by the caller, asked about each time: the text may change and access may end (ERR-6).
      reply.headers({ etag: tag, "cache-control": "private, no-cache" });
      if (isKnown(request.headers["if-none-match"], tag)) return reply.code(304).send(null);
      const content = presentContent(text, { offset, maxChars });
      if (content.next_offset !== null) {
        reply.header("link", nextLink(request.url, "offset", String(content.next_offset)));
      }
      return mediaType === "application/json" ? content : sendMarkdown(reply, content.markdown);
    },
  );
}

type MediaType = (typeof mediaTypes)[number];

function acceptable(accept: string | undefined): MediaType {
  const mediaType = negotiate(accept, mediaTypes);
  if (mediaType !== null) return mediaType;
  throw new Refusal("not_acceptable", `A text is served as ${mediaTypes.join(" or as ")}.`);
}

/**
 * A node's text: the last that was read, even while a newer one is awaited. Databases have none, and pages none yet
 * before their first sync: their text is empty, and `content_state` of the node's detail says why.
 */
async function textOf(database: Database, { source, node }: PlacedNode): Promise<Text & { digest: string }> {
  const stored = await readContent(database.read, source.connection.id, node.id);
  const none = { markdown: "", totalChars: 0, digest: "", updatedAt: node.updatedAt };
  return { nodeId: node.id, ...(stored ?? none) };
}

/** Markdown alone is somebody's text on our origin: browsers must run nothing of it (ERR-6). */
function sendMarkdown(reply: FastifyReply, markdown: string): FastifyReply {
  return reply
    .type("text/markdown; charset=utf-8")
    .header("content-security-policy", "sandbox")
    .send(markdown);
}
