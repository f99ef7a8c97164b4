import { type Provider, ProviderError, type RenewedGrant } from "@clew/provider";
import type { Clock } from "../model/runtime.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database } from "../store/port.ts";
import { replaceSealedTokens, sealedGrant } from "../store/queries/connections.ts";
import { insertRevocation } from "../store/queries/revocations.ts";
import { type GrantTokens, openGrant, sealForRevocation, sealTokens } from "./grant.ts";

interface RenewalServices {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly provider: Pick<Provider, "slug" | "refresh">;
  readonly clock: Clock;
}

const providerTimeoutMs = 5_000;

/**
 * Renews tokens that the provider no longer accepts (SYNC-8). True if the connection has newer tokens afterwards; false
 * if it has no refresh token or the provider refuses it. A refresh token works once, so only the worker that holds the
 * connection's lease may call this. If a sign-in has replaced the grant since, its tokens stay; if the connection was
 * removed, the renewed tokens are queued to be revoked. Throws `ProviderError` if the provider does not answer.
 */
export async function renewGrant(
  { database, secrets, provider, clock }: RenewalServices,
  connectionId: number,
  used: GrantTokens,
): Promise<boolean> {
  if (used.refreshToken === null) return false;
  const renewed = await refresh(provider, used.refreshToken);
  if (renewed === null) return false;
  await database.transaction(async (trx) => {
    const grant = await sealedGrant(trx, connectionId);
    if (grant === null) {
      const sealedToken = sealForRevocation(secrets, provider.slug, renewed.accessToken);
      return insertRevocation(trx, { provider: provider.slug, sealedToken, dueAt: clock() });
    }
    if (openGrant(secrets, grant).refreshToken === used.refreshToken)
      await replaceSealedTokens(trx, connectionId, sealTokens(secrets, grant, renewed));
  });
  return true;
}

/**
 * Takes no abort signal: the provider may have used up the refresh token already, and its answer is the only copy of the
 * next one.
 */
function refresh(provider: RenewalServices["provider"], refreshToken: string): Promise<RenewedGrant | null> {
  return provider.refresh(refreshToken, AbortSignal.timeout(providerTimeoutMs)).catch((error) => {
    if (error instanceof ProviderError && error.code === "unauthorized") return null;
    throw error;
  });
}
