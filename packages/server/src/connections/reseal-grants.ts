import type { Reseal } from "../secrets/reseal.ts";
import type { WriteTransaction } from "../store/port.ts";
import { connectionIdsAfter, replaceSealedTokens, sealedGrant } from "../store/queries/connections.ts";
import { replaceRevocationSeal, revocationsAfter } from "../store/queries/revocations.ts";
import { accessContext, refreshContext } from "./grant.ts";
import { revocationContext } from "./revocation-seal.ts";

/** How far a batch came. */
export interface Batch {
  /** Where the next one begins; null after the last. */
  readonly next: number | null;
  readonly resealed: number;
}

/** Seals the grants of some connections anew: at most `limit`, those with an id above `after`. */
export async function resealGrants(
  trx: WriteTransaction,
  reseal: Reseal,
  after: number,
  limit: number,
): Promise<Batch> {
  const ids = await connectionIdsAfter(trx, after, limit);
  let resealed = 0;
  for (const id of ids) {
    const grant = await sealedGrant(trx, id);
    if (grant === null) continue;
    const { accessToken, refreshToken } = grant;
    const access = reseal(accessToken, accessContext(grant));
    const refresh = refreshToken === null ? null : reseal(refreshToken, refreshContext(grant));
    if (access === null && refresh === null) continue;
    await replaceSealedTokens(trx, id, {
      accessToken: access ?? accessToken,
      refreshToken: refresh ?? refreshToken,
    });
    resealed += 1;
  }
  return { next: ids.length < limit ? null : (ids.at(-1) ?? null), resealed };
}

/** The same for grants that are still to be given back. */
export async function resealRevocations(
  trx: WriteTransaction,
  reseal: Reseal,
  after: number,
  limit: number,
): Promise<Batch> {
  const revocations = await revocationsAfter(trx, after, limit);
  let resealed = 0;
  for (const { id, provider, sealedToken } of revocations) {
    const anew = reseal(sealedToken, revocationContext(provider));
    if (anew === null) continue;
    await replaceRevocationSeal(trx, id, anew);
    resealed += 1;
  }
  return { next: revocations.length < limit ? null : (revocations.at(-1)?.id ?? null), resealed };
}
