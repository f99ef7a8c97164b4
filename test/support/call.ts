import { createClient, type Response } from "@clew/client";

/** Sends one request to a path below `base`. Refusals are responses too; the caller names the type of the body. */
export function call<Body = { code?: string }>(
  base: URL,
  path: string,
  { method = "GET", token, body }: { method?: string; token?: string; body?: unknown } = {},
): Promise<Response<Body>> {
  return createClient({ baseUrl: base, token }).send<Body>(method, path, { body });
}
