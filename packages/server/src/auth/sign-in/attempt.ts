import type { Provider } from "@clew/provider";
import type { Cookies } from "cookie";
import type { Config } from "../../config/config.ts";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import type { Database } from "../../store/port.ts";
import {
  type AttemptPurpose,
  beginAttempt,
  consumeAttempt,
  purgeAttempts,
} from "../../store/queries/sign-ins.ts";
import { BrowserCookies, hashSecret, newSecret } from "../browser-cookies.ts";
import { callbackUrl, type Redirect, SignInFailure } from "./redirect.ts";

/** The time in which a person must return from the provider (SIGN-2). */
const attemptLifetimeMs = 10 * 60 * 1000;

/**
 * The attempts that are kept for all people. With more of them the oldest ends: to refuse new ones would let anyone lock everyone
 * out, for ten minutes at a time. To end an attempt within a minute of its beginning, 100 000 must be begun in that minute: at the
 * standard limit of 30 a minute, from 3 334 addresses.
 */
const maxAttempts = 100_000;

/** The cookies that tie attempts to their browser. */
export const attemptCookies = (publicUrl: URL) =>
  new BrowserCookies({ name: "clew_sign_in", lifetimeMs: attemptLifetimeMs, publicUrl });

interface AttemptServices {
  readonly config: Pick<Config, "publicUrl">;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** A sign-in that a browser begins. */
interface Beginning {
  readonly source: Pick<Provider, "slug" | "authorizationUrl">;
  readonly cookies: Cookies;
  /** The id of an app's request that the sign-in leads back to (APP-4): it is a part of the state. */
  readonly request?: string | null;
  /** The session whose account gets the connection (SIGN-5); without one, the sign-in opens a session. */
  readonly adding?: AttemptPurpose["adding"];
}

/**
 * Begins a sign-in: redirects the browser to the consent screen with a `state` that only this browser can bring back
 * (SIGN-1, SIGN-2; RFC 6749, section 10.12). Only the hashes of the state and of the cookie are stored.
 */
export async function beginSignIn(
  services: AttemptServices,
  { source, cookies, request = null, adding = null }: Beginning,
): Promise<Redirect> {
  const { config, database, clock, random } = services;
  const kept = attemptCookies(config.publicUrl);
  const state = newState(random, request);
  const browserSecret = newSecret(random);
  const stateHash = hashSecret(state);
  const browserHash = hashSecret(browserSecret);
  const now = clock();
  await database.transaction(async (trx) => {
    await purgeAttempts(trx, now);
    const expiresAt = now + attemptLifetimeMs;
    const attempt = { provider: source.slug, adding, stateHash, browserHash, expiresAt };
    await beginAttempt(trx, attempt, maxAttempts);
  });
  return {
    location: source.authorizationUrl({ state, redirectUri: callbackUrl(config.publicUrl) }),
    cookies: kept.begin(stateHash, browserSecret, cookies),
  };
}

/**
 * Uses up a state, and returns what it was for. It works once, in time, and in the browser that began the attempt; another browser
 * cannot use it up.
 * `browserSecret` is the value of the attempt's cookie. Throws `SignInFailure` `invalid_state`.
 */
export async function consumeState(
  { database, clock }: Pick<AttemptServices, "database" | "clock">,
  stateHash: Uint8Array,
  browserSecret: string | undefined,
): Promise<AttemptPurpose> {
  if (browserSecret === undefined) throw new SignInFailure("invalid_state");
  const attempt = { stateHash, browserHash: hashSecret(browserSecret) };
  const purpose = await database.transaction((trx) => consumeAttempt(trx, attempt, clock()));
  if (purpose === null) throw new SignInFailure("invalid_state");
  return purpose;
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
