/**
 * The dashboard receives its tokens in a URL fragment, and anyone could send a person such a link. The server therefore
 * gives the browser that finished the sign-in a cookie with a hash of the session's id, and the dashboard accepts only
 * tokens whose `sid` claim has this hash (SIGN-3). The dashboard repeats this code in page/arrival.js, which has to run
 * before any import.
 */

/** The lifetime of the cookie in seconds. */
export const sessionHintLifetime = 60;

/**
 * The name of the cookie for a hint. Each hint has its own cookie, so that two tabs can sign in at the same time. Over
 * https the `__Host-` prefix prevents sibling domains from setting it (RFC 6265bis, section 4.1.3.2).
 */
export function sessionHintCookie(hint: string, https: boolean): string {
  return `${https ? "__Host-" : ""}clew_session_hint_${hint.slice(0, 16)}`;
}

/** The hint of a session: SHA-256 of its id, base64url without padding. */
export async function sessionHint(sessionId: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sessionId));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
