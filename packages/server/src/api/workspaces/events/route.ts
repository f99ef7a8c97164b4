import type { Readable } from "node:stream";
import { closed, Problem, ref, SyncEvent, workspaceOperations } from "@clew/contract";
import { Type } from "typebox";
import { requireSession } from "../../../auth/gate.ts";
import type { App } from "../../../http/server.ts";
import { ownConnection, WorkspacePath } from "../own-connection.ts";
import { type EventStreams, streamLifetimeMs } from "./streams.ts";

interface EventServices {
  readonly eventStreams: EventStreams;
}

/**
 * `GET …/workspaces/<id>/events`: the progress of a workspace's sync as server-sent events (GRAPH-15). Clients read it with
 * fetch, because `EventSource` cannot send the credential's header.
 */
export function eventsRoute(app: App, services: EventServices): void {
  const { path, summary } = workspaceOperations.events;
  const schema = { summary, params: WorkspacePath, querystring: closed({}) };
  const headers = { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" };
  const config = { access: { kind: "session" } } as const;
  const events = { schema: Type.Unsafe<Readable>(ref(SyncEvent)) };
  const response = {
    200: {
      description: "Server-sent events, each with this object as data",
      content: { "text/event-stream": events },
    },
    default: ref(Problem),
  };

  app.get(
    path,
    {
      config,
      exposeHeadRoute: false,
      // The default would end the whole response after seconds.
      handlerTimeout: streamLifetimeMs + 60_000,
      schema: { ...schema, response },
    },
    async (request, reply) => {
      const caller = requireSession(request);
      const { id } = ownConnection(caller, request.params.id);
      const lastEventId = request.headers["last-event-id"];
      const body = await services.eventStreams.open(
        caller,
        id,
        typeof lastEventId === "string" ? lastEventId : null,
      );
      body.once("close", () => request.log.info({ ms: Math.round(reply.elapsedTime) }, "event stream ended"));
      return reply.headers(headers).send(body);
    },
  );

  app.head(path, { config, schema: { ...schema, hide: true } }, async (request, reply) => {
    ownConnection(requireSession(request), request.params.id);
    return reply.headers(headers).send();
  });
}
