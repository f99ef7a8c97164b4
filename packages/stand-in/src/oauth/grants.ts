import { createHash } from "node:crypto";
import { idOf } from "@clew/folder";
import type { Consent, Grant, State, TokenPair } from "./state-file.ts";

/** A grant with a new token pair. The tokens themselves are not stored, only their hashes. */
export interface IssuedTokens {
  readonly grant: Grant;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The grants that people gave to the client. */
export interface Grants {
  issue(request: { personId: string; clientId: string; sharedIds: readonly string[] }): Promise<IssuedTokens>;
  /** Replaces the token pair that a refresh token belongs to; null if the token is unknown. */
  refresh(refreshToken: string): Promise<IssuedTokens | null>;
  /** Ends the token pair that an access or refresh token belongs to. */
  revoke(token: string): Promise<void>;
  /** The grant of a valid access token; null otherwise. */
  findByAccessToken(token: string): Grant | null;
  /** The time at which an access or refresh token was issued; null if it is unknown. */
  issuedAt(token: string): number | null;
}

/** A grant has at most this many token pairs; the oldest are dropped. */
const maxPairs = 20;

export function createGrants(
  state: Pick<State, "grants" | "save">,
  clock: () => number,
  random: (size: number) => Uint8Array,
): Grants {
  const { grants } = state;
  const store = (grant: Grant): Promise<void> => {
    if (grant.tokens.length > 0) grants.set(grant.botId, grant);
    else grants.delete(grant.botId);
    return state.save();
  };
  const issueTo = async (grant: Grant): Promise<IssuedTokens> => {
    const accessToken = `ntn_${tokenText(random)}`;
    const refreshToken = `nrt_${tokenText(random)}`;
    const pair = { access: hashToken(accessToken), refresh: hashToken(refreshToken), issuedAt: clock() };
    const issued = { ...grant, tokens: [pair, ...grant.tokens].slice(0, maxPairs) };
    await store(issued);
    return { grant: issued, accessToken, refreshToken };
  };
  const find = (matches: (pair: TokenPair) => boolean) =>
    [...grants.values()].find(({ tokens }) => tokens.some(matches)) ?? null;
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
      const matches = hasToken("refresh", refreshToken);
      const grant = find(matches);
      return grant === null ? null : issueTo(without(grant, matches));
    },
    async revoke(token) {
      const matches = hasToken("either", token);
      const grant = find(matches);
      if (grant !== null) await store(without(grant, matches));
    },
    findByAccessToken: (token) => find(hasToken("access", token)),
    issuedAt(token) {
      const matches = hasToken("either", token);
      return find(matches)?.tokens.find(matches)?.issuedAt ?? null;
    },
  };
}

function hasToken(part: "access" | "refresh" | "either", token: string): (pair: TokenPair) => boolean {
  const hashed = hashToken(token);
  return (pair) =>
    (part !== "refresh" && pair.access === hashed) || (part !== "access" && pair.refresh === hashed);
}

/** The form in which tokens are stored. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function tokenText(random: (size: number) => Uint8Array): string {
  return Buffer.from(random(33)).toString("base64url");
}

/** Authorization codes. Each is valid once, for five minutes (RFC 6749, section 4.1.2). */
export interface Codes {
  /** Resolves once the code is stored, so it stays valid across a restart. */
  issue(consent: Consent): Promise<string>;
  /** Uses a code up; null if it is unknown, used or expired. */
  redeem(code: string): Promise<Consent | null>;
}

const codeLifetimeMs = 5 * 60_000;

export function createCodes(
  state: Pick<State, "codes" | "save">,
  clock: () => number,
  random: (size: number) => Uint8Array,
): Codes {
  const { codes } = state;
  const purge = () => {
    for (const [hash, { until }] of codes) if (until <= clock()) codes.delete(hash);
  };
  return {
    async issue(consent) {
      purge();
      const code = Buffer.from(random(32)).toString("base64url");
      codes.set(hashToken(code), { ...consent, hash: hashToken(code), until: clock() + codeLifetimeMs });
      await state.save();
      return code;
    },
    async redeem(code) {
      purge();
      const found = codes.get(hashToken(code)) ?? null;
      if (codes.delete(hashToken(code))) await state.save();
      return found;
    },
  };
}
