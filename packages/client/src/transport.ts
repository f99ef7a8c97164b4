import { isConfidential } from "./confidential.ts";
import { ConnectionError, ResponseError } from "./errors.ts";
import type { RequestOptions } from "./options.ts";

export interface ClientOptions {
  /** Clew's public URL. */
  readonly url: URL | string;
  /** A service token (`svc_…`) or the access token of a session; some operations need none. */
  readonly token?: string | undefined;
  /** By default the platform's own. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The number of times that a read is repeated if it was limited, found no service or got no whole response; 3 by default. */
  readonly retries?: number | undefined;
  /** The milliseconds that an attempt waits for the beginning of its response; a minute by default. */
  readonly timeoutMs?: number | undefined;
  /** The longest that a read waits before it is repeated, in milliseconds; a minute by default. */
  readonly maxWaitMs?: number | undefined;
  /** Waits, and rejects with the signal's reason if that ends the wait. By default a timer. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Milliseconds since the Unix epoch, for a `Retry-After` that is a date. By default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** A number from 0 to 1, which spreads the waits of clients that failed together. By default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** A request to a path below Clew's URL. `name` stands for it in errors. */
interface OutgoingRequest extends RequestOptions {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly body?: unknown;
}

export type Transport = ReturnType<typeof createTransport>;

/** Statuses of a service that may be back soon. */
const transientStatuses = new Set([429, 502, 503, 504]);

/** The wait before the first repetition, on average; each further one doubles it. */
const firstWaitMs = 500;

/** Sends requests with one credential, and repeats reads that may succeed later. Throws `TypeError` if others could read the credential. */
export function createTransport(options: ClientOptions) {
  const { token, retries = 3, maxWaitMs = 60_000, timeoutMs = 60_000 } = options;
  const { sleep = wait, now = Date.now, random = Math.random } = options;
  // Browsers refuse a fetch that is called as the method of another object.
  const send: typeof globalThis.fetch = (...request) => (options.fetch ?? globalThis.fetch)(...request);
  const base = new URL(`${String(options.url).replace(/\/$/, "")}/`);
  if (token !== undefined && !isConfidential(base))
    throw new TypeError(`${base.origin} must be https: others on the way could read the token`);

  async function attempt<Result>(
    { name, method, path, query, body, signal }: OutgoingRequest,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const url = new URL(path, base);
    if (query !== undefined) url.search = String(query);
    const headers = new Headers();
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    if (body !== undefined) headers.set("content-type", "application/json");
    const timeout = new AbortController();
    const timer = setTimeout(
      () => timeout.abort(new Error(`no response within ${timeoutMs / 1000} seconds`)),
      timeoutMs,
    );
    try {
      const response = await send(url, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([timeout.signal, ...(signal === undefined ? [] : [signal])]),
      }).finally(() => clearTimeout(timer));
      if (response.ok) return await read(response);
      const retryAfterMs = readRetryAfter(response.headers.get("retry-after"), now());
      throw new ResponseError(name, response.status, parsed(await response.text()), retryAfterMs);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof ResponseError ? error : new ConnectionError(name, error);
    }
  }

  /** Milliseconds to wait before the request is repeated; null if it must not be. */
  function waitAfter(error: unknown, attempts: number): number | null {
    if (attempts > retries) return null;
    const backoffMs = firstWaitMs * 2 ** (attempts - 1) * (0.5 + random());
    if (error instanceof ConnectionError) return Math.min(backoffMs, maxWaitMs);
    if (!(error instanceof ResponseError) || !transientStatuses.has(error.status)) return null;
    const waitMs = error.retryAfterMs ?? backoffMs;
    return waitMs <= maxWaitMs ? waitMs : null;
  }

  return {
    /** Whether it reads at `/api/v1` or, with an access token, as a session. */
    isServiceToken: token?.startsWith("svc_") ?? false,

    /**
     * Sends a request, and reads its response if that is a success. Repeats it only if it is a read, which changes nothing:
     * what a broken connection carried may have happened. Throws a `ResponseError` or a `ConnectionError`.
     */
    async request<Result>(
      outgoing: OutgoingRequest,
      read: (response: Response) => Promise<Result>,
    ): Promise<Result> {
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await attempt(outgoing, read);
        } catch (error) {
          const waitMs = outgoing.method === "GET" ? waitAfter(error, attempts) : null;
          if (waitMs === null) throw error;
          await sleep(waitMs, outgoing.signal);
        }
      }
    },
  };
}

/** A body as JSON, or as text if it is not JSON: proxies answer with pages. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `Retry-After` (RFC 9110, section 10.2.3), in milliseconds from now; null without one that can be read. */
function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
