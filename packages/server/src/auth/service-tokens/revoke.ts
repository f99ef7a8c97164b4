import type { Clock } from "../../model/clock.ts";
import { Refusal } from "../../model/refusal.ts";
import type { Database } from "../../store/database.ts";
import { revokeServiceToken as revokeStored } from "../../store/service-tokens.ts";

/**
 * Revokes one of the user's tokens for good; again is fine (TOK-8). It counts for every request that begins
 * after this has resolved. Refuses with `not_found` what is no id of a token of this user's.
 */
export async function revokeServiceToken(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  userId: string,
  id: string,
): Promise<void> {
  const tokenId = parseTokenId(id);
  const known =
    tokenId !== null && (await database.transaction((trx) => revokeStored(trx, userId, tokenId, clock())));
  if (!known) throw new Refusal("not_found", "You have no service token of this id.");
}

/** A token's id has one spelling: `07`, `7.0` and `+7` name nothing. */
function parseTokenId(text: string): number | null {
  const id = Number(text);
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : null;
}
