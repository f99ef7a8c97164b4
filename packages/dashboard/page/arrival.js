// This module imports nothing and runs before the others. It removes the result of a sign-in from the address bar at
// once, so that the tokens reach neither the history nor anyone to whom the address is sent.
const fields = new URLSearchParams(location.hash.slice(1));
if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);

/**
 * The result of a sign-in: the session's tokens, an error, or null without a sign-in.
 * @type {Promise<{ access: string, refresh: string } | { error: string } | null>}
 */
export const arrival = read();

async function read() {
  const error = fields.get("error");
  if (error !== null) return { error };
  const access = fields.get("access_token");
  const refresh = fields.get("refresh_token");
  if (access === null || refresh === null) return null;
  return (await endedHere(access)) ? { access, refresh } : { error: "foreign_sign_in" };
}

/**
 * Whether this browser finished the sign-in: if so, the server gave it a cookie with a hash of the session's id.
 * Without this check, a link could sign a person in to someone else's account.
 * @param {string} access
 */
async function endedHere(access) {
  try {
    const payload = (access.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const digest = await crypto.subtle.digest(
      "SHA-256",
      new TextEncoder().encode(JSON.parse(atob(payload)).sid),
    );
    const hint = base64url(new Uint8Array(digest));
    return document.cookie.split("; ").includes(`${hintCookie(hint)}=${hint}`);
  } catch {
    return false;
  }
}

/**
 * Each hint has its own cookie. Over https only the prefixed name counts, because a sibling domain could set the other.
 * @param {string} hint
 */
function hintCookie(hint) {
  return `${location.protocol === "https:" ? "__Host-" : ""}clew_session_hint_${hint.slice(0, 16)}`;
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
