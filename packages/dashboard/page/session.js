/**
 * The session's tokens, kept for this tab alone: they survive a reload and end with the tab.
 * Service tokens are never kept anywhere.
 */
const key = "clew.session";

/** @typedef {{ access: string, refresh: string }} Tokens */

/** @returns {Tokens | null} */
function stored() {
  const text = sessionStorage.getItem(key);
  return text === null ? null : JSON.parse(text);
}

/** @param {Tokens} tokens */
export function keepSession(tokens) {
  sessionStorage.setItem(key, JSON.stringify(tokens));
}

export function forgetSession() {
  sessionStorage.removeItem(key);
}

export function accessToken() {
  return stored()?.access ?? null;
}

export function refreshToken() {
  return stored()?.refresh ?? null;
}

/** Gets a new access token for the refresh token; null, and no session any more, where that is refused. */
export async function renewAccess() {
  const tokens = stored();
  if (tokens === null) return null;
  const response = await fetch(new URL("../api/auth/refresh/", document.baseURI), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ refresh: tokens.refresh }),
    cache: "no-store",
  });
  if (response.status === 401) forgetSession();
  if (!response.ok) return null;
  const { access } = await response.json();
  keepSession({ ...tokens, access });
  return access;
}
