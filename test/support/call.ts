/** An answer of Clew's API. */
export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/**
 * One request to Clew's API at a path below `base`, with a bearer token and a JSON body where they are given. The
 * answer's body is taken for what the caller says it is; null where there is none.
 */
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
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}
