import type { AuditedEvent } from "../../model/audit.ts";
import type { Actor } from "../../model/caller.ts";
import type { Clock } from "../../model/runtime.ts";
import { type ServiceToken, statusOf } from "../../model/service-token.ts";
import type { Database, WriteTransaction } from "../../store/port.ts";
import { insertAudit } from "../../store/queries/audit.ts";
import { stopServiceToken } from "../../store/queries/service-tokens.ts";
import { auditedChange } from "../audited-change.ts";
import { withLiveSession } from "../live-session.ts";
import { findById, noSuchToken } from "./token-id.ts";

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
  actor: Actor,
  id: string,
): Promise<void> {
  await withLiveSession(database, actor, clock).transaction(async (trx) => {
    const token = await findById(trx, actor.userId, id);
    if (token === null) throw noSuchToken();
    await revoke(trx, token, auditedChange(actor, "token_revoked", token, clock()));
  });
}

/** The same for whoever runs Clew, and for anybody's token. Returns it, null where there is none of this id. */
export async function revokeAnyServiceToken(
  { database, clock }: Parts,
  id: string,
): Promise<ServiceToken | null> {
  return database.transaction(async (trx) => {
    const token = await findById(trx, null, id);
    if (token === null) return null;
    const { userId } = token;
    await revoke(trx, token, { userId, at: clock(), event: "token_revoked", token, reason: "operator" });
    return token;
  });
}

/** Ends a token with its line in the audit trail; neither where it has ended already. */
async function revoke(trx: WriteTransaction, token: ServiceToken, event: AuditedEvent): Promise<void> {
  if (statusOf(token, event.at) === "revoked") return;
  await stopServiceToken(trx, token.id, event.at);
  await insertAudit(trx, [event]);
}
