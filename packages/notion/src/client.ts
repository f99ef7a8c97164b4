import { ProviderError, type ProviderErrorCode } from "@clew/provider";
import { Client, isHTTPResponseError } from "@notionhq/client";
import { type Answer, retryAfter } from "./http/retrying-fetch.ts";
import { textAt } from "./json.ts";

/*
 * Notion's SDK: how it sends requests, and what its errors mean.
 */

/** The version of the provider's API that Clew uses. https://developers.notion.com/reference/versioning */
const apiVersion = "2026-03-11";

export type Send = (url: string, init: RequestInit) => Promise<Answer>;

/**
 * A client that sends its requests through `send`, which also handles timeouts and retries: the SDK retries only some of
 * what may be retried, and its timeout does not cover the body.
 */
export function notionClient(apiUrl: URL, send: Send, accessToken?: string): Client {
  return new Client({
    ...(accessToken === undefined ? {} : { auth: accessToken }),
    baseUrl: apiUrl.href.replace(/\/$/, ""),
    notionVersion: apiVersion,
    retry: false,
    // The maximum of a timer.
    timeoutMs: 2 ** 31 - 1,
    // The SDK would print the bodies of failed answers.
    logger: () => {},
    fetch: (url, init = {}) => send(url, init),
  });
}

/**
 * Turns an error of the SDK into a `ProviderError`. Message and cause do not contain the provider's words or the answer's
 * body, because they may hold codes, tokens and texts, and errors are logged. `now` is the provider's time.
 */
export function toProviderError(error: unknown, now: number): ProviderError {
  if (error instanceof ProviderError) return error;
  if (!isHTTPResponseError(error))
    return new ProviderError("malformed", "failed to read the provider's answer");
  const code = codeOf(error.status);
  const requestId = error.request_id?.slice(0, 64).replaceAll(/[^\w-]/g, "?");
  const request = requestId === undefined ? "" : `, request ${requestId}`;
  const headers = error.headers instanceof Headers ? error.headers : new Headers();
  return new ProviderError(code, `The provider answered ${error.status} (${error.code}${request})`, {
    retryAfter: retryAfter(headers, now),
  });
}

function codeOf(status: number): ProviderErrorCode {
  if (status === 401) return "unauthorized";
  if (status === 403) return "refused";
  if (status === 404) return "not_found";
  if (status === 429 || status === 529) return "rate_limited";
  if (status === 409 || status >= 500) return "unavailable";
  return status >= 400 ? "invalid" : "malformed";
}

/** The code of an OAuth error, such as `invalid_grant`; null for any other error (RFC 6749, section 5.2). */
export function oauthErrorOf(error: unknown): string | null {
  return textAt(bodyOf(error), "error");
}

/** Whether an error is about the redirect URI, in either of the provider's formats. */
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
