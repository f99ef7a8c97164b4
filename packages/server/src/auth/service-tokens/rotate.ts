import { ApiError } from "../../model/api-error.ts";
import type { Actor } from "../../model/caller.ts";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import { type ServiceToken, statusOf } from "../../model/service-token.ts";
import type { Database, WriteTransaction } from "../../store/port.ts";
import { insertAudit } from "../../store/queries/audit.ts";
import { connectionsOf } from "../../store/queries/connections.ts";
import { stopServiceToken } from "../../store/queries/service-tokens.ts";
import { auditedChange } from "../audited-change.ts";
import { withLiveSession } from "../live-session.ts";
import { type IssuedServiceToken, issueServiceToken } from "./issue.ts";
import { findById, noSuchToken } from "./token-id.ts";

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

const hour = 3_600_000;

/**
 * Replaces one of the user's tokens by a new one that opens the same for as many days, counted from now. The old one
 * stops after the overlap and counts towards the limit until then (TOK-9). Refuses with `not_found`, with `conflict`
 * where the old one is at its end or a workspace of its is no longer connected, or with `token_limit_reached`.
 */
export async function rotateServiceToken(
  { database, clock, random }: Parts,
  actor: Actor,
  { id, overlapHours }: { readonly id: string; readonly overlapHours: number },
): Promise<IssuedServiceToken> {
  return withLiveSession(database, actor, clock).transaction(async (trx) => {
    const now = clock();
    const old = await findById(trx, actor.userId, id);
    if (old === null) throw noSuchToken();
    const obstacle = endOf(old, now) ?? (await lostWorkspace(trx, old));
    if (obstacle !== null) throw new ApiError("conflict", `${obstacle} Nothing was changed.`);
    await stopServiceToken(trx, old.id, now + overlapHours * hour);
    const wayOut = "Revoke one first, or rotate without an overlap.";
    const issued = await issueServiceToken(trx, old, { now, random, wayOut });
    const successorId = issued.token.id;
    await insertAudit(trx, [{ ...auditedChange(actor, "token_rotated", old, now), successorId }]);
    return issued;
  });
}

/** Why a token cannot be rotated any more; null where it can. */
function endOf(token: ServiceToken, now: number): string | null {
  const status = statusOf(token, now);
  if (status !== "active") return `The token is ${status}.`;
  return token.revokedAt === null ? null : "The token was rotated already and is in its overlap.";
}

async function lostWorkspace(
  trx: WriteTransaction,
  { userId, workspaceIds }: ServiceToken,
): Promise<string | null> {
  const connected = new Set((await connectionsOf(trx, userId)).map(({ workspaceId }) => workspaceId));
  const lost = workspaceIds.find((id) => !connected.has(id));
  return lost === undefined ? null : `You are no longer connected to the workspace ${lost}.`;
}
