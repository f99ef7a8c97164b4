/**
 * The session's tokens, in `sessionStorage`: they survive a reload and end with the tab.
 * Service tokens are never stored.
 */
const key = "clew.session";

/** @typedef {{ access: string, refresh: string }} Session */

/** @returns {Session | null} */
export function readSession() {
  const text = sessionStorage.getItem(key);
  return text === null ? null : JSON.parse(text);
}

/** @param {Session} session */
export function keepSession(session) {
  sessionStorage.setItem(key, JSON.stringify(session));
}

export function forgetSession() {
  sessionStorage.removeItem(key);
}
