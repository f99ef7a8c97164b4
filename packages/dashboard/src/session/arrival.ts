import { signInStatusUrl } from "./urls.ts";

// This module and the one above are a file of their own, which runs before all others. It removes the result of a sign-in from
// the address bar at once, so that the tokens reach neither the history nor anyone to whom the address is sent.
const fields = new URLSearchParams(location.hash.slice(1));
const hasResult = ["access_token", "refresh_token", "error", "added"].some((name) => fields.has(name));
// A workspace that was added to the account is shown among the others.
const shown = fields.has("added") ? new URL("workspaces", document.baseURI).href : null;
if (hasResult) history.replaceState(null, "", shown ?? location.pathname + location.search);

// Loads the next part at once: the application for people who are signed in, the name of the provider for others.
const hasSession = Object.keys(localStorage).some((key) => key.startsWith("clew.session:"));
const isAt = (path: string) =>
  withoutSlash(location.href) === withoutSlash(new URL(path, document.baseURI).href);
const withoutSlash = (address: string) => new URL(address).pathname.replace(/\/$/, "");
if (hasSession || fields.has("access_token")) {
  for (const { dataset, content } of document.querySelectorAll<HTMLTemplateElement>("template[data-preload]"))
    if (dataset.paths?.split(" ").some(isAt) !== false) document.head.append(content.cloneNode(true));
} else {
  const status = { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: signInStatusUrl };
  document.head.append(Object.assign(document.createElement("link"), status));
}

/** The tokens of a session. */
export interface SessionTokens {
  readonly access: string;
  readonly refresh: string;
}

/**
 * The result of a sign-in: the session's tokens, or an error as the address
 * names it (`foreign_sign_in`: it carried the tokens of another browser's sign-in), or that a source was added to the account;
 * null without a sign-in.
 */
export type Arrival = SessionTokens | { readonly error: string } | { readonly added: true } | null;

export const arrival: Promise<Arrival> = readArrival();

async function readArrival(): Promise<Arrival> {
  const error = fields.get("error");
  if (error !== null) return { error };
  if (fields.has("added")) return { added: true };
  const access = fields.get("access_token");
  const refresh = fields.get("refresh_token");
  if (access === null || refresh === null) return null;
  return (await endedHere(access)) ? { access, refresh } : { error: "foreign_sign_in" };
}

/**
 * Whether this browser finished the sign-in: if so, the server gave it a cookie with a hash of the session's id.
 * Without this check, a link could sign a person in to someone else's account.
 */
async function endedHere(access: string): Promise<boolean> {
  try {
    const payload = (access.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const sessionId: unknown = JSON.parse(atob(payload)).sid;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(String(sessionId)));
    const hint = base64url(new Uint8Array(digest));
    return document.cookie.split("; ").includes(`${hintCookie(hint)}=${hint}`);
  } catch {
    return false;
  }
}

/** Each hint has its own cookie. Over https only the prefixed name counts, because a sibling domain could set the other. */
function hintCookie(hint: string): string {
  return `${location.protocol === "https:" ? "__Host-" : ""}clew_session_hint_${hint.slice(0, 16)}`;
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
