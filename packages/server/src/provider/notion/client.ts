import { Client } from "@notionhq/client";
import type { Answer, Request } from "./http/answer.ts";

/** The version of the provider's API that Clew speaks. https://developers.notion.com/reference/versioning */
const version = "2026-03-11";

/** How a client sends its requests. */
export type Send = (request: Request) => Promise<Answer>;

/**
 * The provider's SDK over `send`, which alone decides about time and repetition: the SDK repeats only some of what
 * may be repeated, and its time limit does not cover the body.
 */
export function notionClient(apiUrl: URL, send: Send, accessToken?: string): Client {
  return new Client({
    ...(accessToken === undefined ? {} : { auth: accessToken }),
    baseUrl: apiUrl.href.replace(/\/$/, ""),
    notionVersion: version,
    retry: false,
    // The longest that a timer takes.
    timeoutMs: 2 ** 31 - 1,
    // It would write bodies of failed answers to the console.
    logger: () => {},
    fetch: (url, { method, headers, body } = {}) =>
      send({ url, init: { method: method ?? "GET", headers: headers ?? {}, body: body ?? null } }),
  });
}
