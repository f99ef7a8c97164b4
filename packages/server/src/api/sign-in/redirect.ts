import { connectParameter, type ProblemCode, signInErrors } from "@clew/contract";
import { type Provider, ProviderError } from "@clew/provider";
import { parseCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isSecret } from "../../auth/browser-cookies.ts";
import { originOf, writeSecurityEvent } from "../../auth/security-log.ts";
import { isState, requestOfState } from "../../auth/sign-in/attempt.ts";
import { finishSignIn, type SignInServices } from "../../auth/sign-in/finish.ts";
import {
  dashboardUrlWith,
  type Redirect,
  type SignInFailure,
  signInFailureOf,
  signInTarget,
} from "../../auth/sign-in/redirect.ts";
import type { Config } from "../../config/config.ts";
import { formOf } from "../../http/form-body.ts";
import type { Limits } from "../../http/limits/rate-limits.ts";
import { ApiError } from "../../model/api-error.ts";

export interface SignInRouteServices extends Omit<SignInServices, "log"> {
  readonly limits: Pick<Limits, "signIn">;
}

export interface SourceRouteServices extends SignInRouteServices {
  /** The source whose name the path has; null for the word `provider`, which means the first one for a sign-in (SIGN-7). */
  readonly source: Provider | null;
}

/** The time that a sign-in waits for the provider: less than proxies and browsers wait for Clew. */
const providerTimeoutMs = 8_000;

/**
 * Answers 302, and 303 to a form, so that the browser does not send its values again (RFC 9700, section 4.12). The response is not
 * stored and sends no referrer, since both URLs contain secrets (SIGN-3).
 */
export function redirect(reply: FastifyReply, { location, cookies }: Redirect): FastifyReply {
  return reply
    .headers({ "cache-control": "no-store", "referrer-policy": "no-referrer", "set-cookie": [...cookies] })
    .redirect(location, reply.request.method === "POST" ? 303 : 302);
}

/** Finishes a sign-in with the query that the provider's redirect has. */
export async function finish(
  services: SignInRouteServices,
  returned: { readonly source: Provider | null; readonly query: unknown },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const cookies = parseCookie(request.headers.cookie ?? "");
  const callback = { ...returned, cookies, origin: originOf(request) };
  const signal = AbortSignal.timeout(providerTimeoutMs);
  return redirect(reply, await finishSignIn({ ...services, log: request.log }, callback, signal));
}

/** Refusals of requests that did not come from a page of Clew, which are not redirected to it. */
const foreign: readonly ProblemCode[] = ["misdirected_request", "origin_not_allowed"];

/**
 * The error handler of the sign-in routes: redirects to the page at which the sign-in was to end, which explains the error
 * (SIGN-4).
 */
export function redirectFailure(config: Pick<Config, "publicUrl" | "dashboardUrl">) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (error instanceof ApiError && foreign.includes(error.code)) throw error;
    const failure = signInFailureOf(error);
    logFailure(request, failure);
    const { code } = failure;
    const fragment = { error: code, error_description: signInErrors[code] };
    const target = signInTarget(config, requestIn(request));
    redirect(reply, { location: dashboardUrlWith(target, fragment), cookies: [] });
  };
}

/** The app's request that a sign-in leads back to: its start names it, all later steps have it in the state. */
export function requestIn(request: FastifyRequest): string | null {
  const query: Readonly<Record<string, unknown>> = Object(request.query);
  const { [connectParameter]: named, state = formOf(request).get("state") } = query;
  if (typeof named === "string" && isSecret(named)) return named;
  return typeof state === "string" && isState(state) ? requestOfState(state) : null;
}

/** Log levels: error for a failure of Clew, warning for one of the provider, information for one of the person. */
function logFailure(request: FastifyRequest, { code, cause }: SignInFailure): void {
  // The stack is useless for an error at the provider.
  const line = cause instanceof ProviderError ? { code, reason: cause.message } : { code, err: cause };
  const message = "a sign-in failed";
  if (code === "unavailable") request.log.error(line, message);
  else if (code === "provider_unavailable" || code === "exchange_failed") request.log.warn(line, message);
  else request.log.info({ code }, message);
  // A flood of requests must not fill the security log.
  if (code === "rate_limited") return;
  const origin = originOf(request);
  writeSecurityEvent(request.log, { event: "sign_in_failed", outcome: "failure", reason: code, origin });
}
