import { isHTTPResponseError } from "@notionhq/client";
import { ProviderError, type ProviderErrorCode } from "../port.ts";
import { retryAfter } from "./http/backoff.ts";
import { textAt } from "./json.ts";

/**
 * What a failed call means. The provider's own words and the answer's body stay out of message and cause: they may
 * hold codes, tokens and people's texts, and errors are logged.
 */
export function failureOf(error: unknown, now: number): ProviderError {
  if (error instanceof ProviderError) return error;
  if (!isHTTPResponseError(error))
    return new ProviderError("nonsense", "The provider's answer makes no sense");
  const code = codeOf(error.status);
  const request = error.request_id === undefined ? "" : `, request ${printable(error.request_id)}`;
  const headers = error.headers instanceof Headers ? error.headers : new Headers();
  return new ProviderError(code, `The provider answered ${error.status} (${error.code}${request})`, {
    retryAfter: retryAfter(headers, now),
  });
}

/**
 * The code of an answer in OAuth's own shape, such as `invalid_grant`; null for any other (RFC 6749, section 5.2).
 */
export function oauthErrorOf(error: unknown): string | null {
  return textAt(bodyOf(error), "error");
}

/** Whether an answer calls the redirect URI the fault, in either of the provider's shapes. */
export function isAboutRedirectUri(error: unknown): boolean {
  const body = bodyOf(error);
  const words = ["error", "error_description", "message"].map((field) => textAt(body, field) ?? "");
  return /redirect_uri/i.test(words.join(" "));
}

function bodyOf(error: unknown): unknown {
  if (!isHTTPResponseError(error) || typeof error.body !== "string") return null;
  try {
    return JSON.parse(error.body);
  } catch {
    return null;
  }
}

function codeOf(status: number): ProviderErrorCode {
  if (status === 401) return "unauthorized";
  if (status === 403) return "refused";
  if (status === 404) return "not_found";
  if (status === 429 || status === 529) return "rate_limited";
  if (status === 409 || status >= 500) return "unavailable";
  return status >= 400 ? "invalid" : "nonsense";
}

function printable(text: string): string {
  return text.slice(0, 64).replaceAll(/[^\w-]/g, "?");
}
