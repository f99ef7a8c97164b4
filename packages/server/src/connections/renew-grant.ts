import type { Clock } from "../model/runtime.ts";
import { type Provider, ProviderError, type RenewedGrant } from "../provider/port.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database } from "../store/port.ts";
import { replaceTokens, sealedGrant } from "../store/queries/connections.ts";
import { insertRevocation } from "../store/queries/revocations.ts";
import { type GrantTokens, openTokens, sealTokens } from "./grant.ts";
import { sealForRevocation } from "./revocation-seal.ts";

interface Parts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly provider: Pick<Provider, "slug" | "refresh">;
  readonly clock: Clock;
}

/** Milliseconds that the provider may take for it. */
const timeoutMs = 5_000;

/**
 * Renews tokens that the provider no longer accepts (SYNC-8). True where the connection has newer ones then; false
 * where it has none to be renewed with, or the provider refuses. To be called by the one worker that has the
 * connection's job, since a refresh token serves once. The renewed tokens are stored before anybody can use them. Where
 * a sign-in has replaced the grant meanwhile, that one counts; where the connection was removed, the renewed tokens are
 * to be given back. Throws `ProviderError` where the provider does not answer.
 */
export async function renewGrant(
  { database, secrets, provider, clock }: Parts,
  connectionId: number,
  used: GrantTokens,
): Promise<boolean> {
  if (used.refreshToken === null) return false;
  const renewed = await refresh(provider, used.refreshToken);
  if (renewed === null) return false;
  await database.transaction(async (trx) => {
    const owner = await sealedGrant(trx, connectionId);
    if (owner === null) {
      const sealedToken = sealForRevocation(secrets, provider.slug, renewed.accessToken);
      return insertRevocation(trx, { provider: provider.slug, sealedToken, dueAt: clock() });
    }
    const current = await openTokens(trx, secrets, connectionId);
    if (current?.refreshToken === used.refreshToken)
      await replaceTokens(trx, connectionId, sealTokens(secrets, owner, renewed));
  });
  return true;
}

/**
 * Neither a stop nor a lost lease ends the call: the provider may have used up the refresh token by then, and only its
 * answer says by what to replace it.
 */
async function refresh(provider: Parts["provider"], refreshToken: string): Promise<RenewedGrant | null> {
  try {
    return await provider.refresh(refreshToken, AbortSignal.timeout(timeoutMs));
  } catch (error) {
    if (error instanceof ProviderError && error.code === "unauthorized") return null;
    throw error;
  }
}
