import type { FastifyInstance } from "fastify";
import { ApiError } from "../model/api-error.ts";

/** Bytes of a request body, URL and header section that are read at most (LIM-3). */
export const maximumBody = 64 * 1024;
export const maximumUrl = 8 * 1024;
const maximumHeaders = 16 * 1024;

/** What Node's parser takes before it gives up: it counts the request line and the headers together. */
export const maximumHead = maximumUrl + maximumHeaders;

/** Refuses a URL or a header section that is too large, each by its own name. */
export function registerSizeLimits(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, _reply, done) => {
    if ((raw.url ?? "").length > maximumUrl)
      throw new ApiError("url_too_long", "The URL may have up to 8 KiB.");
    let headers = 0;
    // Each name and value stands with `: ` and a line end around it.
    for (const text of raw.rawHeaders) headers += text.length + 2;
    if (headers > maximumHeaders)
      throw new ApiError("headers_too_large", "The headers may have up to 16 KiB.");
    done();
  });
}
