import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { directory } from "@clew/dashboard";
import type { Config } from "../config/config.ts";
import { entityTag, matchesEntityTag } from "../http/content-negotiation.ts";
import type { App } from "../http/server.ts";
import { isLoopback } from "../model/loopback.ts";

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Only this origin: no inline script, no frame, no request to another host, no text parsed as markup. */
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
 * Whether the browser used another loopback name than PUBLIC_URL, such as 127.0.0.1 for localhost. Cookies of one name
 * are not sent to the other, so a sign-in that starts there would fail.
 */
function isOtherLoopbackName(asked: string, own: string): boolean {
  return asked !== own && isLoopback(asked) && isLoopback(own);
}

/** The dashboard's files, read once at start, each at its name below `/dashboard`. */
export async function dashboardRoutes(app: App, { config }: { config: Config }): Promise<void> {
  const base = `${config.publicUrl.pathname.replace(/\/$/, "")}/dashboard/`;
  const serve = (path: string, name: string, body: Buffer) => {
    const etag = entityTag([body.toString("latin1")]);
    const headers = {
      "content-type": mediaTypes[extname(name)] ?? "application/octet-stream",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-cache",
      etag,
    };
    // A page view would log thirty lines.
    const open = { schema: { hide: true }, config: { access: { kind: "open" } }, logLevel: "warn" } as const;
    app.get(path, open, async (request, reply) => {
      if (isOtherLoopbackName(request.hostname, config.publicUrl.hostname))
        return reply.redirect(`${config.publicUrl.origin}${request.url}`);
      reply.headers(headers);
      return matchesEntityTag(request.headers["if-none-match"], etag)
        ? reply.code(304).send()
        : reply.send(body);
    });
  };
  for (const name of await readdir(directory)) {
    const body = await readFile(join(directory, name));
    if (name !== "index.html") serve(`/dashboard/${name}`, name, body);
    // With and without a trailing slash, the links of the page start from one base.
    else serve("/dashboard", name, Buffer.from(body.toString().replace('href="./"', `href="${base}"`)));
  }
}
