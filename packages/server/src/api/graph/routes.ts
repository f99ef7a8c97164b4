import {
  type GraphInput,
  type GraphOperation,
  graphOperations,
  noQuery,
  type Operation,
  PresentedToken,
  ProposedPath,
  presentedTokenOperation,
  ref,
  serviceTokenQuery,
  workspaceOperations,
} from "@clew/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { noteCall } from "../../activity/record-calls.ts";
import { type Access, requireServiceToken, requireSession } from "../../auth/gate.ts";
import { negotiate } from "../../http/content-negotiation.ts";
import { responseClosed } from "../../http/response-closed.ts";
import { type App, responseTimeoutMs } from "../../http/server.ts";
import { ApiError } from "../../model/api-error.ts";
import { createChangeWaits } from "../../operations/change-waits.ts";
import { proposedPath } from "../../operations/proposed-path.ts";
import type { QueryServices, RequestContext } from "../../operations/request-context.ts";
import { presentPresentedToken } from "../../present/token.ts";
import { type Handler, handlers } from "./handlers.ts";

/**
 * The routes of both audiences: below `/api/v1` for service tokens, below `/api/provider-graph` for sessions. There is one for
 * each row of the contract's table. It validates a request, runs the handler of that name, and has it render the result.
 */
export async function graphRoutes(app: App, services: QueryServices): Promise<void> {
  const { audience } = services;
  const waits = createChangeWaits(services);
  // Before the server waits for the requests that it still serves.
  app.addHook("preClose", async () => waits.close());

  const contextOf = (request: FastifyRequest, reply: FastifyReply): RequestContext => {
    const caller = audience === "v1" ? requireServiceToken(request) : requireSession(request);
    let closed: AbortSignal | undefined;
    return {
      services,
      caller,
      // Few operations wait for anything.
      get signal() {
        closed ??= responseClosed(reply);
        return closed;
      },
    };
  };

  function addRoute<Name extends GraphOperation>(name: Name): void {
    const operation: Operation = graphOperations[name];
    const { path, scopes, parameterScopes = {}, sessionParameters = [], params, responses } = operation;
    const isV1 = audience === "v1";
    const {
      run,
      pages,
      render,
      subject = "The response is",
      extraTimeMs = 0,
    }: Handler<Name> = handlers[name];
    const access: Access = isV1
      ? { kind: "service-token", scopes, parameterScopes, sessionParameters }
      : { kind: "session" };
    const querystring = isV1 ? serviceTokenQuery(operation) : operation.query;
    const schema = { ...(params && { params }), querystring, response: { ...responses } };
    const offered = mediaTypesOf(responses);
    app.get(
      path,
      {
        config: { access, isCompressed: true, ...(isV1 && { operation: name }) },
        schema,
        ...(extraTimeMs > 0 && { handlerTimeout: responseTimeoutMs + extraTimeMs }),
      },
      async (request, reply) => {
        const mediaType = acceptedType(request, offered, subject);
        // Both were validated by the schemas that the input's type is inferred from.
        const input = { ...Object(request.params), ...Object(request.query) } as GraphInput<Name>;
        const ctx = contextOf(request, reply);
        const renew = async () => {
          request.caller = await request.confirmCaller();
          return contextOf(request, reply);
        };
        const exchange = { ctx, input, request, reply, mediaType, waits, renew };
        const result = await run(ctx, input, exchange);
        if (isV1) noteCall(request, { operation: name, pages: () => pages(result, input) });
        return render === undefined ? result : render(result, exchange);
      },
    );
  }

  // The keys of the table are the names.
  for (const name of Object.keys(graphOperations) as GraphOperation[]) addRoute(name);
  if (audience === "v1") registerTokenRoute(app);
  else registerProposedPathRoute(app, contextOf);
}

const json = "application/json";

/** The media types among which the client chooses; parameters choose the others. The first is the default. */
function mediaTypesOf({ 200: response }: Operation["responses"]): readonly string[] {
  const content: object = "content" in response ? Object(response.content) : {};
  return json in content ? Object.keys(content) : [];
}

/** The media type of a response. Throws `ApiError` `not_acceptable`, whose detail begins with `subject`. */
function acceptedType({ headers }: FastifyRequest, offered: readonly string[], subject: string): string {
  if (offered.length === 0) return json;
  const mediaType = negotiate(headers.accept, offered);
  if (mediaType !== null) return mediaType;
  throw new ApiError("not_acceptable", `${subject} available as ${offered.join(" or as ")}.`);
}

/** `GET /api/provider-graph/paths/proposed/`: a path for people who have asked for none (GRAPH-15). */
function registerProposedPathRoute(
  app: App,
  contextOf: (request: FastifyRequest, reply: FastifyReply) => RequestContext,
): void {
  const config = { access: { kind: "session" }, isCompressed: true } as const;
  const schema = { querystring: noQuery, response: { 200: ref(ProposedPath) } };
  app.get(workspaceOperations.proposedPath.path, { config, schema }, (request, reply) =>
    proposedPath(contextOf(request, reply)),
  );
}

/** `GET /api/v1/token/`: the presented service token (GRAPH-14). */
function registerTokenRoute(app: App): void {
  const { path, scopes } = presentedTokenOperation;
  const config = { access: { kind: "service-token", scopes }, operation: "token" } as const;
  const schema = { querystring: noQuery, response: { 200: ref(PresentedToken) } };
  app.get(path, { config, schema }, async (request) => presentPresentedToken(requireServiceToken(request)));
}
