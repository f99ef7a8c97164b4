import { createHash } from "node:crypto";
import { idOf } from "../workspace/ids.ts";
import type { Grant, TokenPair } from "./grant.ts";
import type { State } from "./state-file.ts";

/** A grant with a new pair of tokens, the only time that they are seen. */
export interface IssuedTokens {
  readonly grant: Grant;
  readonly accessToken: string;
  /** Null where grants carry none. */
  readonly refreshToken: string | null;
}

/** What people granted. */
export interface Grants {
  issue(request: { personId: string; clientId: string; sharedIds: readonly string[] }): Promise<IssuedTokens>;
  /** A new pair for a refresh token; the pair it belonged to ends. Null where the token is not known. */
  refresh(refreshToken: string): Promise<IssuedTokens | null>;
  /** Ends the pair that an access or refresh token belongs to. */
  revoke(token: string): Promise<void>;
  /** The grant of an access token that is good still. */
  findByAccessToken(token: string): Grant | null;
  /** When an access or refresh token was issued; null where it is not known. */
  issuedAt(token: string): number | null;
  /** Changes what a bot sees, named by its id or an access token. Throws where there is no such grant. */
  share(bot: string, sharedIds: readonly string[]): Promise<void>;
  /** Ends a grant with all its tokens, as a person does who takes the client out of the workspace. Throws as `share`. */
  withdraw(bot: string): Promise<void>;
  /** Ends every access token there is; refresh tokens stay good. */
  expireAccessTokens(): Promise<void>;
}

/** Of one person's tokens the newest are kept. */
const mostPairs = 20;

export function createGrants(parts: {
  state: Pick<State, "grants" | "save">;
  clock: () => number;
  random: (size: number) => Uint8Array;
  /** How long an access token is good, in milliseconds; null for ever. */
  accessTokenLifetime: number | null;
  /** Whether grants carry refresh tokens. */
  refreshTokens: boolean;
}): Grants {
  const { state, clock, random } = parts;
  const { grants } = state;
  const lifetime = parts.accessTokenLifetime ?? Number.POSITIVE_INFINITY;

  const keep = (grant: Grant): Promise<void> => {
    if (grant.tokens.length > 0) grants.set(grant.botId, grant);
    else grants.delete(grant.botId);
    return state.save();
  };
  const issueTo = async (grant: Grant): Promise<IssuedTokens> => {
    const accessToken = `ntn_${tokenText(random)}`;
    const refreshToken = parts.refreshTokens ? `nrt_${tokenText(random)}` : null;
    const refresh = refreshToken === null ? "" : hash(refreshToken);
    const pair = { access: hash(accessToken), refresh, issuedAt: clock() };
    const issued = { ...grant, tokens: [pair, ...grant.tokens].slice(0, mostPairs) };
    await keep(issued);
    return { grant: issued, accessToken, refreshToken };
  };
  const find = (matches: (pair: TokenPair) => boolean) =>
    [...grants.values()].find(({ tokens }) => tokens.some(matches)) ?? null;
  const isGoodAccess = (token: string) => {
    const isIt = hasToken("access", token);
    return (pair: TokenPair) => isIt(pair) && clock() - pair.issuedAt < lifetime;
  };
  const grantOf = (bot: string): Grant => {
    const grant = grants.get(bot) ?? find(hasToken("access", bot));
    if (grant === null) throw new Error("there is no such grant");
    return grant;
  };
  const without = (grant: Grant, matches: (pair: TokenPair) => boolean): Grant => ({
    ...grant,
    tokens: grant.tokens.filter((pair) => !matches(pair)),
  });

  return {
    issue({ personId, clientId, sharedIds }) {
      const botId = idOf("bot", `${clientId}/${personId}`);
      return issueTo({ botId, personId, clientId, sharedIds, tokens: grants.get(botId)?.tokens ?? [] });
    },
    async refresh(refreshToken) {
      const isIt = hasToken("refresh", refreshToken);
      const grant = find(isIt);
      return grant === null ? null : issueTo(without(grant, isIt));
    },
    async revoke(token) {
      const isIt = hasToken("either", token);
      const grant = find(isIt);
      if (grant !== null) await keep(without(grant, isIt));
    },
    findByAccessToken: (token) => find(isGoodAccess(token)),
    issuedAt(token) {
      const [isAccess, isRefresh] = [isGoodAccess(token), hasToken("refresh", token)];
      const isIt = (pair: TokenPair) => isAccess(pair) || isRefresh(pair);
      return find(isIt)?.tokens.find(isIt)?.issuedAt ?? null;
    },
    share: async (bot, sharedIds) => keep({ ...grantOf(bot), sharedIds }),
    withdraw: async (bot) => keep({ ...grantOf(bot), tokens: [] }),
    async expireAccessTokens() {
      const expired = ({ tokens }: Grant) => tokens.map((pair) => ({ ...pair, access: "" }));
      await Promise.all([...grants.values()].map((grant) => keep({ ...grant, tokens: expired(grant) })));
    },
  };
}

function hasToken(part: "access" | "refresh" | "either", token: string): (pair: TokenPair) => boolean {
  const hashed = hash(token);
  return (pair) =>
    (part !== "refresh" && pair.access === hashed) || (part !== "access" && pair.refresh === hashed);
}

function hash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function tokenText(random: (size: number) => Uint8Array): string {
  return Buffer.from(random(33)).toString("base64url");
}
