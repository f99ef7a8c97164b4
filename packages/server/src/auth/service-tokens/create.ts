import { type Fault, type TokenCreation, tokenLimits } from "@clew/contract";
import type { Clock } from "../../model/clock.ts";
import type { RandomBytes } from "../../model/random.ts";
import { Refusal } from "../../model/refusal.ts";
import type { ServiceToken } from "../../model/service-token.ts";
import { connectionsOf } from "../../store/connections.ts";
import type { Database } from "../../store/database.ts";
import { countUsableTokens, insertServiceToken } from "../../store/service-tokens.ts";
import { nameFaults, trimName } from "./name.ts";
import { hashServiceToken, newServiceToken, prefixOf } from "./raw-token.ts";
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

/** A new token and, this once, its raw value. */
interface CreatedServiceToken {
  readonly token: ServiceToken;
  readonly raw: string;
}

const day = 86_400_000;

/**
 * Creates a service token for a user (TOK-1 to TOK-6). Refuses with `invalid_request` and every fault of the
 * body, those of its shape and those of its meaning, or with `token_limit_reached`. All is judged and written
 * in one transaction: no other request and no other instance comes in between.
 */
export async function createServiceToken(
  { database, clock, random }: Parts,
  userId: string,
  { body, shapeFaults }: Wish,
): Promise<CreatedServiceToken> {
  return database.transaction(async (trx) => {
    const connections = await connectionsOf(trx, userId);
    const connected = new Set(connections.map(({ workspaceId }) => workspaceId));
    const faults = [...shapeFaults, ...meaningFaults(body, connected)];
    if (faults.length > 0) throw new Refusal("invalid_request", "No token was created.", { faults });
    const createdAt = clock();
    if ((await countUsableTokens(trx, userId, createdAt)) >= tokenLimits.usablePerUser) throw limitReached();
    const raw = newServiceToken(random);
    const expiresInDays = body.expires_in_days ?? null;
    const token = await insertServiceToken(trx, {
      userId,
      name: trimName(body.name),
      hash: Buffer.from(hashServiceToken(raw), "base64"),
      prefix: prefixOf(raw),
      scopes: [...new Set(body.scopes)],
      workspaceIds: [...new Set(body.workspace_ids)],
      expiresInDays,
      createdAt,
      expiresAt: expiresInDays === null ? null : createdAt + expiresInDays * day,
    });
    return { token, raw };
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

function limitReached(): Refusal {
  const { usablePerUser } = tokenLimits;
  return new Refusal(
    "token_limit_reached",
    `You have ${usablePerUser} usable service tokens, which is the limit. Revoke one first.`,
  );
}
