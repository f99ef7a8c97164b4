import { hash } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import type { ObserveCache } from "../model/runtime.ts";
import type { ReadHandle } from "../store/port.ts";
import { accessLifetimeMs, refreshLifetimeMs } from "../store/queries/sessions.ts";
import type { SecretStoreServices, SigningKeys } from "./signing-keys.ts";

/** The claims of a session token. Times are milliseconds since the Unix epoch, in whole seconds. */
export interface SessionClaims {
  readonly userId: string;
  readonly sessionId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

type SessionTokenKind = "access" | "refresh";

interface SessionTokenServices extends Pick<SecretStoreServices, "clock" | "random"> {
  readonly keys: Pick<SigningKeys, "current" | "find">;
  /** The `iss` claim: the public URL. */
  readonly issuer: string;
  /** The values of the `aud` claim, which say whose people the tokens are for: all are accepted, and the first one is set. */
  readonly audiences: readonly string[];
}

const algorithm = "HS256";
const types = { access: "at+jwt", refresh: "rt+jwt" } as const;
const lifetimesMs = { access: accessLifetimeMs, refresh: refreshLifetimeMs } as const;

/** The time by which the clock of another instance may be ahead. */
const clockToleranceMs = 60_000;

/** Longer tokens are refused unread; Clew's own are a tenth of it. */
const maxTokenLength = 4096;

/** The size of the cache of verified tokens. */
const maxVerifiedTokens = 10_000;

type SessionTokens = ReturnType<typeof createSessionTokens>;

/** Signs and verifies the JWTs of sessions (SESS-1, SESS-2). */
export function createSessionTokens(services: SessionTokenServices) {
  const { keys, clock, random, issuer, audiences } = services;
  const [audience = ""] = audiences;
  return {
    /** Signs with the current key, as `db` sees it or as last committed. */
    async sign(kind: SessionTokenKind, claims: SessionClaims, db?: ReadHandle): Promise<string> {
      const { userId, sessionId, issuedAt, expiresAt } = claims;
      const { kid, key } = await keys.current(db);
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: algorithm, typ: types[kind], kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(userId)
        .setJti(Buffer.from(random(16)).toString("base64url"))
        .setIssuedAt(Math.floor(issuedAt / 1000))
        .setExpirationTime(Math.floor(expiresAt / 1000))
        .sign(key);
    },

    /**
     * The claims of a token that Clew signed as this kind; null for anything else. The token may have expired: the caller
     * compares `expiresAt`.
     */
    async verify(kind: SessionTokenKind, raw: string): Promise<SessionClaims | null> {
      const header = readCanonicalHeader(raw);
      if (header?.typ !== types[kind]) return null;
      const key = await keys.find(header.kid);
      if (!key) return null;
      const now = clock();
      try {
        const { payload } = await jwtVerify(raw, key.key, {
          algorithms: [algorithm],
          typ: types[kind],
          issuer,
          audience: [...audiences],
          requiredClaims: ["sub", "sid", "jti", "iat", "exp"],
          currentDate: new Date(now),
        });
        return readClaims(payload, lifetimesMs[kind], now);
      } catch (error) {
        if (error instanceof errors.JWTExpired) return readClaims(error.payload, lifetimesMs[kind], now);
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

/**
 * Caches the claims of the tokens used last, by digest, so that a token's signature is checked once. Expiry and the
 * session are still checked on every request.
 */
export function rememberVerified(
  tokens: SessionTokens,
  observeCache: ObserveCache = () => {},
): SessionTokens {
  const verified = new LRUCache<string, SessionClaims>({ max: maxVerifiedTokens });
  observeCache({ name: "verified_tokens", entries: () => verified.size });
  return {
    sign: tokens.sign,
    async verify(kind, raw) {
      const digest = `${kind}:${hash("sha256", raw, "base64")}`;
      const known = verified.get(digest);
      if (known !== undefined) return known;
      const claims = await tokens.verify(kind, raw);
      if (claims !== null) verified.set(digest, claims);
      return claims;
    },
  };
}

/**
 * The protected header of a JWS in compact serialisation (RFC 7515, section 7.1), its signature unchecked. null unless
 * all three segments are canonical base64url and the header is exactly `alg`, `typ` and `kid`. Lenient decoders read
 * `QQ`, `QR`, `QQ==` and `Q Q` alike, and types in any case; here a token has one spelling.
 */
function readCanonicalHeader(raw: string): { readonly typ: string; readonly kid: string } | null {
  if (raw.length > maxTokenLength) return null;
  const segments = raw.split(".");
  if (segments.length !== 3 || !segments.every(isCanonical)) return null;
  try {
    const { alg, typ, kid, ...others } = decodeProtectedHeader(raw);
    if (alg !== algorithm || typeof typ !== "string" || typeof kid !== "string") return null;
    return Object.keys(others).length === 0 ? { typ, kid } : null;
  } catch {
    return null;
  }
}

function isCanonical(segment: string): boolean {
  return segment !== "" && Buffer.from(segment, "base64url").toString("base64url") === segment;
}

/** The session that a token names, its signature and claims unchecked; null for anything that Clew does not sign. */
export function namedSession(raw: string): string | null {
  if (readCanonicalHeader(raw) === null) return null;
  try {
    const { sid } = decodeJwt(raw);
    return typeof sid === "string" && sessionIdPattern.test(sid) ? sid : null;
  } catch {
    return null;
  }
}

const sessionIdPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Claims in exactly the form in which Clew writes them (RFC 7519, section 4.1), or null. */
function readClaims(
  { sub, sid, jti, aud, iat, exp }: JWTPayload,
  lifetimeMs: number,
  now: number,
): SessionClaims | null {
  if (typeof aud !== "string" || !isText(sub) || !isText(sid) || !isText(jti)) return null;
  if (!isSeconds(iat) || !isSeconds(exp)) return null;
  const issuedAt = iat * 1000;
  const expiresAt = exp * 1000;
  // jose refuses neither a token from the future nor one that lives too long.
  if (issuedAt > now + clockToleranceMs) return null;
  if (expiresAt <= issuedAt || expiresAt - issuedAt > lifetimeMs) return null;
  return { userId: sub, sessionId: sid, issuedAt, expiresAt };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
