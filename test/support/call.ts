/** A response, whatever its status. */
interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; null if the response has no body. */
  readonly body: Body;
}

/** Sends one request to a path below `base`. Refusals are responses too; the caller names the type of the body. */
export async function call<Body = { code?: string }>(
  base: URL,
  path: string,
  { method = "GET", token, body }: { method?: string; token?: string; body?: unknown } = {},
): Promise<Answer<Body>> {
  const response = await fetch(new URL(path, base), {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? null : JSON.parse(text),
  };
}
