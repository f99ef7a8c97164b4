// This module imports nothing and runs before the others: what a sign-in left in the address bar is taken out of it at
// once, so that it reaches neither the history nor whoever is sent the address.
const fields = new URLSearchParams(location.hash.slice(1));
if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);

/**
 * What a sign-in left: the session's tokens, why there are none, or nothing.
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
 * Whether this browser finished the sign-in: then the server left it a hash of the session's id in a cookie.
 * Without that, a link could sign somebody into another person's account.
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
 * Each hint has a cookie of its own. Over https only the prefixed name counts: a neighbouring host could plant the other.
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
