import { type Provider, ProviderError, type ProviderErrorCode } from "@clew/provider";
import type { Log } from "../model/log.ts";
import type { Clock } from "../model/runtime.ts";
import type { Sources } from "../providers/sources.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database } from "../store/port.ts";
import {
  deleteRevocation,
  dueRevocation,
  postponeRevocation,
  type Revocation,
} from "../store/queries/revocations.ts";
import { openForRevocation } from "./grant.ts";

interface RevocationServices {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly sources: Sources<Pick<Provider, "slug" | "revoke">>;
  readonly clock: Clock;
  readonly log: Log;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const retryDelayMs = (attempts: number) => Math.min(minuteMs * 2 ** attempts, dayMs);

/** With the delays above, Clew gives up after about three weeks. */
const maxAttempts = 30;

const providerTimeoutMs = 5_000;

/** The provider's error codes for a grant that it no longer has. */
const alreadyRevoked: readonly ProviderErrorCode[] = ["unauthorized", "not_found", "invalid"];

/** Revokes the grants that are due, one after the other. Each stays queued until the provider has revoked it. */
export async function revokeDueGrants(services: RevocationServices, signal: AbortSignal): Promise<void> {
  for (;;) {
    const revocation = signal.aborted ? null : await claim(services);
    if (revocation === null) return;
    await attempt(services, revocation, signal);
  }
}

/** Returns the next grant that is due, and postpones its next attempt, so that no other instance takes it until then. */
async function claim(services: RevocationServices): Promise<Revocation | null> {
  for (const slug of services.sources.slugs) {
    const claimed = await claimAt(slug, services);
    if (claimed !== null) return claimed;
  }
  return null;
}

async function claimAt(
  slug: string,
  { database, clock }: Pick<RevocationServices, "database" | "clock">,
): Promise<Revocation | null> {
  if ((await dueRevocation(database.read, slug, clock())) === null) return null;
  return database.transaction(async (trx) => {
    const revocation = await dueRevocation(trx, slug, clock());
    if (revocation !== null)
      await postponeRevocation(trx, revocation.id, clock() + retryDelayMs(revocation.attempts));
    return revocation;
  });
}

async function attempt(
  { database, secrets, sources, log }: RevocationServices,
  { id, provider, sealedToken, attempts }: Revocation,
  signal: AbortSignal,
): Promise<void> {
  try {
    const token = openForRevocation(secrets, provider, sealedToken);
    await sources
      .of(provider)
      .revoke(token, AbortSignal.any([signal, AbortSignal.timeout(providerTimeoutMs)]));
  } catch (error) {
    const isRevoked = error instanceof ProviderError && alreadyRevoked.includes(error.code);
    if (!isRevoked && attempts < maxAttempts)
      return log.warn({ err: error, attempts }, "failed to revoke a grant, will try again");
    if (!isRevoked) log.error({ err: error, attempts }, "failed to revoke a grant, gave up");
  }
  await database.record((trx) => deleteRevocation(trx, id));
}
