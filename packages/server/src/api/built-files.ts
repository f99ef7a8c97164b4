import { extname } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { acceptsEncoding, entityTag, matchesEntityTag } from "../http/content-negotiation.ts";

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
};

/** The encodings of a compressed file, best first. */
export const encodings = ["br", "gzip"] as const;

/** One encoding of a file; `null` is the file itself. */
export interface Variant {
  readonly encoding: (typeof encodings)[number] | null;
  readonly etag: string;
  readonly body: Buffer;
}

/** Makes a variant of a file. `facts` are all that its bytes depend on, but for the encoding. */
export function variantOf(
  encoding: Variant["encoding"],
  body: Buffer,
  facts: readonly (string | number)[],
): Variant {
  return { encoding, etag: entityTag([...facts, encoding ?? ""]), body };
}

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

/** The headers of a page that is built ahead. */
export const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
};

/** Pages of other origins keep no hold of the window. */
export const isolated = { "cross-origin-opener-policy": "same-origin" };

/** Options of a route for what is built ahead. A page view would log a line for each of its files. */
export const open = {
  schema: { hide: true },
  config: { access: { kind: "open" } },
  logLevel: "warn",
} as const;

/** Sends the best variant of a file that the client accepts, or 304 if the client has it. The name tells the media type. */
export function sendVariant(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  variants: readonly Variant[],
) {
  const accepted = request.headers["accept-encoding"];
  const { encoding, etag, body } =
    variants.find(({ encoding }) => encoding !== null && acceptsEncoding(accepted, encoding)) ??
    identityOf(variants);
  reply.headers({
    "content-type": mediaTypes[extname(name)] ?? "application/octet-stream",
    vary: `${reply.getHeader("vary")}, Accept-Encoding`,
    etag,
  });
  if (encoding !== null) reply.header("content-encoding", encoding);
  return sendUnlessKnown(request, reply, etag, body);
}

/** Sends a body, or 304 if the client has it. */
export function sendUnlessKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  body: string | Buffer,
) {
  return matchesEntityTag(request.headers["if-none-match"], etag) ? reply.code(304).send() : reply.send(body);
}

function identityOf(variants: readonly Variant[]): Variant {
  const identity = variants.find(({ encoding }) => encoding === null);
  if (identity === undefined) throw new Error("a file that is built ahead lacks its own bytes");
  return identity;
}
