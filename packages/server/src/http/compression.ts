import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { acceptsEncoding } from "./content-negotiation.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Whether the route's answers are compressed as clients accept it (ERR-6). Never for answers that may carry a credential: the length of a
     * compressed answer tells what it repeats of the request (BREACH).
     */
    isCompressed?: boolean;
  }
}

/** Bytes up to which an answer is sent as it is: it fits into a packet. */
const minBytes = 1024;

/** Bytes from which another thread compresses: before, handing over takes longer than the work. */
const threadBytes = 128 * 1024;

const brotli = {
  // The cheapest level that is still smaller than gzip's: decision 88 has the figures.
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
};
const fast = { level: constants.Z_BEST_SPEED };

const inThread = {
  br: promisify<Buffer | string, typeof brotli, Buffer>(brotliCompress),
  gzip: promisify<Buffer | string, typeof fast, Buffer>(gzip),
};

/** The encodings, best first. Browsers ask for the first on https and on this machine alone. */
const encodings = {
  br: {
    now: (body: Buffer | string) => brotliCompressSync(body, brotli),
    later: (body: Buffer | string) => inThread.br(body, brotli),
    stream: () => createBrotliCompress(brotli),
  },
  gzip: {
    now: (body: Buffer | string) => gzipSync(body, fast),
    later: (body: Buffer | string) => inThread.gzip(body, fast),
    stream: () => createGzip(fast),
  },
};
type Encoding = keyof typeof encodings;

/**
 * Compresses the answers of routes that say so. Register it before what measures answers. Their entity tags are weak, since one
 * tag stands for the same answer in each encoding (RFC 9110, section 8.8.1).
 */
export function registerCompression(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (request.routeOptions.config?.isCompressed !== true) return done(null, payload);
    // Runs again for the refusal if a stream fails before its first byte.
    reply.removeHeader("content-encoding");
    const vary = String(reply.getHeader("vary"));
    if (!vary.endsWith(", Accept-Encoding")) reply.header("vary", `${vary}, Accept-Encoding`);
    const tag = reply.getHeader("etag");
    if (typeof tag === "string" && tag.startsWith('"')) reply.header("etag", `W/${tag}`);
    const encoding = acceptedEncoding(request, reply);
    const body = encoding === null ? null : compressed(payload, encoding);
    if (body === null) return done(null, payload);
    reply.header("content-encoding", encoding).removeHeader("content-length");
    if (body instanceof Promise) body.then((whole) => done(null, whole), done);
    else done(null, body);
  });
}

/** The encoding of an answer; null if it is sent as it is. */
function acceptedEncoding({ headers }: FastifyRequest, reply: FastifyReply): Encoding | null {
  if (reply.statusCode !== 200 || String(reply.getHeader("content-type")).startsWith("text/event-stream"))
    return null;
  const accepted = headers["accept-encoding"];
  if (acceptsEncoding(accepted, "br")) return "br";
  return acceptsEncoding(accepted, "gzip") ? "gzip" : null;
}

/** The compressed payload; null if it is small or empty. */
function compressed(payload: unknown, encoding: Encoding): Readable | Buffer | Promise<Buffer> | null {
  const { now, later, stream } = encodings[encoding];
  // Either end closes the other. An error reaches Fastify through the stream that it reads.
  if (payload instanceof Readable) return pipeline(payload, stream(), () => {});
  if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return null;
  const bytes = Buffer.byteLength(payload);
  if (bytes <= minBytes) return null;
  return bytes < threadBytes ? now(payload) : later(payload);
}
