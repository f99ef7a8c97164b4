import type { FastifyInstance } from "fastify";

/** A `fetch` that calls a Fastify server in this process. Only the path and query of the address matter. */
export function inProcessFetch(app: FastifyInstance): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const answer = app.inject({
      // Fastify types only known methods, but responds to unknown ones with 404.
      method: request.method as "GET",
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(body.byteLength === 0 ? {} : { payload: body }),
    });
    const { statusCode: status, headers, rawPayload } = await untilAborted(answer, request.signal);
    return new Response(hasBody(status) ? new Uint8Array(rawPayload) : null, {
      status,
      headers: entriesOf(headers),
    });
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
