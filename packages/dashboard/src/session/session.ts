import type { SessionTokens } from "./arrival.ts";

/** A session as this browser stores it, for all of its tabs. */
export interface Session extends SessionTokens {
  readonly userId: string;
  /** Milliseconds since the Unix epoch, by this browser's clock, from which the access token is not used. */
  readonly renewAt: number;
  /** The same for the refresh token. */
  readonly endsAt: number;
}

/** The milliseconds before its expiry in which a token is not used: a request takes time to arrive. */
const marginMs = 30_000;

/** A session that has just been received. Its tokens end by this browser's clock, which may differ from the server's. */
export function sessionOf({ access, refresh }: SessionTokens, now: number): Session {
  return {
    access,
    refresh,
    userId: String(claimsOf(access).sub),
    renewAt: now + lifeOf(access) - marginMs,
    endsAt: now + lifeOf(refresh) - marginMs,
  };
}

/** The session with a new access token. */
export function renewed(session: Session, access: string, now: number): Session {
  return { ...session, access, renewAt: now + lifeOf(access) - marginMs };
}

interface Claims {
  readonly sub?: unknown;
  readonly iat?: unknown;
  readonly exp?: unknown;
}

/** The claims of a JWT. Only the server verifies them. */
function claimsOf(token: string): Claims {
  const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  return JSON.parse(atob(payload));
}

function lifeOf(token: string): number {
  const { iat, exp } = claimsOf(token);
  return (Number(exp) - Number(iat)) * 1000;
}
