import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { connectPage, directory, pages } from "@clew/dashboard";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config/config.ts";
import { acceptsEncoding, entityTag, matchesEntityTag } from "../http/content-negotiation.ts";
import type { HtmlPage } from "../http/not-found-page.ts";
import type { App } from "../http/server.ts";
import { isLoopback } from "../model/loopback.ts";

const mediaTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Compressed copies of a file that were made ahead, best first: the encoding, and the end of the copy's name. */
const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Only this origin: no inline script, no frame, no request to another host, no text parsed as markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
};

/** Pages of other origins keep no hold of the window. */
const isolated = { "cross-origin-opener-policy": "same-origin" };

// A page view would log a line for each of its files.
const open = { schema: { hide: true }, config: { access: { kind: "open" } }, logLevel: "warn" } as const;

/** The page for browsers that ask for a path that does not exist. */
export async function readNotFoundPage(config: Config): Promise<HtmlPage> {
  return { headers: { ...pageHeaders, ...isolated }, body: await readPage(config, "not-found.html") };
}

/**
 * The dashboard's files, read once at start: `index.html` at the path of each view, and the files that it loads, which
 * never change under their names.
 */
export async function dashboardRoutes(app: App, { config }: { config: Config }): Promise<void> {
  const page = await readPage(config, "index.html");
  const headers = { ...pageHeaders, "cache-control": "no-cache", etag: entityTag([page]) };
  for (const path of pages) {
    // A program in a browser opens a window for the consent, which reports to it once it is back on the program's page.
    const pageOnly = path === connectPage ? headers : { ...headers, ...isolated };
    app.get(`/dashboard${path.replace(/\/$/, "")}`, open, async (request, reply) => {
      if (isOtherLoopbackName(request.hostname, config.publicUrl.hostname))
        return reply.redirect(`${config.publicUrl.origin}${request.url}`);
      return sendUnlessKnown(request, reply.headers(pageOnly), headers.etag, page);
    });
  }
  for (const { name, variants } of await readAssets())
    app.get(`/dashboard/assets/${name}`, open, async (request, reply) => {
      const accepted = request.headers["accept-encoding"];
      const { encoding, etag, body } =
        variants.find(({ encoding }) => encoding !== null && acceptsEncoding(accepted, encoding)) ??
        identityOf(variants);
      reply.headers({
        "content-type": mediaTypes[extname(name)] ?? "application/octet-stream",
        "cache-control": "public, max-age=31536000, immutable",
        vary: `${reply.getHeader("vary")}, Accept-Encoding`,
        etag,
      });
      if (encoding !== null) reply.header("content-encoding", encoding);
      return sendUnlessKnown(request, reply, etag, body);
    });
}

/**
 * Whether the browser used another loopback name than PUBLIC_URL, such as 127.0.0.1 for localhost. Cookies of one name
 * are not sent to the other, so a sign-in that starts there would fail.
 */
function isOtherLoopbackName(asked: string, own: string): boolean {
  return asked !== own && isLoopback(asked) && isLoopback(own);
}

function sendUnlessKnown(request: FastifyRequest, reply: FastifyReply, etag: string, body: string | Buffer) {
  return matchesEntityTag(request.headers["if-none-match"], etag) ? reply.code(304).send() : reply.send(body);
}

/** A page that is built with the dashboard. Its links start from one base, whatever its own path is. */
export async function readPage({ publicUrl }: Pick<Config, "publicUrl">, name: string): Promise<string> {
  const base = `${publicUrl.pathname.replace(/\/$/, "")}/dashboard/`;
  return (await readFile(join(directory, name), "utf8")).replace('href="./"', `href="${base}"`);
}

/** One encoding of a file; `null` is the file itself. */
interface Variant {
  readonly encoding: string | null;
  readonly etag: string;
  readonly body: Buffer;
}

async function readAssets(): Promise<{ name: string; variants: Variant[] }[]> {
  const folder = join(directory, "assets");
  const names = (await readdir(folder)).filter((name) => !encodings.some(([, end]) => name.endsWith(end)));
  return Promise.all(
    names.map(async (name) => {
      const variants = [...encodings, [null, ""] as const].map(async ([encoding, end]) => ({
        encoding,
        etag: entityTag([name, encoding ?? ""]),
        body: await readFile(join(folder, name + end)),
      }));
      return { name, variants: await Promise.all(variants) };
    }),
  );
}

function identityOf(variants: readonly Variant[]): Variant {
  const identity = variants.find(({ encoding }) => encoding === null);
  if (identity === undefined) throw new Error("a file of the dashboard lacks its own bytes");
  return identity;
}
