import {
  AppToken,
  OAuthError,
  type OAuthErrorCode,
  type ProblemCode,
  problems,
  RegisteredClient,
  ref,
} from "@clew/contract";
import { parseCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Clients } from "../../auth/apps/clients.ts";
import { type ExchangeServices, exchangeCode } from "../../auth/apps/exchange.ts";
import { ClientFault, OAuthFault } from "../../auth/apps/faults.ts";
import type { Registrations } from "../../auth/apps/registrations.ts";
import { type AppRequestServices, beginAuthorization } from "../../auth/apps/requests.ts";
import { revokeAppToken } from "../../auth/apps/revocation.ts";
import { credentialHash } from "../../auth/draw-credential.ts";
import { noteSecurityFacts, originOf, writeSecurityEvent } from "../../auth/security-log.ts";
import type { Buckets } from "../../buckets/buckets.ts";
import { formOf, registerFormBody } from "../../http/form-body.ts";
import { type Limits, limitSignIn } from "../../http/limits/rate-limits.ts";
import { logFailure } from "../../http/request-log.ts";
import type { App } from "../../http/server.ts";
import { toApiError } from "../../http/to-api-error.ts";
import { ApiError } from "../../model/api-error.ts";
import { isLoopback } from "../../model/loopback.ts";
import { redirect } from "../sign-in/redirect.ts";
import { readFaultPage, type SendFaultPage } from "./fault-page.ts";

export interface OAuthRouteServices extends Omit<AppRequestServices, "config">, ExchangeServices {
  readonly clients: Pick<Clients, "isKnown" | "known" | "resolve">;
  readonly registrations: Pick<Registrations, "register">;
  readonly limits: Pick<Limits, "signIn">;
  /** Finds the bucket of a code or a token; left out if there is one alone. */
  readonly buckets?: Pick<Buckets, "ofCode" | "ofServiceToken"> | undefined;
}

/** `/oauth`: the endpoints of the authorization server (APP-3 to APP-5). */
export async function oauthRoutes(app: App, services: OAuthRouteServices): Promise<void> {
  const { config, database, registrations, clock, limits, buckets } = services;
  const open = { access: { kind: "open", limit: "own" } } as const;
  const shared = { onRequest: limitSignIn(limits) };
  const answering = <const Responses extends object>(responses: Responses) => ({
    schema: { hide: true, response: { ...responses, default: ref(OAuthError) } },
  });
  const answerFault = sendOAuthError(database.isUnavailable);
  const sendFaultPage = await readFaultPage(config);

  app.get(
    "/authorize",
    {
      ...shared,
      schema: { hide: true },
      config: open,
      exposeHeadRoute: false,
      errorHandler: showFault(sendFaultPage, database.isUnavailable),
    },
    async (request, reply) => {
      const { publicUrl } = config;
      const target = request.raw.url ?? "";
      // The cookie of one loopback name is not sent to another.
      if (
        request.hostname !== publicUrl.hostname &&
        isLoopback(request.hostname) &&
        isLoopback(publicUrl.hostname)
      )
        return redirect(reply, { location: publicUrl.origin + target, cookies: [] });
      const query = new URL(target, publicUrl).searchParams;
      const cookies = parseCookie(request.headers.cookie ?? "");
      return redirect(
        reply,
        await beginAuthorization(services, { query, reachedHost: request.host, cookies }),
      );
    },
  );

  app.post(
    "/register",
    {
      ...shared,
      ...answering({ 201: ref(RegisteredClient) }),
      config: { ...open, anyOrigin: true },
      errorHandler: answerFault,
    },
    async (request, reply) => {
      reply.header("cache-control", "no-store");
      return reply.code(201).send(await registrations.register(request.body, clock()));
    },
  );

  await app.register(async (forms) => {
    registerFormBody(forms);

    forms.post(
      "/token",
      {
        ...shared,
        ...answering({ 200: ref(AppToken) }),
        config: { ...open, anyOrigin: true, securityEvent: "token_created" },
        errorHandler: answerFault,
      },
      async (request, reply) => {
        const origin = originOf(request);
        const presented = {
          form: formOf(request),
          isAuthorized: request.headers.authorization !== undefined,
          reachedHost: request.host,
          origin,
        };
        const bucket = await buckets?.ofCode(credentialHash(presented.form.get("code") ?? ""));
        const { message, token } = await exchangeCode(
          { ...services, ...bucket },
          presented,
          ({ id, userId }) => {
            const event = { event: "token_revoked", outcome: "success", reason: "code_reused" } as const;
            writeSecurityEvent(request.log, { ...event, tokenId: id, userId, origin });
          },
        );
        noteSecurityFacts(request, { userId: token.userId, tokenId: token.id });
        // RFC 6749, section 5.1.
        return reply.headers({ "cache-control": "no-store", pragma: "no-cache" }).send(message);
      },
    );

    forms.post(
      "/revoke",
      { ...shared, ...answering({ 200: Type.Object({}) }), config: open, errorHandler: answerFault },
      async (request, reply) => {
        const origin = originOf(request);
        const form = formOf(request);
        const bucket = await buckets?.ofServiceToken(credentialHash(form.get("token") ?? ""));
        const revoked = await revokeAppToken({ ...services, ...bucket }, { form, origin });
        if (revoked !== null) {
          const event = { event: "token_revoked", outcome: "success", reason: "app_disconnected" } as const;
          writeSecurityEvent(request.log, { ...event, tokenId: revoked.id, userId: revoked.userId, origin });
        }
        reply.header("cache-control", "no-store");
        return reply.send({});
      },
    );
  });
}

/** Whether a request named another host, which has no OAuth here. */
const isForeign = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "misdirected_request";

/** Shows a person why their browser goes no further. */
function showFault(sendFaultPage: SendFaultPage, isUnavailable: (error: unknown) => boolean) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (isForeign(error)) throw error;
    if (error instanceof ClientFault) {
      request.log.info({ reason: error.message }, "refused an app's request");
      sendFaultPage(reply, 400, error.message);
      return;
    }
    const apiError = toApiError(error, isUnavailable);
    const { status } = problems[apiError.code];
    logFailure(request.log, error, apiError);
    sendFaultPage(reply.headers(apiError.headers), status, apiError.message);
  };
}

/** The errors of OAuth for refusals that are not about OAuth. All others are `invalid_request`. */
const oauthCodes: Partial<Record<ProblemCode, OAuthErrorCode>> = {
  rate_limited: "temporarily_unavailable",
  unavailable: "temporarily_unavailable",
  internal: "server_error",
};

/** Answers with an error of OAuth instead of a problem document (RFC 6749, section 5.2; RFC 7591, section 3.2.2; ERR-1). */
function sendOAuthError(isUnavailable: (error: unknown) => boolean) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (isForeign(error)) throw error;
    reply.header("cache-control", "no-store");
    if (error instanceof OAuthFault) {
      // RFC 6749, section 5.2: 401 names the scheme that the client tried; one that tried none has nothing to try again.
      const isUnauthorized = error.code === "invalid_client" && request.headers.authorization !== undefined;
      if (isUnauthorized) reply.header("www-authenticate", 'Basic realm="clew"');
      reply.code(isUnauthorized ? 401 : 400).send({ error: error.code, error_description: error.message });
      return;
    }
    const apiError = asAboutForms(toApiError(error, isUnavailable));
    const { status } = problems[apiError.code];
    logFailure(request.log, error, apiError);
    reply
      .code(status)
      .headers(apiError.headers)
      .send({ error: oauthCodes[apiError.code] ?? "invalid_request", error_description: apiError.message });
  };
}

/** `token` and `revoke` take forms, and nothing else of Clew's API does. */
function asAboutForms(error: ApiError): ApiError {
  if (error.code !== "unsupported_media_type") return error;
  return new ApiError(error.code, "The content type is not the one that this endpoint takes.", {
    cause: error,
  });
}
