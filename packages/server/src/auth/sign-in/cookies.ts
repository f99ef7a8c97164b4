/** Cookies by name. */
export type Cookies = ReadonlyMap<string, string>;

/** Reads a `Cookie` header (RFC 6265, section 4.2.1). Of a doubled name the first counts. */
export function parseCookies(header: string | undefined): Cookies {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? "").split(";")) {
    const [name = "", ...rest] = pair.trim().split("=");
    const isPair = name !== "" && rest.length > 0;
    if (isPair && !cookies.has(name)) cookies.set(name, rest.join("="));
  }
  return cookies;
}

interface SetCookie {
  readonly name: string;
  /** Characters that a cookie may hold as they are: base64url, for instance. */
  readonly value: string;
  /** In seconds; 0 removes the cookie. */
  readonly maxAge: number;
  readonly sameSite: "Lax" | "Strict";
  /** True keeps the cookie from the page's own scripts. */
  readonly httpOnly: boolean;
  /** True sends it over https alone. */
  readonly secure: boolean;
}

/** Writes a `Set-Cookie` header for every path of this host (RFC 6265, section 4.1.1). */
export function setCookie({ name, value, maxAge, sameSite, httpOnly, secure }: SetCookie): string {
  const flags = [...(httpOnly ? ["HttpOnly"] : []), ...(secure ? ["Secure"] : [])];
  return [`${name}=${value}`, "Path=/", `Max-Age=${maxAge}`, ...flags, `SameSite=${sameSite}`].join("; ");
}
