import type { FastifyBaseLogger } from "fastify";
import type { Grant, Provider } from "../../provider/port.ts";

/** Milliseconds for which a failed sign-in waits until the provider has taken its grant back. */
const timeoutMs = 1500;

/**
 * Gives back a grant that nobody will use. The person is told why the sign-in failed, not whether this did.
 */
export async function revokeUnusedGrant(
  provider: Provider,
  grant: Grant,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    await provider.revoke(grant.accessToken, AbortSignal.timeout(timeoutMs));
  } catch (error) {
    log.warn({ err: error }, "the grant of a failed sign-in could not be given back");
  }
}
