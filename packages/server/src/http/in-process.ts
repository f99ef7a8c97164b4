import type { App } from "./server.ts";

/** Returns a `fetch` that calls a server of this process, which need not listen. The origin of the address is ignored. */
export function inProcessFetch(app: Pick<App, "inject">): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search, host } = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const answer = await app.inject({
      method: request.method as "GET",
      url: pathname + search,
      headers: { host, ...Object.fromEntries(request.headers) },
      ...(body.length > 0 && { payload: body }),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      for (const one of [value ?? []].flat()) headers.append(name, String(one));
    const { statusCode: status } = answer;
    const isEmpty = status === 204 || status === 304;
    return new Response(isEmpty ? null : Uint8Array.from(answer.rawPayload), { status, headers });
  };
}
