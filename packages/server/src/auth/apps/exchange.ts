import { hash, timingSafeEqual } from "node:crypto";
import { type AppToken, tokenParameters } from "@clew/contract";
import type { Config } from "../../config/config.ts";
import type { Origin } from "../../model/caller.ts";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import type { ServiceToken } from "../../model/service-token.ts";
import type { Database, WriteTransaction } from "../../store/port.ts";
import { type AppCode, takeAppCode } from "../../store/queries/apps.ts";
import { insertAudit } from "../../store/queries/audit.ts";
import { allowedConnections } from "../../store/queries/callers.ts";
import { tokenOfCode } from "../../store/queries/service-tokens.ts";
import { findLiveSession } from "../../store/queries/sessions.ts";
import { hashSecret } from "../browser-cookies.ts";
import type { OwnsCredential } from "../draw-credential.ts";
import { connectedWorkspaces, type IssuedServiceToken, issue, revoke } from "../service-tokens.ts";
import { readResource } from "./addresses.ts";
import type { Clients } from "./clients.ts";
import { OAuthFault } from "./faults.ts";
import { readParameters, requireParameter, requireSingle, type Sent } from "./parameters.ts";

export interface ExchangeServices {
  readonly config: Pick<Config, "publicUrl" | "allowed">;
  readonly database: Database;
  readonly clients: Pick<Clients, "isKnown">;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Left out if there is one bucket alone. */
  readonly owns?: OwnsCredential | undefined;
}

/** A request of `/oauth/token`. */
interface TokenRequest {
  readonly form: URLSearchParams;
  /** Whether the request has an `Authorization` header. */
  readonly isAuthorized: boolean;
  readonly reachedHost: string;
  readonly origin: Origin;
}

/** The outcome of a transaction in which a code was presented. */
type Outcome =
  | { readonly issued: IssuedServiceToken }
  /** The code is used up, which must last: nothing is thrown. `revoked` is the token that it had given. */
  | { readonly refusal: OAuthFault; readonly revoked: ServiceToken | null };

/** The response to the client, and the token that it names. */
export interface Exchanged {
  readonly message: AppToken;
  readonly token: ServiceToken;
}

/**
 * Exchanges a code for a service token (RFC 6749, section 4.1.3), once: a second use revokes what the first one gave. All of it is
 * one transaction, with its line in the audit trail. Calls `onReplay` with a token that was revoked. Throws `OAuthFault`.
 */
export async function exchangeCode(
  services: ExchangeServices,
  request: TokenRequest,
  onReplay: (revoked: ServiceToken) => void,
): Promise<Exchanged> {
  const asked = await readRequest(services, request);
  const outcome = await services.database.transaction((trx) => redeem(trx, services, asked, request.origin));
  if ("refusal" in outcome) {
    if (outcome.revoked !== null) onReplay(outcome.revoked);
    throw outcome.refusal;
  }
  const { token, raw } = outcome.issued;
  const { scopes, expiresAt, createdAt } = token;
  return {
    token,
    message: {
      access_token: raw,
      token_type: "Bearer",
      expires_in: Math.floor(((expiresAt ?? createdAt) - createdAt) / 1000),
      scope: scopes.join(" "),
    },
  };
}

/** A token request whose form is right. */
interface Presented {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
  /** Null if the request names none. */
  readonly resource: AppCode["resource"] | null;
}

/** Checks the form of a request, step by step. Throws `OAuthFault`; no code is used up. */
async function readRequest(
  { config, clients }: Pick<ExchangeServices, "config" | "clients">,
  { form, isAuthorized, reachedHost }: TokenRequest,
): Promise<Presented> {
  const sent = readParameters(form, tokenParameters);
  requireSingle(sent);
  // Before all else: programs drop their registration on this error, and register anew.
  const { client_id: clientId } = sent.values;
  if (clientId !== undefined && !(await clients.isKnown(clientId)))
    throw new OAuthFault("invalid_client", "The program is not known here. It has to register again.");
  const grant = requireParameter(sent, "grant_type");
  if (grant !== "authorization_code")
    throw new OAuthFault("unsupported_grant_type", "The only grant type is authorization_code.");
  // No client has a secret: one that sends some was made for another server.
  if (isAuthorized || sent.values.client_secret !== undefined)
    throw new OAuthFault("invalid_client", "Clients have no secret here. Send client_id alone.");
  const verifier = requireParameter(sent, "code_verifier");
  if (!/^[\w.~-]{43,128}$/.test(verifier))
    throw new OAuthFault("invalid_request", "code_verifier must have 43 to 128 unreserved characters.");
  return {
    code: requireParameter(sent, "code"),
    clientId: requireParameter(sent, "client_id"),
    redirectUri: requireParameter(sent, "redirect_uri"),
    verifier,
    resource: readNamedResource(config, sent, reachedHost),
  };
}

function readNamedResource(
  config: Pick<Config, "publicUrl">,
  { values }: Sent<(typeof tokenParameters)[number]>,
  reachedHost: string,
): Presented["resource"] {
  if (values.resource === undefined) return null;
  const resource = readResource(config, values.resource, reachedHost);
  if (resource === null) throw new OAuthFault("invalid_target", "The resource is not one of Clew's.");
  return resource;
}

async function redeem(
  trx: WriteTransaction,
  { config, clock, random, owns }: ExchangeServices,
  presented: Presented,
  origin: Origin,
): Promise<Outcome> {
  const now = clock();
  const codeHash = hashSecret(presented.code);
  const code = await takeAppCode(trx, codeHash);
  if (code === null) return refuseReplay(trx, codeHash, { now, origin });
  const refusal = refusalOf(code, presented, now) ?? (await refusalOfOwner(trx, code, { config, now }));
  if (refusal !== null) return { refusal, revoked: null };
  const connected = await connectedWorkspaces(trx, code.userId);
  const workspaceIds = code.workspaceIds.filter((id) => connected.has(id));
  if (workspaceIds.length === 0)
    return { refusal: invalidGrant("Its workspaces are no longer connected."), revoked: null };
  const { userId, clientName: name, scopes, expiresInDays, createdByBrowser, redirectUri, resource } = code;
  const client = { name, redirectUri, resource, idHash: hashSecret(code.clientId), codeHash };
  const wanted = { userId, name, scopes, workspaceIds, expiresInDays, createdByBrowser, client };
  const issued = await issue(trx, wanted, { now, random, owns, hint: "Revoke one first." });
  const { sessionId } = code;
  const event = { userId, at: now, event: "token_created", sessionId, token: issued.token, origin } as const;
  await insertAudit(trx, [{ ...event, reason: "app_connected" }]);
  return { issued };
}

const invalidGrant = (reason: string) => new OAuthFault("invalid_grant", `The code is not valid. ${reason}`);

/** Refuses a code that is not waiting. If it gave a token, that is revoked: one of the two who had it is a thief. */
async function refuseReplay(
  trx: WriteTransaction,
  codeHash: Uint8Array,
  { now, origin }: { readonly now: number; readonly origin: Origin },
): Promise<Outcome> {
  const refusal = invalidGrant("It was used, has expired, or never existed.");
  const given = await tokenOfCode(trx, codeHash);
  if (given === null) return { refusal, revoked: null };
  const event = { userId: given.userId, at: now, event: "token_revoked", token: given, origin } as const;
  const isRevoked = await revoke(trx, given, { ...event, reason: "code_reused" });
  return { refusal, revoked: isRevoked ? given : null };
}

/** Why a code does not serve this request; null if it does. */
function refusalOf(code: AppCode, presented: Presented, now: number): OAuthFault | null {
  if (code.expiresAt <= now) return invalidGrant("It has expired.");
  if (code.clientId !== presented.clientId) return invalidGrant("It was given to another program.");
  if (code.redirectUri !== presented.redirectUri) return invalidGrant("It was sent to another address.");
  if (presented.resource !== null && presented.resource !== code.resource)
    return new OAuthFault("invalid_target", "The code was given for another resource.");
  return fitsChallenge(presented.verifier, code.challenge)
    ? null
    : invalidGrant("The verifier does not fit it.");
}

/** Verifies a PKCE verifier in constant time (RFC 7636, section 4.6). */
function fitsChallenge(verifier: string, challenge: string): boolean {
  const [made, expected] = [hash("sha256", verifier, "base64url"), challenge].map((text) =>
    Buffer.from(text),
  );
  return made !== undefined && made.length === expected?.length && timingSafeEqual(made, expected);
}

/** Why the person's consent does not hold any more; null if it does: the session lives, and the person may use Clew (SIGN-10). */
async function refusalOfOwner(
  trx: WriteTransaction,
  { userId, sessionId }: AppCode,
  { config, now }: Pick<ExchangeServices, "config"> & { readonly now: number },
): Promise<OAuthFault | null> {
  const session = await findLiveSession(trx, sessionId, now);
  if (session?.userId !== userId) return invalidGrant("The session in which it was allowed has ended.");
  const connections = await allowedConnections(trx, config.allowed, userId);
  return connections === null ? invalidGrant("Its user may no longer use this service.") : null;
}
