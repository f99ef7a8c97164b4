/** A loopback address as programs listen on it, and its port (RFC 8252, section 7.3). */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(:\d{1,5})?(?=[/?]|$)/;

/** Schemes that a browser or the system runs, shows or fetches by itself, instead of handing them to a program. */
const forbiddenSchemes: ReadonlySet<string> = new Set(
  [
    "about",
    "blob",
    "chrome",
    "data",
    "file",
    "filesystem",
    "ftp",
    "http",
    "intent",
    "javascript",
    "mailto",
    "resource",
    "search-ms",
    "shell",
    "tel",
    "vbscript",
    "view-source",
    "ws",
    "wss",
  ].map((scheme) => `${scheme}:`),
);

/** Whether a redirect URI leads to a program on the person's own machine. */
export const isLoopbackRedirect = (uri: string): boolean => loopback.test(uri);

/**
 * Whether a client may register a redirect URI: https, http on a loopback address, or a scheme of a program (APP-4). Without
 * a fragment (RFC 6749, section 3.1.2), credentials, spaces and control characters.
 */
export function isRedirectUri(uri: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(uri) || /[#\\]/.test(uri)) return false;
  const url = URL.parse(uri);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (url.protocol === "https:") return url.hostname !== "" && /^https:\/\//i.test(uri);
  if (isLoopbackRedirect(uri)) return true;
  // Windows opens parts of itself by these, some with commands in the address.
  if (url.protocol.startsWith("ms-")) return false;
  return !forbiddenSchemes.has(url.protocol);
}

/**
 * Whether a redirect URI equals a registered one, character by character. The port of a loopback address is free
 * (RFC 8252, section 7.3).
 */
export function matchesRedirect(registered: readonly string[], asked: string): boolean {
  if (!isRedirectUri(asked)) return false;
  return registered.some(
    (uri) => uri === asked || (isLoopbackRedirect(uri) && portless(uri) === portless(asked)),
  );
}

const portless = (uri: string): string => uri.replace(loopback, "$1");

/** A redirect URI with the parameters of a response; its own query stays as it is. */
export function redirectWith(uri: string, parameters: Readonly<Record<string, string>>): string {
  const added = new URLSearchParams(parameters).toString();
  return `${uri}${uri.includes("?") ? "&" : "?"}${added}`;
}
