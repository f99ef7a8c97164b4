import type { Provider } from "@clew/provider";
import type { Cookies } from "cookie";
import type { Config } from "../../config/config.ts";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import type { Database } from "../../store/port.ts";
import { beginAttempt, consumeAttempt, purgeAttempts } from "../../store/queries/sign-ins.ts";
import { BrowserCookies, hashSecret, newSecret } from "../browser-cookies.ts";
import { callbackUrl, type Redirect, SignInFailure } from "./redirect.ts";

/** The time in which a person must return from the provider (SIGN-2). */
const attemptLifetimeMs = 10 * 60 * 1000;

/** The cookies that tie attempts to their browser. */
export const attemptCookies = (publicUrl: URL) =>
  new BrowserCookies({ name: "clew_sign_in", lifetimeMs: attemptLifetimeMs, publicUrl });

interface AttemptServices {
  readonly config: Pick<Config, "publicUrl">;
  readonly database: Database;
  readonly provider: Provider;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/**
 * Begins a sign-in: redirects the browser to the consent screen with a `state` that only this browser can bring back
 * (SIGN-1, SIGN-2; RFC 6749, section 10.12). Only the hashes of the state and of the cookie are stored. `request` is the id of an
 * app's request that the sign-in leads back to (APP-4): it is a part of the state.
 */
export async function beginSignIn(
  services: AttemptServices,
  { cookies, request = null }: { readonly cookies: Cookies; readonly request?: string | null },
): Promise<Redirect> {
  const { config, database, provider, clock, random } = services;
  const kept = attemptCookies(config.publicUrl);
  const state = newState(random, request);
  const browserSecret = newSecret(random);
  const stateHash = hashSecret(state);
  const browserHash = hashSecret(browserSecret);
  const now = clock();
  await database.transaction(async (trx) => {
    await purgeAttempts(trx, now);
    await beginAttempt(trx, { stateHash, browserHash, expiresAt: now + attemptLifetimeMs });
  });
  return {
    location: provider.authorizationUrl({ state, redirectUri: callbackUrl(config.publicUrl) }),
    cookies: kept.begin(stateHash, browserSecret, cookies),
  };
}

/**
 * Uses up a state. It works once, in time, and in the browser that began the attempt; another browser cannot use it up.
 * `browserSecret` is the value of the attempt's cookie. Throws `SignInFailure` `invalid_state`.
 */
export async function consumeState(
  { database, clock }: Pick<AttemptServices, "database" | "clock">,
  stateHash: Uint8Array,
  browserSecret: string | undefined,
): Promise<void> {
  if (browserSecret === undefined) throw new SignInFailure("invalid_state");
  const attempt = { stateHash, browserHash: hashSecret(browserSecret) };
  const consumed = await database.transaction((trx) => consumeAttempt(trx, attempt, clock()));
  if (!consumed) throw new SignInFailure("invalid_state");
}

function newState(random: RandomBytes, request: string | null): string {
  const secret = newSecret(random);
  return request === null ? secret : `${secret}.${request}`;
}

/** Whether a text has the form of a state that Clew draws. */
export function isState(text: string): boolean {
  return /^[\w-]{43}(?:\.[\w-]{43})?$/.test(text);
}

/** The id of the app's request that a state leads back to; null if it has none. */
export function requestOfState(state: string): string | null {
  return state.split(".")[1] ?? null;
}
