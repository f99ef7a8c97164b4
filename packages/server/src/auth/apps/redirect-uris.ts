/** A loopback address as programs listen on it, and its port (RFC 8252, section 7.3). */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(:\d{1,5})?(?=[/?]|$)/;

/**
 * The schemes without a dot of programs that people connect, as these programs register them: editors (also for their
 * extensions), terminals and launchers. A program with another one has to use a reverse domain name, loopback or https.
 */
const programSchemes: readonly string[] = [
  "claude",
  "cursor",
  "jetbrains",
  "raycast",
  "vscode",
  "vscode-insiders",
  "vscodium",
  "warp",
  "windsurf",
];

/**
 * A reverse domain name (RFC 8252, section 7.1). It begins with a top-level domain, which has no hyphen, unlike the schemes
 * with a dot by which systems open their own settings, such as `x-apple.systempreferences`.
 */
const reverseDomain = /^[a-z]{2,}(?:\.[a-z0-9-]+)+$/;

/** Whether a redirect URI leads to a program on the person's own machine. */
export const isLoopbackRedirect = (uri: string): boolean => loopback.test(uri);

/**
 * Why a client may not register a redirect URI; null if it may: https, http on a loopback address, or a scheme of a program
 * (APP-4). Without a fragment (RFC 6749, section 3.1.2), credentials, spaces and control characters. The reason goes on from
 * the address's name, and has no character that an error's description must not have (RFC 6749, section 5.2).
 */
export function redirectFault(uri: string): string | null {
  if (!/^[\x21-\x7e]+$/.test(uri) || /[#\\]/.test(uri)) return "has characters that are not allowed.";
  const url = URL.parse(uri);
  if (url === null || url.username !== "" || url.password !== "")
    return "is not an address that may be used.";
  const scheme = url.protocol.slice(0, -1);
  if (scheme === "https" && url.hostname !== "" && /^https:\/\//i.test(uri)) return null;
  if (isLoopbackRedirect(uri) || reverseDomain.test(scheme)) return null;
  // With a name after it, as for answers: other forms, such as `vscode:extension/…`, are commands of the program.
  if (programSchemes.includes(scheme) && url.host !== "") return null;
  return `is not allowed with the scheme ${scheme.slice(0, 40)}. ${allowedAddresses}`;
}

const allowedAddresses =
  "Allowed are https://, http:// on a loopback address, a reverse domain name such as com.example.app:, " +
  `and ${programSchemes.join(", ")} with :// and a name.`;

/**
 * Whether a redirect URI equals a registered one, character by character. The port of a loopback address is free
 * (RFC 8252, section 7.3).
 */
export function matchesRedirect(registered: readonly string[], asked: string): boolean {
  if (redirectFault(asked) !== null) return false;
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
