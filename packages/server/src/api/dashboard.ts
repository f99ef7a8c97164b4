import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { directory } from "@clew/dashboard";
import { type Config, isLoopback } from "../config/config.ts";
import type { App } from "../http/server.ts";

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** This origin and nothing else: no inline script, no frame, no request to any other host, no text read as markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/**
 * Whether the browser came by another name of this machine than PUBLIC_URL has, 127.0.0.1 for localhost say.
 * Cookies of the one are not sent to the other, so a sign-in begun there could not end here.
 */
function isOtherName(asked: string, own: string): boolean {
  return asked !== own && isLoopback(asked) && isLoopback(own);
}

/** The dashboard's files, read once at start, each at its name below `/dashboard`. */
export async function dashboardRoutes(app: App, { config }: { config: Config }): Promise<void> {
  const base = `${config.publicUrl.pathname.replace(/\/$/, "")}/dashboard/`;
  const serve = (path: string, name: string, body: Buffer) => {
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    const headers = {
      "content-type": mediaTypes[extname(name)] ?? "application/octet-stream",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-cache",
      etag,
    };
    // Thirty lines of log for each page that somebody opens would bury the others.
    const open = { schema: { hide: true }, config: { access: { kind: "open" } }, logLevel: "warn" } as const;
    app.get(path, open, async (request, reply) => {
      if (isOtherName(request.hostname, config.publicUrl.hostname))
        return reply.redirect(`${config.publicUrl.origin}${request.url}`);
      reply.headers(headers);
      return request.headers["if-none-match"] === etag ? reply.code(304).send() : reply.send(body);
    });
  };
  for (const name of await readdir(directory)) {
    const body = await readFile(join(directory, name));
    if (name !== "index.html") serve(`/dashboard/${name}`, name, body);
    // The page may be opened with and without a trailing slash; its own links start from one base.
    else serve("/dashboard", name, Buffer.from(body.toString().replace('href="./"', `href="${base}"`)));
  }
}
