import type { App } from "../../../http/server.ts";

/** A response to a browser. */
export interface Arrival {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The redirect's target without its fragment. */
  readonly location: string;
  /** The fragment's values by name. */
  readonly fragment: Readonly<Record<string, string>>;
  /** The `Set-Cookie` headers by the cookie's name. */
  readonly cookies: ReadonlyMap<string, string>;
  readonly text: string;
}

/** A browser with its own cookies. */
export interface Browser {
  readonly cookies: Map<string, string>;
  /** Opens a path below the sign-in's, optionally with more headers. */
  open(path: string, headers?: Record<string, string>, method?: "GET" | "HEAD"): Promise<Arrival>;
  /** Begins a sign-in, and returns the state that was sent to the provider. */
  begin(): Promise<string>;
  /** Sends a form to a path below the sign-in's, optionally with more headers. A list of fields may repeat a name. */
  send(
    path: string,
    form: Record<string, string> | [name: string, value: string][],
    headers?: Record<string, string>,
  ): Promise<Arrival>;
  /** Comes back from the provider. */
  finish(query: Record<string, string>): Promise<Arrival>;
}

export function createBrowser(app: App, base: string): Browser {
  const cookies = new Map<string, string>();
  const request = async (
    method: "GET" | "HEAD" | "POST",
    path: string,
    headers: Record<string, string>,
    payload?: string,
  ): Promise<Arrival> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = cookie === "" ? headers : { cookie, ...headers };
    const answer = await app.inject({
      method,
      url: base + path,
      headers: sent,
      ...(payload !== undefined && { payload }),
    });
    const set = new Map(
      [answer.headers["set-cookie"] ?? []].flat().map((line) => [line.split("=")[0] ?? "", line]),
    );
    for (const [name, line] of set) keep(cookies, name, line);
    const [location = "", fragment] = (answer.headers.location ?? "").split("#");
    return {
      status: answer.statusCode,
      headers: answer.headers,
      location,
      fragment: Object.fromEntries(new URLSearchParams(fragment)),
      cookies: set,
      text: answer.body,
    };
  };
  const open: Browser["open"] = (path, headers = {}, method = "GET") => request(method, path, headers);
  return {
    cookies,
    open,
    send: (path, form, headers = {}) =>
      request(
        "POST",
        path,
        { "content-type": "application/x-www-form-urlencoded", ...headers },
        new URLSearchParams(form).toString(),
      ),
    async begin() {
      const { location } = await open("/");
      return new URL(location).searchParams.get("state") ?? "";
    },
    finish: (query) => open(`/callback?${new URLSearchParams(query)}`),
  };
}

function keep(cookies: Map<string, string>, name: string, line: string): void {
  if (/; Max-Age=0(;|$)/.test(line)) cookies.delete(name);
  else cookies.set(name, line.slice(name.length + 1).split(";")[0] ?? "");
}
