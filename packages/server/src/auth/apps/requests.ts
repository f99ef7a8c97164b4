import { type AppApproval, appLifetimeDays, authorizationParameters, type FieldError } from "@clew/contract";
import type { Cookies } from "cookie";
import type { Config } from "../../config/config.ts";
import { ApiError } from "../../model/api-error.ts";
import type { Actor } from "../../model/caller.ts";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import type { Database, WriteTransaction } from "../../store/port.ts";
import {
  deleteAppRequest,
  findAppRequest,
  insertAppCode,
  insertAppRequest,
  takeAppCode,
} from "../../store/queries/apps.ts";
import { BrowserCookies, hashSecret, isSecret, newSecret } from "../browser-cookies.ts";
import { drawCredential, type OwnsCredential } from "../draw-credential.ts";
import { withLiveSession } from "../live-sessions.ts";
import {
  auditEvent,
  connectedWorkspaces,
  requireOwnToken,
  requirePlace,
  revoke,
  workspaceErrors,
} from "../service-tokens.ts";
import { connectUrl, type Redirect } from "../sign-in/redirect.ts";
import { issuerOf } from "./addresses.ts";
import { type Asked, checkTerms, namedClient, type Terms } from "./authorization.ts";
import type { Client } from "./client.ts";
import type { Clients } from "./clients.ts";
import { ClientFault, OAuthFault } from "./faults.ts";
import { readParameters } from "./parameters.ts";
import { isLoopbackRedirect, redirectWith } from "./redirect-uris.ts";

export interface AppRequestServices {
  readonly config: Pick<Config, "publicUrl">;
  readonly database: Database;
  readonly clients: Pick<Clients, "known" | "resolve">;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** The database with the requests, which are made before it is known who decides; left out if that is `database`. */
  readonly home?: Database;
  /** Left out if there is one bucket alone. */
  readonly owns?: OwnsCredential | undefined;
}

/** The time in which a person must decide, a sign-in included (APP-4). */
const requestLifetimeMs = 10 * 60_000;

/**
 * The requests that wait for all people, of up to 8 KiB each. With more of them the oldest is dropped, and its person starts again
 * in the program. To refuse new ones instead would let anyone keep everyone from connecting, for ten minutes at a time. To drop a
 * request within a minute of its arrival, 10 000 must arrive in that minute: at the standard limit of 30 a minute, from 334 addresses.
 */
const maxWaiting = 10_000;

/** The time in which a client must redeem its code (APP-4). */
const codeLifetimeMs = 60_000;

const cookiesFor = (publicUrl: URL) =>
  new BrowserCookies({ name: "clew_connect", lifetimeMs: requestLifetimeMs, publicUrl });

/** A request of `/oauth/authorize`. */
interface Arrived {
  readonly query: URLSearchParams;
  readonly reachedHost: string;
  readonly cookies: Cookies;
}

/**
 * Begins an authorization (RFC 6749, section 4.1.1): checks the request, keeps it for this browser, and redirects to the page on
 * which the person decides. A request with a fault is redirected to its client if that is safe. Otherwise, and if the client's document
 * has not been read yet, the checks follow on that page, for a person who is signed in. Throws `ClientFault`.
 */
export async function beginAuthorization(services: AppRequestServices, arrived: Arrived): Promise<Redirect> {
  const { config, database, home = database, clients, clock, random } = services;
  const sent = readParameters(arrived.query, authorizationParameters);
  const asked: Asked = { ...sent, reachedHost: arrived.reachedHost };
  const { clientId, redirectUri } = namedClient(asked);
  const client = await clients.known(clientId, redirectUri);
  if (client !== null && leadsSafely(client, redirectUri)) {
    const settled = settle(config, asked);
    if ("refusal" in settled) return { location: settled.refusal, cookies: [] };
  }
  const request = newSecret(random);
  const browserSecret = newSecret(random);
  const requestHash = hashSecret(request);
  const now = clock();
  const waiting = {
    requestHash,
    browserHash: hashSecret(browserSecret),
    parameters: JSON.stringify(asked),
    expiresAt: now + requestLifetimeMs,
  };
  await home.transaction((trx) => insertAppRequest(trx, waiting, { now, maxRequests: maxWaiting }));
  return {
    location: connectUrl(config.publicUrl, request).href,
    cookies: cookiesFor(config.publicUrl).begin(requestHash, browserSecret, arrived.cookies),
  };
}

/**
 * Whether a browser may be redirected before a person has decided: to their own machine, or to a program whose addresses Clew carries.
 * Anyone can register another address, and link to Clew to have people sent there (RFC 9700, section 4.11.2).
 */
const leadsSafely = ({ kind }: Client, redirectUri: string): boolean =>
  kind === "built_in" || isLoopbackRedirect(redirectUri);

/** A request by its id and the cookies of the browser that made it. */
export interface RequestKey {
  readonly id: string;
  readonly cookies: Cookies;
}

/** A request that a person decides about. */
export interface OpenRequest {
  readonly client: Client;
  readonly redirectUri: string;
  /** Whether it leads to a program on the person's own machine. */
  readonly isLoopback: boolean;
  /** The terms of a valid request, or the address that tells the client why it is refused. */
  readonly settled: Settled;
  readonly state: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  readonly key: { readonly requestHash: Uint8Array; readonly browserHash: Uint8Array };
}

type Settled = { readonly terms: Terms } | { readonly refusal: string };

/**
 * Opens a request for a person who is signed in; reads the client's document if need be. Throws `ApiError`: `not_found`;
 * `conflict` for a fault of the client, which the person sees.
 */
export async function openRequest(
  { config, database, home = database, clients, clock }: AppRequestServices,
  { id, cookies }: RequestKey,
): Promise<OpenRequest> {
  const requestHash = hashSecret(id);
  const browserSecret = isSecret(id)
    ? cookiesFor(config.publicUrl).secretFor(requestHash, cookies)
    : undefined;
  if (browserSecret === undefined) throw unknownRequest();
  const key = { requestHash, browserHash: hashSecret(browserSecret) };
  const waiting = await findAppRequest(home.read, key, clock());
  if (waiting === null) throw unknownRequest();
  // `beginAuthorization` wrote it.
  const asked = JSON.parse(waiting.parameters) as Asked;
  const { clientId, redirectUri } = namedClient(asked);
  const client = await clients.resolve(clientId, redirectUri).catch((cause) => {
    throw cause instanceof ClientFault ? new ApiError("conflict", cause.message, { cause }) : cause;
  });
  const { state = null } = asked.values;
  return {
    client,
    redirectUri,
    isLoopback: isLoopbackRedirect(redirectUri),
    settled: settle(config, asked),
    state,
    expiresAt: waiting.expiresAt,
    key,
  };
}

const unknownRequest = () =>
  new ApiError(
    "not_found",
    "This request was not made in this browser, was answered already, or is older than ten minutes. Connect the program again.",
  );

/** Checks what a request asks for; its client must be known, since a refusal leads to its redirect URI. */
function settle(config: Pick<Config, "publicUrl">, asked: Asked): Settled {
  try {
    return { terms: checkTerms(asked, config) };
  } catch (fault) {
    if (!(fault instanceof OAuthFault)) throw fault;
    const { redirect_uri: redirectUri = "", state = null } = asked.values;
    const { code: error, message: error_description } = fault;
    return { refusal: respond(config, { redirectUri, state }, { error, error_description }) };
  }
}

/** The address of a response to a client: with the state that it sent, and the issuer (RFC 9207). */
function respond(
  config: Pick<Config, "publicUrl">,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string | null },
  parameters: Readonly<Record<string, string>>,
): string {
  const echoed = state === null ? {} : { state };
  return redirectWith(redirectUri, { ...parameters, ...echoed, iss: issuerOf(config) });
}

/** The person's decision: where the browser goes, and the cookie that it drops. */
export interface Decided {
  readonly redirectTo: string;
  readonly cookie: string;
  /** The token that was ended, if one was. */
  readonly endedTokenId: number | null;
}

/**
 * Approves a request with the person's choices. The code that the client gets holds a place among the person's tokens until it is
 * redeemed (APP-4). Throws `ApiError`: as `openRequest`; `invalid_request` with the errors of the choices; `token_limit_reached`;
 * `not_found` for a token to end that is not the person's.
 */
export async function approveRequest(
  services: AppRequestServices,
  actor: Actor,
  { key: requestKey, approval }: { readonly key: RequestKey; readonly approval: AppApproval },
): Promise<Decided> {
  const { config, database, home = database, clock, random, owns } = services;
  const isApart = home !== database;
  const request = await openRequest(services, requestKey);
  const { client, redirectUri, settled, key } = request;
  if ("refusal" in settled) throw new ApiError("conflict", "The program's request is not valid.");
  const { terms } = settled;
  const code = drawCredential(() => Buffer.from(random(16)).toString("base64url"), owns);
  const codeHash = hashSecret(code);
  const { userId, sessionId } = actor;
  await withLiveSession(database, actor, clock).transaction(async (trx) => {
    const now = clock();
    if (!isApart && !(await deleteAppRequest(trx, key, now))) throw unknownRequest();
    const errors = choiceErrors(approval, terms, await connectedWorkspaces(trx, userId));
    if (errors.length > 0) throw new ApiError("invalid_request", "Nothing was connected.", { errors });
    if (approval.end_token_id != null) await endToken(trx, actor, { id: approval.end_token_id, now });
    await requirePlace(trx, userId, { now, hint: "Name one to end." });
    const granted = {
      codeHash,
      userId,
      sessionId,
      clientId: client.id,
      clientName: client.name,
      redirectUri,
      challenge: terms.challenge,
      resource: terms.resource,
      scopes: terms.scopes.filter((scope) => approval.scopes.includes(scope)),
      workspaceIds: [...new Set(approval.workspace_ids)],
      expiresInDays: approval.expires_in_days ?? appLifetimeDays.standard,
      createdByBrowser: actor.userAgent,
      expiresAt: now + codeLifetimeMs,
    };
    await insertAppCode(trx, granted, now);
  });
  // Nobody has the code yet: of two decisions one removes the request, and the other one its code.
  if (isApart && !(await home.transaction((trx) => deleteAppRequest(trx, key, clock())))) {
    await database.transaction((trx) => takeAppCode(trx, codeHash));
    throw unknownRequest();
  }
  return {
    redirectTo: respond(config, request, { code }),
    cookie: cookiesFor(config.publicUrl).end(key.requestHash),
    endedTokenId: approval.end_token_id ?? null,
  };
}

async function endToken(
  trx: WriteTransaction,
  actor: Actor,
  { id, now }: { readonly id: number; readonly now: number },
): Promise<void> {
  const token = await requireOwnToken(trx, actor.userId, String(id));
  await revoke(trx, token, auditEvent(actor, "token_revoked", token, now));
}

/** The errors of choices whose shape is right: none may be wider than what was asked for (APP-4). */
function choiceErrors(
  { scopes, workspace_ids: ids }: AppApproval,
  terms: Terms,
  connected: ReadonlySet<string>,
): FieldError[] {
  const wider = scopes.flatMap((scope, index) =>
    terms.scopes.includes(scope)
      ? []
      : [{ path: `/scopes/${index}`, message: "is not a scope that the program asks for" }],
  );
  return [...wider, ...workspaceErrors(ids, connected)];
}

/** Denies a request (RFC 6749, section 4.1.2.1). Throws `ApiError` as `openRequest`. */
export async function denyRequest(
  services: AppRequestServices,
  actor: Actor,
  requestKey: RequestKey,
): Promise<Decided> {
  const { config, database, home = database, clock } = services;
  const request = await openRequest(services, requestKey);
  const { key, settled } = request;
  await withLiveSession(database, actor, clock).transaction(async (trx) => {
    if (home === database && !(await deleteAppRequest(trx, key, clock()))) throw unknownRequest();
  });
  if (home !== database && !(await home.transaction((trx) => deleteAppRequest(trx, key, clock()))))
    throw unknownRequest();
  const denied = { error: "access_denied", error_description: "The person did not allow it." };
  return {
    redirectTo: "refusal" in settled ? settled.refusal : respond(config, request, denied),
    cookie: cookiesFor(config.publicUrl).end(key.requestHash),
    endedTokenId: null,
  };
}
