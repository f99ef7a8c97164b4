import { createHmac, timingSafeEqual } from "node:crypto";
import { isRecord } from "@clew/folder";

/** A valid authorization request. */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string | null;
}

/** The registered client. */
export interface Client {
  readonly id: string;
  /** The allowed redirect URIs; null allows any address of this machine. */
  readonly redirectUris: readonly string[] | null;
}

/** The redirect URI of a request cannot be trusted, so the error is shown to the person. */
export class UntrustedRequest extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UntrustedRequest";
  }
}

/**
 * Parses an authorization request (RFC 6749, section 4.1.1). `error` is the code to redirect with if the request is
 * invalid. Throws `UntrustedRequest` if it must not redirect at all.
 */
export function readAuthorizationRequest(
  query: unknown,
  client: Client,
): { request: AuthorizationRequest; error: string | null } {
  const parameters = isRecord(query) ? query : {};
  const { client_id: clientId, redirect_uri: redirectUri, state } = parameters;
  if (clientId !== client.id) throw new UntrustedRequest("This client is not registered here.");
  if (typeof redirectUri !== "string" || !isAllowed(redirectUri, client.redirectUris)) {
    throw new UntrustedRequest("The redirect URI is missing, or is not registered for this client.");
  }
  const request = { redirectUri, state: typeof state === "string" ? state : null };
  return { request, error: errorOf(parameters) };
}

function errorOf({ response_type: responseType, owner, state }: Record<string, unknown>): string | null {
  if (responseType !== "code") return "unsupported_response_type";
  if (owner !== undefined && owner !== "user") return "invalid_request";
  return state === undefined || typeof state === "string" ? null : "invalid_request";
}

function isAllowed(redirectUri: string, registered: readonly string[] | null): boolean {
  if (registered !== null) return registered.includes(redirectUri);
  if (!URL.canParse(redirectUri)) return false;
  const { protocol, hostname, username, hash } = new URL(redirectUri);
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return (protocol === "http:" || protocol === "https:") && local && username === "" && hash === "";
}

/** The redirect with the result of a request (RFC 6749, section 4.1.2). */
export function answerTo(
  { redirectUri, state }: AuthorizationRequest,
  answer: { code: string } | { error: string },
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set("state", state);
  return url.href;
}

const sealLifetimeMs = 60 * 60_000;

/** Signs the request that the consent form carries, so that only forms of this server are accepted, for an hour. */
export function createRequestSeal(key: Uint8Array, clock: () => number) {
  const sign = (text: string) => createHmac("sha256", key).update(text).digest();
  return {
    seal(request: AuthorizationRequest): string {
      const text = Buffer.from(JSON.stringify({ ...request, until: clock() + sealLifetimeMs })).toString(
        "base64url",
      );
      return `${text}.${sign(text).toString("base64url")}`;
    },
    /** Null if the signature is invalid or the form has expired. */
    open(sealed: string): AuthorizationRequest | null {
      const [text = "", signature = ""] = sealed.split(".", 2);
      const given = Buffer.from(signature, "base64url");
      const expected = sign(text);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const { redirectUri, state, until } = JSON.parse(Buffer.from(text, "base64url").toString());
      return until > clock() ? { redirectUri, state } : null;
    },
  };
}
