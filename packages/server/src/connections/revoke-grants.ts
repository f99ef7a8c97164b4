import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../model/runtime.ts";
import { type Provider, ProviderError, type ProviderErrorCode } from "../provider/port.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database } from "../store/port.ts";
import {
  deleteRevocation,
  dueRevocation,
  postponeRevocation,
  type Revocation,
} from "../store/queries/revocations.ts";
import { openForRevocation } from "./revocation-seal.ts";

interface Parts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly provider: Pick<Provider, "slug" | "revoke">;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** Milliseconds from one attempt to the next, after so many. */
const pauseAfter = (attempts: number) => Math.min(minute * 2 ** attempts, day);

/** After about three weeks the provider will not take it any more. */
const maxAttempts = 30;

/** Milliseconds that the provider may take for one. */
const timeoutMs = 5_000;

/** What the provider says of a grant that it does not have: there is nothing left to give back. */
const unknownThere: readonly ProviderErrorCode[] = ["unauthorized", "not_found", "invalid"];

/** Gives back the grants that are due, one after the other. They are kept until the provider has taken them. */
export async function revokeDueGrants(parts: Parts, signal: AbortSignal): Promise<void> {
  for (;;) {
    const revocation = signal.aborted ? null : await claim(parts);
    if (revocation === null) return;
    await attempt(parts, revocation, signal);
  }
}

/** The next one that is due. By moving the time at which it is due again, no other instance tries it meanwhile. */
async function claim({ database, provider, clock }: Parts): Promise<Revocation | null> {
  const isDue = await dueRevocation(database.read, provider.slug, clock());
  if (isDue === null) return null;
  return database.transaction(async (trx) => {
    const revocation = await dueRevocation(trx, provider.slug, clock());
    if (revocation !== null)
      await postponeRevocation(trx, revocation.id, clock() + pauseAfter(revocation.attempts));
    return revocation;
  });
}

async function attempt(
  { database, secrets, provider, log }: Parts,
  { id, sealedToken, attempts }: Revocation,
  signal: AbortSignal,
): Promise<void> {
  try {
    const token = openForRevocation(secrets, provider.slug, sealedToken);
    await provider.revoke(token, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
  } catch (error) {
    const isUnknown = error instanceof ProviderError && unknownThere.includes(error.code);
    if (!isUnknown && attempts < maxAttempts)
      return log.warn({ err: error, attempts }, "a grant could not be given back yet");
    if (!isUnknown)
      log.error({ err: error, attempts }, "a grant was not given back: the provider does not take it");
  }
  await database.transaction((trx) => deleteRevocation(trx, id));
}
