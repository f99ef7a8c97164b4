import type { Readable } from "node:stream";
import { closed, Problem, ref, SyncEvent, workspaceOperations } from "@clew/contract";
import { Type } from "typebox";
import { requireSession } from "../../../auth/gate.ts";
import type { App } from "../../../http/server.ts";
import { type OwnConnectionParts, ownConnection, WorkspacePath } from "../own-connection.ts";
import { type EventStreams, streamLifetime } from "./streams.ts";

interface Parts extends OwnConnectionParts {
  readonly eventStreams: EventStreams;
}

/**
 * `GET …/workspaces/<id>/events`: the progress of a workspace's sync as server-sent events (GRAPH-15), to be read with
 * fetch, since its credential is in the header alone.
 */
export function eventsRoute(app: App, parts: Parts): void {
  const { path, summary } = workspaceOperations.events;
  const schema = { summary, params: WorkspacePath, querystring: closed({}) };
  const headers = { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" };
  const config = { access: { kind: "session" } } as const;
  const events = { schema: Type.Unsafe<Readable>(ref(SyncEvent)) };
  const response = {
    200: { description: "Events, each with this as its data", content: { "text/event-stream": events } },
    default: ref(Problem),
  };

  app.get(
    path,
    {
      config,
      exposeHeadRoute: false,
      // The first byte goes out at once; what it bounds otherwise is the whole answer.
      handlerTimeout: streamLifetime + 60_000,
      schema: { ...schema, response },
    },
    async (request, reply) => {
      const caller = requireSession(request);
      const { id } = await ownConnection(parts, caller, request.params.id);
      const lastEventId = request.headers["last-event-id"];
      const body = await parts.eventStreams.open(
        caller,
        id,
        typeof lastEventId === "string" ? lastEventId : null,
      );
      body.once("close", () => request.log.info({ ms: Math.round(reply.elapsedTime) }, "a stream has ended"));
      return reply.headers(headers).send(body);
    },
  );

  app.head(path, { config, schema: { ...schema, hide: true } }, async (request, reply) => {
    await ownConnection(parts, requireSession(request), request.params.id);
    return reply.headers(headers).send();
  });
}
