import { tokenLimits } from "@clew/contract";
import { ApiError } from "../../model/api-error.ts";
import type { RandomBytes } from "../../model/runtime.ts";
import type { ServiceToken } from "../../model/service-token.ts";
import type { WriteTransaction } from "../../store/port.ts";
import {
  countUsableTokens,
  insertServiceToken,
  type NewServiceToken,
} from "../../store/queries/service-tokens.ts";
import { hashServiceToken, newServiceToken, prefixOf } from "./raw-token.ts";

/** What its owner decides about a token. */
type Grant = Pick<NewServiceToken, "userId" | "name" | "scopes" | "workspaceIds" | "expiresInDays">;

/** A new token and, this once, its raw value. */
export interface IssuedServiceToken {
  readonly token: ServiceToken;
  readonly raw: string;
}

const day = 86_400_000;

/**
 * Makes a token as of `now`, in the caller's transaction: no other request and no other instance comes between the
 * count and the new one (TOK-6). Refuses with `token_limit_reached`, and tells the way out.
 */
export async function issueServiceToken(
  trx: WriteTransaction,
  { userId, name, scopes, workspaceIds, expiresInDays }: Grant,
  { now, random, wayOut }: { readonly now: number; readonly random: RandomBytes; readonly wayOut: string },
): Promise<IssuedServiceToken> {
  const { usablePerUser } = tokenLimits;
  if ((await countUsableTokens(trx, userId, now)) >= usablePerUser) {
    const detail = `You have ${usablePerUser} usable service tokens, which is the limit. ${wayOut}`;
    throw new ApiError("token_limit_reached", detail);
  }
  const raw = newServiceToken(random);
  const token = await insertServiceToken(trx, {
    userId,
    name,
    hash: Buffer.from(hashServiceToken(raw), "base64"),
    prefix: prefixOf(raw),
    scopes,
    workspaceIds,
    expiresInDays,
    createdAt: now,
    expiresAt: expiresInDays === null ? null : now + expiresInDays * day,
  });
  return { token, raw };
}
