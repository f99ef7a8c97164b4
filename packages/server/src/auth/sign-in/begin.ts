import type { Config } from "../../config/config.ts";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import type { Provider } from "../../provider/port.ts";
import type { Database } from "../../store/port.ts";
import { beginAttempt, purgeAttempts } from "../../store/queries/sign-in-attempts.ts";
import { attemptCookieName, attemptLifetime, forgetOldAttempts, rememberAttempt } from "./attempt-cookie.ts";
import { callbackUrl } from "./callback-url.ts";
import type { Cookies } from "./cookies.ts";
import type { Redirect } from "./redirect.ts";
import { hashSecret, newSecret } from "./state.ts";

interface Parts {
  readonly config: Pick<Config, "publicUrl">;
  readonly database: Database;
  readonly provider: Provider;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/**
 * Begins a sign-in: sends the browser to the consent screen with a state that only this browser can bring
 * back (SIGN-1, SIGN-2; RFC 6749, section 10.12). The store learns the hashes of the state and of the cookie
 * alone.
 */
export async function beginSignIn(parts: Parts, cookies: Cookies): Promise<Redirect> {
  const { config, database, provider, clock, random } = parts;
  const https = config.publicUrl.protocol === "https:";
  const state = newSecret(random);
  const browserSecret = newSecret(random);
  const stateHash = hashSecret(state);
  const now = clock();
  await database.transaction(async (trx) => {
    await purgeAttempts(trx, now);
    await beginAttempt(trx, {
      stateHash,
      browserHash: hashSecret(browserSecret),
      expiresAt: now + attemptLifetime,
    });
  });
  return {
    location: provider.authorizationUrl({ state, redirectUri: callbackUrl(config.publicUrl) }),
    cookies: [
      ...forgetOldAttempts(cookies, https),
      rememberAttempt(attemptCookieName(stateHash, https), browserSecret, https),
    ],
  };
}
