import { type AllowList, usableConnections } from "../model/allow-list.ts";
import { ApiError } from "../model/api-error.ts";
import type { Actor, Origin, SessionCaller } from "../model/caller.ts";
import type { ObserveCache } from "../model/runtime.ts";
import type { Provider } from "../provider/port.ts";
import { newId } from "../secrets/new-id.ts";
import type { WriteTransaction } from "../store/port.ts";
import { insertAudit, isNewOrigin } from "../store/queries/audit.ts";
import { allowedConnections } from "../store/queries/callers.ts";
import {
  accessLifetimeMs,
  findLiveSession,
  openSession,
  purgeSessions,
  refreshLifetimeMs,
  refreshSession,
} from "../store/queries/sessions.ts";
import { tokenRefused, userNotAllowed } from "./credentials.ts";
import { endSessions, withLiveSession } from "./live-sessions.ts";
import { createSessionTokens, rememberVerified, type SessionClaims } from "./session-tokens.ts";
import { createSigningKeys, type SecretStoreServices } from "./signing-keys.ts";

/** A new session with its tokens. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly access: string;
  readonly refresh: string;
  /** Seconds until the access token expires. */
  readonly expiresIn: number;
}

/** A session after a refresh. */
interface RefreshedSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly access: string;
  /** Whether the refresh came from a new address or user agent, which the audit trail records. */
  readonly isNewOrigin: boolean;
}

/** Opens, refreshes, ends and verifies sessions (SESS-1 to SESS-4). */
export interface Sessions {
  /** Opens a session in the given transaction. Its tokens are valid once that is committed. */
  open(trx: WriteTransaction, userId: string, userAgent: string | null): Promise<OpenedSession>;
  /** The session of a refresh token, by its signature and expiry only; null for anything else. */
  sessionOfRefreshToken(refreshToken: string): Promise<string | null>;
  /** Issues a new access token for a refresh token. Throws `ApiError`, a 401 (SESS-3). */
  refresh(refreshToken: string, origin: Origin): Promise<RefreshedSession>;
  /**
   * Permanently ends the session of one of the actor's refresh tokens (SESS-4). The token may have expired, or its session
   * ended, already. Returns the session's id. Throws `ApiError` `invalid_request` for anything else.
   */
  logout(actor: Actor, refreshToken: string): Promise<string>;
  /** The claims of an access token, by its signature and expiry only. Throws `ApiError`, a 401. */
  identify(accessToken: string): Promise<SessionClaims>;
  /** The caller with these claims. Throws `ApiError`, a 401, if the session has ended or the user is not allowed (SIGN-10). */
  confirm(claims: SessionClaims): Promise<SessionCaller>;
  /** The caller of an access token: both of the above. */
  verifyAccess(accessToken: string): Promise<SessionCaller>;
}

interface SessionDependencies extends SecretStoreServices {
  /** The issuer of the tokens: the public URL. */
  readonly issuer: string;
  /** Tokens are valid only while the provider that identified their user is configured (SIGN-11). */
  readonly provider: Pick<Provider, "slug">;
  /** Who may use Clew, checked at each use of a token (SIGN-10). */
  readonly allowed: AllowList;
  readonly observeCache?: ObserveCache;
}

/** Opens the stored signing keys, or creates the first one, and serves sessions with them. */
export async function createSessions(dependencies: SessionDependencies): Promise<Sessions> {
  const { database, clock, random, allowed } = dependencies;
  const keys = await createSigningKeys(dependencies);
  const tokens = rememberVerified(
    createSessionTokens({ ...dependencies, keys, audience: `clew:${dependencies.provider.slug}` }),
    dependencies.observeCache,
  );

  const signAccess = (userId: string, sessionId: string, sessionEnd: number) => {
    const issuedAt = clock();
    const expiresAt = Math.min(issuedAt + accessLifetimeMs, sessionEnd);
    return tokens.sign("access", { userId, sessionId, issuedAt, expiresAt });
  };

  /** Throws `ApiError`, a 401. */
  async function verifyUnexpired(...token: Parameters<typeof tokens.verify>): Promise<SessionClaims> {
    const claims = await tokens.verify(...token);
    if (!claims) throw tokenRefused("token_invalid");
    if (claims.expiresAt <= clock()) throw tokenRefused("token_expired");
    return claims;
  }

  const sessions: Sessions = {
    async open(trx, userId, userAgent) {
      const createdAt = clock();
      const sessionId = newId(random);
      const refreshExpiresAt = wholeSeconds(createdAt) + refreshLifetimeMs;
      // Each new session deletes expired ones, so the table does not grow without bound (SESS-8).
      await purgeSessions(trx, createdAt);
      await openSession(trx, { id: sessionId, userId, userAgent, createdAt, refreshExpiresAt });
      const claims = { userId, sessionId, issuedAt: createdAt, expiresAt: refreshExpiresAt };
      return {
        sessionId,
        access: await signAccess(userId, sessionId, refreshExpiresAt),
        refresh: await tokens.sign("refresh", claims),
        expiresIn: accessLifetimeMs / 1000,
      };
    },

    async sessionOfRefreshToken(refreshToken) {
      const claims = await tokens.verify("refresh", refreshToken);
      return claims && claims.expiresAt > clock() ? claims.sessionId : null;
    },

    async refresh(refreshToken, origin) {
      const { userId, sessionId, expiresAt } = await verifyUnexpired("refresh", refreshToken);
      const isNew = await database.transaction(async (trx) => {
        const session = await findLiveSession(trx, sessionId, clock());
        if (session?.userId !== userId) throw tokenRefused("token_revoked");
        if ((await allowedConnections(trx, allowed, userId)) === null) throw userNotAllowed();
        const at = clock();
        await refreshSession(trx, sessionId, at);
        if (!(await isNewOrigin(trx, sessionId, origin))) return false;
        await insertAudit(trx, [{ userId, at, event: "session_refreshed", sessionId, origin }]);
        return true;
      });
      const access = await signAccess(userId, sessionId, expiresAt);
      return { userId, sessionId, access, isNewOrigin: isNew };
    },

    async logout(actor, refreshToken) {
      const claims = await tokens.verify("refresh", refreshToken);
      if (claims?.userId !== actor.userId) {
        const detail = "The refresh token does not belong to this user. Nothing was changed.";
        const faults = [{ path: "/refresh", message: "is not a refresh token of this user" }];
        throw new ApiError("invalid_request", detail, { faults });
      }
      const { transaction } = withLiveSession(database, actor, clock);
      await transaction((trx) => endSessions(trx, actor, [claims.sessionId], clock()));
      return claims.sessionId;
    },

    identify: (accessToken) => verifyUnexpired("access", accessToken),

    async confirm(claims) {
      const { sessionId, userId, issuedAt, expiresAt } = claims;
      const [record] = await database.callers([{ kind: "session", sessionId }]);
      if (record?.kind !== "session" || record.owner.id !== userId || record.refreshExpiresAt <= clock())
        throw tokenRefused("token_revoked");
      const connections = usableConnections(allowed, record.owner);
      if (connections === null) throw userNotAllowed();
      return { kind: "session", userId, sessionId, issuedAt, expiresAt, connections };
    },

    async verifyAccess(accessToken) {
      return sessions.confirm(await sessions.identify(accessToken));
    },
  };
  return sessions;
}

const wholeSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000) * 1000;
