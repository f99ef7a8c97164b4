import type { Reseal, Secrets } from "../secrets/secrets.ts";
import type { ReadHandle, WriteTransaction } from "../store/port.ts";
import {
  isGivenUp,
  replaceSealedTokens,
  type SealedGrant,
  sealedGrant,
  sealedGrantsAfter,
} from "../store/queries/connections.ts";
import { replaceRevocationSeal, revocationsAfter } from "../store/queries/revocations.ts";

/** The decrypted tokens of a grant. They are never logged, and stored only when sealed (SIGN-8). */
export interface GrantTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
}

/** The user and workspace of a grant. Its sealed tokens cannot be decrypted for another. */
type Owner = Pick<SealedGrant, "userId" | "workspaceId">;

const accessContext = ({ userId, workspaceId }: Owner) => `grant:${userId}:${workspaceId}`;
const refreshContext = ({ userId, workspaceId }: Owner) => `grant-refresh:${userId}:${workspaceId}`;

/** A grant that waits to be revoked no longer belongs to a user: the context is only its provider. */
const revocationContext = (provider: string) => `revocation:${provider}`;

/** Seals the tokens of a grant for storage. */
export function sealTokens(
  secrets: Secrets,
  owner: Owner,
  { accessToken, refreshToken }: GrantTokens,
): Pick<SealedGrant, "accessToken" | "refreshToken"> {
  const seal = (token: string, context: string) => secrets.seal(Buffer.from(token), context);
  return {
    accessToken: seal(accessToken, accessContext(owner)),
    refreshToken: refreshToken === null ? null : seal(refreshToken, refreshContext(owner)),
  };
}

/** Opens the current tokens of a connection; null if it is gone or its grant was given up. Throws `SecretsError`. */
export async function openTokens(
  db: ReadHandle,
  secrets: Secrets,
  connectionId: number,
): Promise<GrantTokens | null> {
  const grant = await sealedGrant(db, connectionId);
  return grant === null ? null : openGrant(secrets, grant);
}

/** Opens the tokens of a grant. Throws `SecretsError`. */
export function openGrant(secrets: Secrets, grant: SealedGrant): GrantTokens {
  const open = (sealed: Uint8Array, context: string) => Buffer.from(secrets.open(sealed, context)).toString();
  const { accessToken, refreshToken } = grant;
  return {
    accessToken: open(accessToken, accessContext(grant)),
    refreshToken: refreshToken === null ? null : open(refreshToken, refreshContext(grant)),
  };
}

/** Seals the access token of a grant that is to be revoked. */
export function sealForRevocation(secrets: Secrets, provider: string, token: string): Uint8Array {
  return secrets.seal(Buffer.from(token), revocationContext(provider));
}

/** Opens what `sealForRevocation` sealed. Throws `SecretsError`. */
export function openForRevocation(secrets: Secrets, provider: string, sealed: Uint8Array): string {
  return Buffer.from(secrets.open(sealed, revocationContext(provider))).toString();
}

/** The result of resealing one batch. */
export interface ResealedBatch {
  /** The id to pass as `after` for the next batch; null after the last one. */
  readonly next: number | null;
  readonly resealed: number;
}

/** Reseals the grants of up to `limit` connections with ids above `after`. */
export async function resealGrants(
  trx: WriteTransaction,
  reseal: Reseal,
  after: number,
  limit: number,
): Promise<ResealedBatch> {
  const grants = await sealedGrantsAfter(trx, after, limit);
  let resealed = 0;
  for (const grant of grants) {
    if (isGivenUp(grant)) continue;
    const { id, accessToken, refreshToken } = grant;
    const access = reseal(accessToken, accessContext(grant));
    const refresh = refreshToken === null ? null : reseal(refreshToken, refreshContext(grant));
    if (access === null && refresh === null) continue;
    await replaceSealedTokens(trx, id, {
      accessToken: access ?? accessToken,
      refreshToken: refresh ?? refreshToken,
    });
    resealed += 1;
  }
  return { next: lastId(grants, limit), resealed };
}

/** Reseals up to `limit` grants that wait to be revoked, with ids above `after`. */
export async function resealRevocations(
  trx: WriteTransaction,
  reseal: Reseal,
  after: number,
  limit: number,
): Promise<ResealedBatch> {
  const revocations = await revocationsAfter(trx, after, limit);
  let resealed = 0;
  for (const { id, provider, sealedToken } of revocations) {
    const sealedAnew = reseal(sealedToken, revocationContext(provider));
    if (sealedAnew === null) continue;
    await replaceRevocationSeal(trx, id, sealedAnew);
    resealed += 1;
  }
  return { next: lastId(revocations, limit), resealed };
}

/** The id after which the next batch continues; null if this one was the last. */
function lastId(batch: readonly { readonly id: number }[], limit: number): number | null {
  return batch.length < limit ? null : (batch.at(-1)?.id ?? null);
}
