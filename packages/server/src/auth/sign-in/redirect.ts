import { connectParameter, type SignInErrorCode } from "@clew/contract";
import type { Config } from "../../config/config.ts";
import { ApiError } from "../../model/api-error.ts";

/** The response of a sign-in step: a redirect of the browser. */
export interface Redirect {
  readonly location: string;
  /** Values of `Set-Cookie` headers. */
  readonly cookies: readonly string[];
}

/** The address to which the provider sends people back (SIGN-1). The authorization and the token request must name the same URL. */
export const callbackUrl = (publicUrl: URL): string => signInUrl(publicUrl, "callback");

/** The page that asks for a one-time code in place of the provider's consent screen (SIGN-12). */
export const codeUrl = (publicUrl: URL): string => signInUrl(publicUrl, "code");

/** The address at which a browser begins to sign in (SIGN-1). */
export const startUrl = (publicUrl: URL): string => signInUrl(publicUrl, "");

const signInUrl = (publicUrl: URL, step: "" | "callback" | "code") =>
  `${publicUrl.href.replace(/\/$/, "")}/api/integrations/auth/provider/${step}`;

/** The page of the dashboard on which a person decides about an app's request (APP-4). It is always Clew's own. */
export function connectUrl(publicUrl: URL, request: string): URL {
  const url = new URL(`${publicUrl.href.replace(/\/$/, "")}/dashboard/connect`);
  url.searchParams.set(connectParameter, request);
  return url;
}

/** The page at which a sign-in ends: the dashboard, or the page about the app's request that it leads back to. */
export function signInTarget(
  { publicUrl, dashboardUrl }: Pick<Config, "publicUrl" | "dashboardUrl">,
  request: string | null,
): URL {
  return request === null ? dashboardUrl : connectUrl(publicUrl, request);
}

/**
 * The dashboard's URL with values in its fragment, which browsers send to no server. A space becomes `%20`, which both
 * form decoding and plain percent-decoding read back.
 */
export function dashboardUrlWith(dashboardUrl: URL, values: Readonly<Record<string, string>>): string {
  const url = new URL(dashboardUrl);
  url.hash = new URLSearchParams(values).toString().replaceAll("+", "%20");
  return url.href;
}

/** A sign-in that failed. The code is public; the cause goes to the log only (SIGN-4). */
export class SignInFailure extends Error {
  readonly code: SignInErrorCode;

  constructor(code: SignInErrorCode, cause?: unknown) {
    super(`The sign-in failed: ${code}`, { cause });
    this.name = "SignInFailure";
    this.code = code;
  }
}

/** Gives any error of a sign-in its public code. */
export function signInFailureOf(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error;
  return new SignInFailure(codeOf(error), error);
}

/** Any other refusal came before the state was read, so the state is reported as invalid. */
function codeOf(error: unknown): SignInErrorCode {
  if (!(error instanceof ApiError)) return "unavailable";
  if (error.code === "rate_limited") return "rate_limited";
  return error.code === "internal" || error.code === "unavailable" ? "unavailable" : "invalid_state";
}
