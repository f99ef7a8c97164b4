import type { FastifyInstance } from "fastify";

/** A request that can be sent between threads. */
export interface PlainRequest {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** An answer that can be sent between threads. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Answers requests with a Fastify server that need not listen. */
export function answerWith(app: FastifyInstance): (request: PlainRequest) => Promise<PlainAnswer> {
  return async ({ method, path, headers, body }) => {
    const {
      statusCode,
      headers: given,
      rawPayload,
    } = await app.inject({
      // Fastify types only known methods, but responds to unknown ones with 404.
      method: method as "GET",
      url: path,
      headers,
      ...(body.byteLength === 0
        ? {}
        : { payload: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }),
    });
    return { status: statusCode, headers: entriesOf(given), body: new Uint8Array(rawPayload) };
  };
}

/** A `fetch` that calls `answer`. Only the path and query of the address matter. */
export function inProcessFetch(
  answer: (request: PlainRequest) => Promise<PlainAnswer>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const answered = answer({
      method: request.method,
      path: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: new Uint8Array(await request.arrayBuffer()),
    });
    const { status, headers, body } = await untilAborted(answered, request.signal);
    const entries = headers.map(([name, value]): [string, string] => [name, value]);
    return new Response(hasBody(status) ? body : null, { status, headers: entries });
  };
}

function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Statuses without a body (https://fetch.spec.whatwg.org/#null-body-status). */
const hasBody = (status: number) => ![204, 205, 304].includes(status);

function entriesOf(
  headers: Readonly<Record<string, string | string[] | number | undefined>>,
): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
  );
}
