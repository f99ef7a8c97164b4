import { signInErrors } from "@clew/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { originOf } from "../../auth/origin.ts";
import { writeSecurityEvent } from "../../auth/security-log.ts";
import { dashboardUrlWith } from "../../auth/sign-in/dashboard-url.ts";
import { type SignInFailure, signInFailureOf } from "../../auth/sign-in/failure.ts";
import { ProviderError } from "../../provider/port.ts";
import { redirect } from "./redirect.ts";

/**
 * The error handler of the sign-in's routes: whatever went wrong, the person lands on the dashboard, which
 * can tell them why, and never on a bare error (SIGN-4).
 */
export function redirectFailure(dashboardUrl: URL) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const failure = signInFailureOf(error);
    log(request, failure);
    const { code } = failure;
    const fragment = { error: code, error_description: signInErrors[code] };
    redirect(reply, { location: dashboardUrlWith(dashboardUrl, fragment), cookies: [] });
  };
}

/** What people do is told, what the provider does is a warning, what Clew itself does is an error. */
function log(request: FastifyRequest, { code, cause }: SignInFailure): void {
  // What the provider said needs no stack: it did not happen here.
  const line = cause instanceof ProviderError ? { code, reason: cause.message } : { code, err: cause };
  const message = "a sign-in failed";
  if (code === "unavailable") request.log.error(line, message);
  else if (code === "provider_unavailable" || code === "exchange_failed") request.log.warn(line, message);
  else request.log.info({ code }, message);
  // Whoever sends too many requests must not fill the log with them.
  if (code === "rate_limited") return;
  const origin = originOf(request);
  writeSecurityEvent(request.log, { event: "sign_in_failed", outcome: "failure", reason: code, origin });
}
