import { hash } from "node:crypto";
import type { Provider } from "@clew/provider";
import { type Cookies, stringifySetCookie } from "cookie";
import type { Config } from "../../config/config.ts";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import type { Database } from "../../store/port.ts";
import { beginAttempt, consumeAttempt, purgeAttempts } from "../../store/queries/sign-ins.ts";
import { callbackUrl, type Redirect, SignInFailure } from "./redirect.ts";

/** The time in which a person must return from the provider (SIGN-2). */
const attemptLifetimeMs = 10 * 60 * 1000;

/** Attempts that one browser can have open: more cookies would exceed the limit of the request's headers. */
const maxOpenAttempts = 8;

interface AttemptServices {
  readonly config: Pick<Config, "publicUrl">;
  readonly database: Database;
  readonly provider: Provider;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/**
 * Begins a sign-in: redirects the browser to the consent screen with a `state` that only this browser can bring back
 * (SIGN-1, SIGN-2; RFC 6749, section 10.12). Only the hashes of the state and of the cookie are stored.
 */
export async function beginSignIn(services: AttemptServices, cookies: Cookies): Promise<Redirect> {
  const { config, database, provider, clock, random } = services;
  const https = config.publicUrl.protocol === "https:";
  const state = newSecret(random);
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
    cookies: [
      ...forgetOldAttempts(cookies, https),
      attemptCookie(attemptCookieName(stateHash, https), browserSecret, https),
    ],
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

/**
 * The name of the cookie that ties an attempt to its browser. It contains the hash of the state, so that two tabs do
 * not overwrite each other's. With `__Host-`, which needs https, other hosts cannot set it (RFC 6265bis, section
 * 4.1.3.2).
 */
export function attemptCookieName(stateHash: Uint8Array, https: boolean): string {
  return `${namePrefix(https)}${Buffer.from(stateHash).toString("base64url").slice(0, 16)}`;
}

/** The cookie that stores an attempt's secret in the browser, or removes it if the secret is null. */
export function attemptCookie(name: string, browserSecret: string | null, secure: boolean): string {
  const maxAge = browserSecret === null ? 0 : attemptLifetimeMs / 1000;
  const value = browserSecret ?? "";
  // Lax, because the provider's redirect comes from another site.
  return stringifySetCookie({ name, value, maxAge, path: "/", sameSite: "lax", httpOnly: true, secure });
}

/** The cookies that remove a browser's oldest attempts, so that one more fits. */
export function forgetOldAttempts(cookies: Cookies, https: boolean): string[] {
  // Browsers send the oldest first (RFC 6265, section 5.4).
  const names = Object.keys(cookies).filter((name) => name.startsWith(namePrefix(https)));
  return names
    .slice(0, Math.max(0, names.length - maxOpenAttempts + 1))
    .map((name) => attemptCookie(name, null, https));
}

const namePrefix = (https: boolean) => (https ? "__Host-clew_sign_in_" : "clew_sign_in_");

/** Draws 256 random bits, in base64url. */
function newSecret(random: RandomBytes): string {
  return Buffer.from(random(32)).toString("base64url");
}

/** Whether a text has the form of a state that Clew draws. */
export function isState(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** The hash that is stored in place of a secret. */
export function hashSecret(secret: string): Uint8Array {
  return new Uint8Array(hash("sha256", secret, "buffer"));
}
