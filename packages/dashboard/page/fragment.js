/**
 * What a sign-in left in the address bar: tokens, an error, or nothing. It is read and removed at once,
 * so that it reaches neither the history nor whoever is sent the address.
 * @returns {Promise<{ tokens: import("./session.js").Tokens } | { error: string, description: string } | null>}
 */
export async function takeFragment() {
  const fields = new URLSearchParams(location.hash.slice(1));
  if (fields.size > 0) history.replaceState(null, "", location.pathname + location.search);
  const error = fields.get("error");
  if (error !== null) return { error, description: fields.get("error_description") ?? "The sign-in failed." };
  const access = fields.get("access_token");
  const refresh = fields.get("refresh_token");
  if (access === null || refresh === null) return null;
  if (await startedHere(access)) return { tokens: { access, refresh } };
  return {
    error: "invalid_state",
    description: "This link carries a sign-in that was not finished in this browser, so it was not used.",
  };
}

/**
 * Whether this browser finished the sign-in: the server left it a hash of the session's id in a cookie.
 * Without that, a link could sign somebody into another person's account.
 * @param {string} access
 */
async function startedHere(access) {
  const hint = readHint();
  const payload = access.split(".")[1];
  if (hint === null || payload === undefined) return false;
  try {
    const { sid } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sid));
    return base64url(new Uint8Array(digest)) === hint;
  } catch {
    return false;
  }
}

function readHint() {
  // Over https only the prefixed name counts: a neighbouring host could plant the other.
  const name = location.protocol === "https:" ? "__Host-clew_session_hint" : "clew_session_hint";
  const found = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
