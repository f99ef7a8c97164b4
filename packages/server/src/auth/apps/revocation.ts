import { revocationParameters } from "@clew/contract";
import type { Origin } from "../../model/caller.ts";
import type { Clock } from "../../model/runtime.ts";
import type { ServiceToken } from "../../model/service-token.ts";
import type { Database } from "../../store/port.ts";
import { tokenOfApp, tokensUnusedSince } from "../../store/queries/service-tokens.ts";
import { hashSecret } from "../browser-cookies.ts";
import { hashServiceToken, revoke } from "../service-tokens.ts";
import { OAuthFault } from "./faults.ts";
import { readParameters, requireParameter, requireSingle } from "./parameters.ts";

interface RevocationServices {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Ends the token of a connected app at its own request (RFC 7009). Returns it; null if it is no such token, or has ended: both
 * are answered as a success. A client that names itself can end its own tokens only. Throws `OAuthFault`.
 */
export async function revokeAppToken(
  { database, clock }: RevocationServices,
  { form, origin }: { readonly form: URLSearchParams; readonly origin: Origin },
): Promise<ServiceToken | null> {
  const sent = readParameters(form, revocationParameters);
  requireSingle(sent);
  const hash = hashServiceToken(requireParameter(sent, "token"));
  const clientId = sent.values.client_id;
  return database.transaction(async (trx) => {
    const found = await tokenOfApp(trx, hash);
    if (found === null) return null;
    const { token, clientHash } = found;
    if (clientId !== undefined && Buffer.compare(hashSecret(clientId), clientHash) !== 0)
      throw new OAuthFault("invalid_client", "The token was given to another program.");
    const event = { userId: token.userId, at: clock(), event: "token_revoked", token, origin } as const;
    return (await revoke(trx, token, { ...event, reason: "app_disconnected" })) ? token : null;
  });
}

/** The time after which a connected app's token ends that is not used (APP-7). */
const unusedMs = 30 * 24 * 3_600_000;

/** Ends the tokens of connected apps that have not been used for 30 days (APP-7). Returns how many. */
export async function endUnusedTokens({ database, clock }: RevocationServices): Promise<number> {
  const now = clock();
  if ((await tokensUnusedSince(database.read, now - unusedMs, now)).length === 0) return 0;
  return database.transaction(async (trx) => {
    const at = clock();
    // Again, since one may have been used or ended meanwhile.
    const unused = await tokensUnusedSince(trx, at - unusedMs, at);
    for (const token of unused) {
      const event = { userId: token.userId, at, event: "token_revoked", token } as const;
      await revoke(trx, token, { ...event, reason: "unused" });
    }
    return unused.length;
  });
}
