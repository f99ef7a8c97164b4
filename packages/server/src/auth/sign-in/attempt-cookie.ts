import { type Cookies, setCookie } from "./cookies.ts";

/** Milliseconds from the start of a sign-in within which the provider must send the person back (SIGN-2). */
export const attemptLifetime = 10 * 60 * 1000;

/** Attempts that one browser can have open at once: more cookies would outgrow the request's headers. */
const openAttempts = 8;

/**
 * Name of the cookie that ties one attempt to the browser that began it. It follows from the hash of the
 * attempt's state, so that two tabs do not overwrite each other's.
 * `__Host-` keeps neighbouring hosts from planting one (RFC 6265bis, section 4.1.3.2); it takes https.
 */
export function attemptCookieName(stateHash: Uint8Array, https: boolean): string {
  return `${namePrefix(https)}${Buffer.from(stateHash).toString("base64url").slice(0, 16)}`;
}

/** Keeps an attempt's secret in the browser. Lax, because the provider's redirect comes from another site. */
export function rememberAttempt(name: string, browserSecret: string, https: boolean): string {
  return attemptCookie(name, browserSecret, attemptLifetime / 1000, https);
}

/** Removes an attempt's secret from the browser. */
export function forgetAttempt(name: string, https: boolean): string {
  return attemptCookie(name, "", 0, https);
}

/** Removes the oldest attempts of a browser that is about to begin one too many. */
export function forgetOldAttempts(cookies: Cookies, https: boolean): string[] {
  // Browsers send the oldest first (RFC 6265, section 5.4).
  const names = [...cookies.keys()].filter((name) => name.startsWith(namePrefix(https)));
  return names
    .slice(0, Math.max(0, names.length - openAttempts + 1))
    .map((name) => forgetAttempt(name, https));
}

const namePrefix = (https: boolean) => (https ? "__Host-clew_sign_in_" : "clew_sign_in_");

const attemptCookie = (name: string, value: string, maxAge: number, https: boolean) =>
  setCookie({ name, value, maxAge, sameSite: "Lax", httpOnly: true, secure: https });
