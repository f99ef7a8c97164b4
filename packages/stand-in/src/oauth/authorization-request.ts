import { createHmac, timingSafeEqual } from "node:crypto";
import { isRecord } from "../workspace/front-matter.ts";

/** Who asks for access, and where the answer goes. */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string | null;
}

/** A client that may ask. */
export interface Client {
  readonly id: string;
  /** Where answers may go; null allows any address of this machine. */
  readonly redirectUris: readonly string[] | null;
}

/** Why a request is not answered at all: its redirect address cannot be trusted. The text is for the person. */
export class UntrustedRequest extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UntrustedRequest";
  }
}

/**
 * Reads the query of an authorization request (RFC 6749, section 4.1.1). Throws `UntrustedRequest`; a request that can be
 * answered but not granted has an `error` to redirect with.
 */
export function readAuthorizationRequest(
  query: unknown,
  client: Client,
): { request: AuthorizationRequest; error: string | null } {
  const parameters = isRecord(query) ? query : {};
  const { client_id: clientId, redirect_uri: redirectUri, state } = parameters;
  if (clientId !== client.id) throw new UntrustedRequest("No client of this name is known here.");
  if (typeof redirectUri !== "string" || !isAllowed(redirectUri, client.redirectUris)) {
    throw new UntrustedRequest("The address to return to is missing, or is not one of this client's.");
  }
  const request = { redirectUri, state: typeof state === "string" ? state : null };
  return { request, error: faultOf(parameters) };
}

function faultOf({ response_type: responseType, owner, state }: Record<string, unknown>): string | null {
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

/** The address that tells the client how its request ended (RFC 6749, section 4.1.2). */
export function answerTo(
  { redirectUri, state }: AuthorizationRequest,
  answer: { code: string } | { error: string },
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set("state", state);
  return url.href;
}

const lifetime = 60 * 60_000;

/**
 * Carries a request through the form of the consent screen, sealed: only a form that this server made is taken, and only
 * for an hour.
 */
export function createRequestSeal(key: Uint8Array, clock: () => number) {
  const sign = (text: string) => createHmac("sha256", key).update(text).digest();
  return {
    seal(request: AuthorizationRequest): string {
      const text = Buffer.from(JSON.stringify({ ...request, until: clock() + lifetime })).toString(
        "base64url",
      );
      return `${text}.${sign(text).toString("base64url")}`;
    },
    /** Null for a request that was not sealed here, or too long ago. */
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
