import type { webcrypto } from "node:crypto";
import { CompactSign, compactVerify, errors } from "jose";
import type { Clock, RandomBytes } from "../model/runtime.ts";
import { readCompactJws } from "./compact-jws.ts";
import { accessLifetime, refreshLifetime } from "./lifetimes.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** What a session token says. Times are milliseconds since the Unix epoch, whole seconds. */
export interface SessionClaims {
  readonly userId: string;
  readonly sessionId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

type SessionTokenKind = "access" | "refresh";

/** Signs and verifies the JWTs of sessions (SESS-1, SESS-2). */
export interface SessionTokens {
  sign(kind: SessionTokenKind, claims: SessionClaims): Promise<string>;
  /**
   * The claims of a token that Clew signed as this kind, expired or not: that is the caller's to judge.
   * null for anything else.
   */
  verify(kind: SessionTokenKind, raw: string): Promise<SessionClaims | null>;
}

interface Parts {
  readonly keys: SigningKeys;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** The `iss` claim: the public URL. */
  readonly issuer: string;
  /** The `aud` claim: which users the tokens are of. */
  readonly audience: string;
}

const algorithm = "HS256";
const types = { access: "at+jwt", refresh: "rt+jwt" } as const;
const lifetimes = { access: accessLifetime, refresh: refreshLifetime } as const;

/** How far the clock of another instance may be ahead, in milliseconds. */
const clockTolerance = 60_000;

export function createSessionTokens({ keys, clock, random, issuer, audience }: Parts): SessionTokens {
  return {
    async sign(kind, { userId, sessionId, issuedAt, expiresAt }) {
      const { kid, key } = await keys.current();
      const payload = {
        iss: issuer,
        aud: audience,
        sub: userId,
        sid: sessionId,
        jti: Buffer.from(random(16)).toString("base64url"),
        iat: Math.floor(issuedAt / 1000),
        exp: Math.floor(expiresAt / 1000),
      };
      return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
        .setProtectedHeader({ alg: algorithm, typ: types[kind], kid })
        .sign(key);
    },

    async verify(kind, raw) {
      const jws = readCompactJws(raw);
      if (!jws) return null;
      const { alg, typ, kid, ...others } = jws.header;
      if (alg !== algorithm || typ !== types[kind] || typeof kid !== "string") return null;
      if (Object.keys(others).length > 0) return null;
      const key = await keys.find(kid);
      if (!key || !(await isSignedWith(key.key, raw))) return null;
      return readClaims(jws.payload, { issuer, audience, lifetime: lifetimes[kind], now: clock() });
    },
  };
}

async function isSignedWith(key: webcrypto.CryptoKey, raw: string): Promise<boolean> {
  try {
    await compactVerify(raw, key, { algorithms: [algorithm] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

/** Claims in exactly the shape in which Clew writes them (RFC 7519, section 4.1), or null. */
function readClaims(
  { iss, aud, sub, sid, jti, iat, exp }: Readonly<Record<string, unknown>>,
  expected: { issuer: string; audience: string; lifetime: number; now: number },
): SessionClaims | null {
  if (iss !== expected.issuer || aud !== expected.audience) return null;
  if (!isText(sub) || !isText(sid) || !isText(jti)) return null;
  if (!isSeconds(iat) || !isSeconds(exp)) return null;
  const issuedAt = iat * 1000;
  const expiresAt = exp * 1000;
  if (issuedAt > expected.now + clockTolerance) return null;
  if (expiresAt <= issuedAt || expiresAt - issuedAt > expected.lifetime) return null;
  return { userId: sub, sessionId: sid, issuedAt, expiresAt };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
