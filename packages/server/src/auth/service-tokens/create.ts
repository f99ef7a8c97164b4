import type { Fault, TokenCreation } from "@clew/contract";
import { ApiError } from "../../model/api-error.ts";
import type { Actor } from "../../model/caller.ts";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import type { Database } from "../../store/port.ts";
import { insertAudit } from "../../store/queries/audit.ts";
import { connectionsOf } from "../../store/queries/connections.ts";
import { auditedChange } from "../audited-change.ts";
import { withLiveSession } from "../live-session.ts";
import { type IssuedServiceToken, issueServiceToken } from "./issue.ts";
import { nameFaults, trimName } from "./name.ts";
import { workspaceFaults } from "./workspaces.ts";

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** What somebody asks for. */
interface Wish {
  /** The body as it arrived: what its type says only where it has no faults of shape. */
  readonly body: TokenCreation;
  /** What the message's schema finds wrong with the body. */
  readonly shapeFaults: readonly Fault[];
}

/**
 * Creates a service token for a user (TOK-1 to TOK-6). Refuses with `invalid_request` and every fault of the
 * body, those of its shape and those of its meaning, or with `token_limit_reached`. All is judged and written
 * in one transaction: no other request and no other instance comes in between.
 */
export async function createServiceToken(
  { database, clock, random }: Parts,
  actor: Actor,
  { body, shapeFaults }: Wish,
): Promise<IssuedServiceToken> {
  return withLiveSession(database, actor, clock).transaction(async (trx) => {
    const { userId } = actor;
    const connections = await connectionsOf(trx, userId);
    const connected = new Set(connections.map(({ workspaceId }) => workspaceId));
    const faults = [...shapeFaults, ...meaningFaults(body, connected)];
    if (faults.length > 0) throw new ApiError("invalid_request", "No token was created.", { faults });
    const grant = {
      userId,
      name: trimName(body.name),
      scopes: [...new Set(body.scopes)],
      workspaceIds: [...new Set(body.workspace_ids)],
      expiresInDays: body.expires_in_days ?? null,
    };
    const now = clock();
    const issued = await issueServiceToken(trx, grant, { now, random, wayOut: "Revoke one first." });
    await insertAudit(trx, [auditedChange(actor, "token_created", issued.token, now)]);
    return issued;
  });
}

/** What is wrong with those fields that have the right shape. */
function meaningFaults(body: unknown, connected: ReadonlySet<string>): Fault[] {
  const { name, workspace_ids: ids }: Partial<Record<keyof TokenCreation, unknown>> = Object(body);
  return [
    ...(typeof name === "string" ? nameFaults(name) : []),
    ...(Array.isArray(ids) ? workspaceFaults(ids, connected) : []),
  ];
}
