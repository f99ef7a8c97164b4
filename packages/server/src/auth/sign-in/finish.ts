import { type SignInErrorCode, sessionHint, sessionHintCookie, sessionHintLifetime } from "@clew/contract";
import { type Grant, type Provider, ProviderError, type ProviderErrorCode } from "@clew/provider";
import { type Cookies, stringifySetCookie } from "cookie";
import type { Buckets } from "../../buckets/buckets.ts";
import type { Config } from "../../config/config.ts";
import { type AllowList, allowsWorkspace } from "../../model/allow-list.ts";
import type { Origin } from "../../model/caller.ts";
import type { Log } from "../../model/log.ts";
import type { Sources } from "../../providers/sources.ts";
import type { AttemptPurpose } from "../../store/queries/sign-ins.ts";
import { hashSecret } from "../browser-cookies.ts";
import { writeSecurityEvent } from "../security-log.ts";
import type { OpenedSession, Sessions } from "../sessions.ts";
import type { SecretStoreServices } from "../signing-keys.ts";
import { addToAccount, type Granted, openAccount } from "./account.ts";
import { attemptCookies, consumeState, isState, requestOfState } from "./attempt.ts";
import { useSignInCode } from "./code.ts";
import { callbackUrl, dashboardUrlWith, type Redirect, SignInFailure, signInTarget } from "./redirect.ts";

export interface SignInServices extends SecretStoreServices {
  readonly config: Pick<Config, "publicUrl" | "dashboardUrl" | "allowed">;
  readonly sources: Sources;
  readonly sessions: Sessions;
  /** Starts syncs in the background. */
  readonly sync: { request(connectionId: number): Promise<void> };
  /** Finds the bucket of a person or a session; left out if there is one alone. */
  readonly buckets?: Pick<Buckets, "ofPerson" | "ofSession"> | undefined;
  readonly log: Log;
}

/** The request with which the browser returns from the provider. */
interface Callback {
  /** The source whose name the path has; null for the word `provider`. */
  readonly source: Provider | null;
  readonly query: unknown;
  readonly cookies: Cookies;
  readonly origin: Origin;
}

/** The time that a failed sign-in waits for the provider to revoke its grant. */
const revocationTimeoutMs = 1500;

/**
 * Finishes a sign-in, step by step (SIGN-3): reads the provider's response, consumes the state, exchanges the code,
 * opens the account of a person who is allowed, starts a sync in the background, and redirects to the dashboard with
 * the session's tokens. If a session has begun it, the connection is added to its account instead (SIGN-5), and there are no
 * tokens. `signal` limits how long the provider may take. Throws `SignInFailure` or any other error; then no session is
 * created and nothing is stored (SIGN-4).
 */
export async function finishSignIn(
  services: SignInServices,
  request: Callback,
  signal: AbortSignal,
): Promise<Redirect> {
  const { config } = services;
  const kept = attemptCookies(config.publicUrl);
  const query = readCallbackQuery(request.query);
  const stateHash = hashSecret(query.state);
  const purpose = await consumeState(services, stateHash, kept.secretFor(stateHash, request.cookies));
  const source = sourceOf(services.sources, purpose, request);
  const code = authorizationCode(query);
  if (source.asksForCode) await useSignInCode(services, code);
  const redirectUri = callbackUrl(config.publicUrl);
  const grant = await exchangeCode(source, { code, redirectUri, signal });
  const { adding } = purpose;
  const { connection, session, sync } = await admit(services, { source, grant, adding }, request.origin);
  const sessionId = session?.sessionId ?? adding?.sessionId;
  writeSecurityEvent(services.log, {
    event: session === null ? "workspace_connected" : "signed_in",
    outcome: "success",
    userId: connection.userId,
    ...(sessionId !== undefined && { sessionId }),
    workspaceId: connection.workspaceId,
    origin: request.origin,
  });
  // The account was opened with a job. This only starts it sooner, so the browser neither waits for it nor sees it fail.
  sync.request(connection.id).catch((err) => {
    services.log.warn({ connectionId: connection.id, err }, "failed to start the sync of a sign-in at once");
  });
  const target = signInTarget(config, requestOfState(query.state));
  const { location, cookies } =
    session === null
      ? { location: dashboardUrlWith(target, { added: connection.workspaceId }), cookies: [] }
      : await redirectWithTokens(config.publicUrl, target, session);
  return { location, cookies: [...cookies, kept.end(stateHash)] };
}

/**
 * The source of an attempt. Throws `SignInFailure` `invalid_state` if the path has the name of another source, or if it is not served
 * any more.
 */
function sourceOf(sources: Sources, { provider }: AttemptPurpose, { source }: Callback): Provider {
  const found = sources.find(provider);
  if (found === null || (source !== null && source !== found)) throw new SignInFailure("invalid_state");
  return found;
}

/** The query of the provider's redirect (RFC 6749, sections 4.1.2 and 4.1.2.1). */
interface CallbackQuery {
  readonly state: string;
  readonly code: string | null;
  readonly error: string | null;
}

/**
 * Reads the callback's query. Unknown parameters are ignored (RFC 6749, section 4.1.2); a duplicate is ambiguous and
 * refused. Throws `SignInFailure` `invalid_state`.
 */
export function readCallbackQuery(query: unknown): CallbackQuery {
  const values = new Map(Object.entries(query ?? {}));
  const read = (name: string): string | null => {
    const value: unknown = values.get(name);
    if (value === undefined || value === "") return null;
    if (typeof value !== "string") throw new SignInFailure("invalid_state");
    return value;
  };
  const state = read("state");
  if (state === null || !isState(state)) throw new SignInFailure("invalid_state");
  return { state, code: read("code"), error: read("error") };
}

/** The provider's code. Throws `SignInFailure` if it sent an error instead. */
function authorizationCode({ code, error }: CallbackQuery): string {
  if (error === "access_denied") throw new SignInFailure("access_denied");
  if (error !== null || code === null) throw new SignInFailure("exchange_failed");
  return code;
}

/** The sign-in's error code for each error of the provider. */
const failureCodes: Readonly<Record<ProviderErrorCode, SignInErrorCode>> = {
  refused: "exchange_failed",
  unauthorized: "exchange_failed",
  invalid: "exchange_failed",
  not_found: "provider_unavailable",
  rate_limited: "provider_unavailable",
  unavailable: "provider_unavailable",
  malformed: "provider_unavailable",
  unsupported_owner: "unsupported_owner",
};

/** Exchanges a code for a grant. Throws `SignInFailure`. */
async function exchangeCode(
  provider: Provider,
  request: Parameters<Provider["exchange"]>[0],
): Promise<Grant> {
  try {
    return await provider.exchange(request);
  } catch (cause) {
    if (cause instanceof ProviderError) throw new SignInFailure(failureCodes[cause.code], cause);
    throw request.signal.aborted ? new SignInFailure("provider_unavailable", cause) : cause;
  }
}

/**
 * Opens the account of a person who is allowed, or adds the connection to that of a session, which lives in its own bucket. If that
 * fails, revokes the grant.
 */
async function admit(
  services: SignInServices,
  { source, grant, adding }: Granted & Pick<AttemptPurpose, "adding">,
  origin: Origin,
) {
  const { buckets } = services;
  const granted = { source, grant };
  try {
    requireAllowed(services.config.allowed, granted);
    if (adding !== null) {
      const bucket = (await buckets?.ofSession(adding.sessionId)) ?? services;
      const connection = await addToAccount({ ...services, ...bucket }, granted, { ...adding, ...origin });
      return { connection, session: null, sync: bucket.sync };
    }
    const person = { provider: source.people, id: grant.person.id };
    const bucket = (await buckets?.ofPerson(person)) ?? services;
    const account = await openAccount({ ...services, ...bucket }, granted, origin);
    return { ...account, sync: bucket.sync };
  } catch (error) {
    const signal = AbortSignal.timeout(revocationTimeoutMs);
    // Only logs a failure to revoke: the person sees why the sign-in failed.
    await source.revoke(grant.accessToken, signal).catch((err) => {
      services.log.warn({ err }, "failed to revoke the grant of a failed sign-in");
    });
    throw error;
  }
}

/** Throws `SignInFailure` `not_allowed` unless the person or the workspace is on a list (SIGN-10). */
export function requireAllowed(
  allowed: AllowList,
  {
    source,
    grant: { workspace, person },
  }: { readonly source: Pick<Provider, "slug">; readonly grant: Grant },
): void {
  const granted = { provider: source.slug, email: person.email, workspaceId: workspace.id };
  if (allowsWorkspace(allowed, granted)) return;
  throw new SignInFailure("not_allowed");
}

/** Redirects to a page of the dashboard with the session's tokens, and a hint by which it recognises them (SIGN-3). */
async function redirectWithTokens(publicUrl: URL, target: URL, session: OpenedSession): Promise<Redirect> {
  const https = publicUrl.protocol === "https:";
  const location = dashboardUrlWith(target, {
    access_token: session.access,
    refresh_token: session.refresh,
    token_type: "Bearer",
    expires_in: String(session.expiresIn),
  });
  const value = await sessionHint(session.sessionId);
  const hint = stringifySetCookie({
    name: sessionHintCookie(value, https),
    value,
    maxAge: sessionHintLifetime,
    path: "/",
    sameSite: "strict",
    secure: https,
  });
  return { location, cookies: [hint] };
}
