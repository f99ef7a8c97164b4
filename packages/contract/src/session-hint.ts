/**
 * After a sign-in the page is sent its tokens in a URL fragment, and anybody can send such a link. The server
 * therefore tells the browser that finished the sign-in a hash of the session's id, in a cookie that lives a
 * minute; a page takes tokens from a fragment only when this hash matches their `sid` claim (SIGN-3).
 */

/** Seconds for which the browser keeps the hint. */
export const sessionHintLifetime = 60;

/**
 * Name of the cookie that holds a hint. Each hint has its own, so that two tabs which sign in at once do not
 * take each other's. Where Clew is reached over https the `__Host-` prefix keeps neighbouring hosts from
 * planting one (RFC 6265bis, section 4.1.3.2).
 */
export function sessionHintCookie(hint: string, https: boolean): string {
  return `${https ? "__Host-" : ""}clew_session_hint_${hint.slice(0, 16)}`;
}

/**
 * The hint of a session: SHA-256 of its id, base64url without padding. Runs in the server and in browsers.
 */
export async function sessionHint(sessionId: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sessionId));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
