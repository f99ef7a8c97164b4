import type { Client, ServiceToken } from "@clew/client";
import { queryOptions } from "@tanstack/react-query";

/** Milliseconds between polls: a token that is tried out shows its use while the person looks on. */
const pollMs = 5_000;

const tokensKey = ["tokens"] as const;

/** The tokens that can be used, newest first. */
export const activeTokensQuery = (api: Client) =>
  queryOptions({
    queryKey: [...tokensKey, "active"],
    queryFn: async ({ signal }) => (await api.listServiceTokens({ is_active: true }, { signal })).items,
    refetchInterval: pollMs,
  });

/** A token by its id; null if it is not listed. */
export const tokenQuery = (api: Client, id: number) =>
  queryOptions({
    queryKey: [...tokensKey, "one", id],
    queryFn: async ({ signal }) => {
      for await (const token of api.iterate("listServiceTokens", { limit: 100 }, { signal }))
        if (token.id === id) return token;
      return null;
    },
    refetchInterval: pollMs,
  });

/** The key of all queries of tokens. */
export const allTokens = { queryKey: tokensKey };

const dayMs = 86_400_000;

/** Tokens that end within 7 days, other than by a rotation. One in the first half of its life was made to be short. */
export const expiringSoon = (tokens: readonly ServiceToken[], now: number): ServiceToken[] =>
  tokens.filter(({ created_at, expires_at, revoked_at }) => {
    if (revoked_at !== null || expires_at === null) return false;
    const left = Date.parse(expires_at) - now;
    return left <= 7 * dayMs && left <= now - Date.parse(created_at);
  });

/** Tokens that have been there for 90 days without a use in them. */
export const unusedForLong = (tokens: readonly ServiceToken[], now: number): ServiceToken[] =>
  tokens.filter(({ created_at, last_used_at }) => now - Date.parse(last_used_at ?? created_at) > 90 * dayMs);
