import { hash } from "node:crypto";
import type { SessionClaims, SessionTokens } from "./session-tokens.ts";

/** A page that shows a graph sends one access token many times: its signature need be checked only once. */
const capacity = 10_000;

/**
 * Remembers the claims of the tokens used last, by their digest. Only what can never change is remembered:
 * whether the token has expired and whether its session lives are asked anew on every request.
 */
export function rememberVerified(tokens: SessionTokens): SessionTokens {
  const remembered = new Map<string, SessionClaims>();
  return {
    sign: tokens.sign,
    async verify(kind, raw) {
      const digest = `${kind}:${hash("sha256", raw, "base64")}`;
      const claims = remembered.get(digest) ?? (await tokens.verify(kind, raw));
      if (claims) {
        // A map keeps the order of insertion: what was used last goes to the end, the front is dropped.
        remembered.delete(digest);
        remembered.set(digest, claims);
        const [oldest] = remembered.keys();
        if (remembered.size > capacity && oldest) remembered.delete(oldest);
      }
      return claims;
    },
  };
}
