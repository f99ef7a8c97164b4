import { createHash } from "node:crypto";
import { idOf } from "../workspace/ids.ts";
import type { Grant, TokenPair } from "./grant.ts";
import { readState, writeState } from "./state-file.ts";

/** A grant with a new pair of tokens, the only time that they are seen. */
export interface IssuedTokens {
  readonly grant: Grant;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Keeps the grants, in a file or in memory. */
export interface Grants {
  issue(request: { personId: string; clientId: string; sharedIds: readonly string[] }): Promise<IssuedTokens>;
  /** A new pair for a refresh token; the pair it belonged to ends. Null where the token is not known. */
  refresh(refreshToken: string): Promise<IssuedTokens | null>;
  /** Ends the pair that an access or refresh token belongs to. */
  revoke(token: string): Promise<void>;
  findByAccessToken(token: string): Grant | null;
  /** When an access or refresh token was issued; null where it is not known. */
  issuedAt(token: string): number | null;
}

/** Tokens do not expire: of one person's, the newest are kept. */
const mostPairs = 20;

/** Opens the grants of a state file; without one they last as long as the process. */
export async function openGrants(parts: {
  stateFile: string | null;
  clock: () => number;
  random: (size: number) => Uint8Array;
}): Promise<Grants> {
  const { stateFile, clock, random } = parts;
  const grants = new Map(
    (stateFile === null ? [] : await readState(stateFile)).map((grant) => [grant.botId, grant]),
  );
  let writing: Promise<void> = Promise.resolve();

  const keep = (grant: Grant): Promise<void> => {
    if (grant.tokens.length > 0) grants.set(grant.botId, grant);
    else grants.delete(grant.botId);
    if (stateFile === null) return Promise.resolve();
    const write = writing.catch(() => {}).then(() => writeState(stateFile, [...grants.values()]));
    writing = write;
    return write;
  };
  const issueTo = async (grant: Grant): Promise<IssuedTokens> => {
    const accessToken = `ntn_${tokenText(random)}`;
    const refreshToken = `nrt_${tokenText(random)}`;
    const pair = { access: hash(accessToken), refresh: hash(refreshToken), issuedAt: clock() };
    const issued = { ...grant, tokens: [pair, ...grant.tokens].slice(0, mostPairs) };
    await keep(issued);
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
      const isIt = hasToken("refresh", refreshToken);
      const grant = find(isIt);
      return grant === null ? null : issueTo(without(grant, isIt));
    },
    async revoke(token) {
      const isIt = hasToken("either", token);
      const grant = find(isIt);
      if (grant !== null) await keep(without(grant, isIt));
    },
    findByAccessToken: (token) => find(hasToken("access", token)),
    issuedAt: (token) =>
      find(hasToken("either", token))?.tokens.find(hasToken("either", token))?.issuedAt ?? null,
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
