import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../config/config.ts";
import type { Origin } from "../../model/caller.ts";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import type { Grant, Provider } from "../../provider/port.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Database } from "../../store/port.ts";
import { writeSecurityEvent } from "../security-log.ts";
import type { Sessions } from "../sessions.ts";
import { openAccount } from "./account.ts";
import { requireAllowed } from "./allow-list.ts";
import { attemptCookieName, forgetAttempt } from "./attempt-cookie.ts";
import { readCallbackQuery } from "./callback-query.ts";
import { callbackUrl } from "./callback-url.ts";
import { useSignInCode } from "./code.ts";
import { consumeState } from "./consume-state.ts";
import type { Cookies } from "./cookies.ts";
import { authorizationCode, exchangeCode } from "./exchange.ts";
import type { Redirect } from "./redirect.ts";
import { redirectWithTokens } from "./redirect-with-tokens.ts";
import { revokeUnusedGrant } from "./revoke-unused-grant.ts";
import { hashSecret } from "./state.ts";

/** What finishing a sign-in takes. */
export interface FinishParts {
  readonly config: Pick<Config, "publicUrl" | "dashboardUrl" | "allowed">;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly provider: Provider;
  readonly sessions: Sessions;
  /** Syncs in the background. */
  readonly sync: { request(connectionId: number): void };
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: FastifyBaseLogger;
}

/** The request with which the browser comes back from the provider. */
interface Callback {
  readonly query: unknown;
  readonly cookies: Cookies;
  readonly origin: Origin;
}

/**
 * Finishes a sign-in, step by step (SIGN-3): reads what the provider sent, uses up the state, exchanges the
 * code, admits the person, starts a sync in the background, and hands the session over to the dashboard. The
 * signal says how long the provider may take. Throws `SignInFailure`, or what else went wrong; then nobody is
 * signed in and nothing is stored (SIGN-4).
 */
export async function finishSignIn(
  parts: FinishParts,
  request: Callback,
  signal: AbortSignal,
): Promise<Redirect> {
  const { config, provider, sync } = parts;
  const https = config.publicUrl.protocol === "https:";
  const query = readCallbackQuery(request.query);
  const stateHash = hashSecret(query.state);
  const attemptCookie = attemptCookieName(stateHash, https);
  await consumeState(parts, { stateHash, browserSecret: request.cookies.get(attemptCookie) });
  const code = authorizationCode(query);
  if (provider.asksForCode) await useSignInCode(parts, code);
  const redirectUri = callbackUrl(config.publicUrl);
  const grant = await exchangeCode(provider, { code, redirectUri, signal });
  const { connection, session } = await admit(parts, grant, request.origin);
  writeSecurityEvent(parts.log, {
    event: "signed_in",
    outcome: "success",
    userId: connection.userId,
    sessionId: session.sessionId,
    workspaceId: connection.workspaceId,
    origin: request.origin,
  });
  // The account was opened with a job, which this process may as well begin now.
  sync.request(connection.id);
  const { location, cookies } = await redirectWithTokens(config, session);
  return { location, cookies: [...cookies, forgetAttempt(attemptCookie, https)] };
}

/** Opens the account of a person who may come in. A grant that is not to be kept is given back. */
async function admit(parts: FinishParts, grant: Grant, origin: Origin) {
  try {
    requireAllowed(parts.config.allowed, grant);
    return await openAccount(parts, grant, origin);
  } catch (error) {
    await revokeUnusedGrant(parts.provider, grant, parts.log);
    throw error;
  }
}
