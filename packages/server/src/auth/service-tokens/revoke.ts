import type { Author } from "../../model/author.ts";
import type { Clock } from "../../model/clock.ts";
import { type ServiceToken, statusOf } from "../../model/service-token.ts";
import { insertAudit } from "../../store/audit.ts";
import type { Database } from "../../store/database.ts";
import { findAnyServiceToken, findServiceToken, stopServiceToken } from "../../store/service-tokens.ts";
import { auditedChange } from "../audited-change.ts";
import { noSuchToken, parseTokenId } from "./token-id.ts";

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Revokes one of the author's tokens for good; again is fine and changes nothing (TOK-8). It counts for every request
 * that begins after this has resolved. Refuses with `not_found` what is no id of a token of this user's.
 */
export async function revokeServiceToken(
  { database, clock }: Parts,
  author: Author,
  id: string,
): Promise<void> {
  const tokenId = parseTokenId(id);
  await database.transaction(async (trx) => {
    const token = tokenId === null ? null : await findServiceToken(trx, author.userId, tokenId);
    if (token === null) throw noSuchToken();
    const now = clock();
    if (statusOf(token, now) === "revoked") return;
    await stopServiceToken(trx, token.id, now);
    await insertAudit(trx, [auditedChange(author, "token_revoked", token, now)]);
  });
}

/** The same for whoever runs Clew, and for anybody's token. Returns it, null where there is none of this id. */
export async function revokeAnyServiceToken(
  { database, clock }: Parts,
  id: string,
): Promise<ServiceToken | null> {
  const tokenId = parseTokenId(id);
  return database.transaction(async (trx) => {
    const token = tokenId === null ? null : await findAnyServiceToken(trx, tokenId);
    if (token === null) return null;
    const now = clock();
    if (statusOf(token, now) === "revoked") return token;
    await stopServiceToken(trx, token.id, now);
    const { userId } = token;
    await insertAudit(trx, [{ userId, at: now, event: "token_revoked", token, reason: "operator" }]);
    return token;
  });
}
