import type { AllowList } from "../model/allow-list.ts";
import { ApiError } from "../model/api-error.ts";
import type { Actor, Origin, SessionCaller } from "../model/caller.ts";
import type { Clock, RandomBytes } from "../model/runtime.ts";
import type { Provider } from "../provider/port.ts";
import { newId } from "../secrets/new-id.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import { allowedConnections } from "../store/queries/allowed-connections.ts";
import { insertAudit, isNewOrigin } from "../store/queries/audit.ts";
import {
  accessLifetimeMs,
  findLiveSession,
  openSession,
  purgeSessions,
  refreshLifetimeMs,
  refreshSession,
} from "../store/queries/sessions.ts";
import { requireAllowedUser } from "./allowed-user.ts";
import { tokenRefused, userNotAllowed } from "./credentials.ts";
import { endSessions, withLiveSession } from "./live-sessions.ts";
import { createSessionTokens, rememberVerified } from "./session-tokens.ts";
import { createSigningKeys } from "./signing-keys.ts";

/** What a sign-in hands out. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly access: string;
  readonly refresh: string;
  /** Seconds until the access token expires. */
  readonly expiresIn: number;
}

/** A session that goes on. */
interface RefreshedSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly access: string;
  /** Whether its trail has a line for it, since it was refreshed from another address or user agent than before. */
  readonly isNewOrigin: boolean;
}

/** Sign-ins and what their tokens open (SESS-1 to SESS-4). */
export interface Sessions {
  /** Opens a session in the caller's transaction: its tokens count once that is committed. */
  open(trx: WriteTransaction, userId: string, userAgent: string | null): Promise<OpenedSession>;
  /** The session that a refresh token names, by its signature and expiry alone; null for anything else. */
  sessionOfRefreshToken(refreshToken: string): Promise<string | null>;
  /** A new access token for a refresh token. Refuses with 401 one that does not count (SESS-3). */
  refresh(refreshToken: string, origin: Origin): Promise<RefreshedSession>;
  /**
   * Ends the session of the caller's refresh token, for good (SESS-4). Refuses with 400 what is no refresh token
   * of this user's; one that has expired or is blacklisted already is fine. Returns the session's id.
   */
  logout(actor: Actor, refreshToken: string): Promise<string>;
  /** Whom an access token names, by its signature and expiry alone. Refuses with 401. */
  identify(accessToken: string): Promise<SessionCaller>;
  /** Refuses with 401 a caller whose session is over, or who is off the lists. */
  confirm(caller: SessionCaller): Promise<void>;
  /** Whom an access token lets in: both of the above. */
  verifyAccess(accessToken: string): Promise<SessionCaller>;
}

interface Parts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Who signs: the public URL. */
  readonly issuer: string;
  /** Tokens are good only while the provider that vouched for their user is set up (SIGN-11). */
  readonly provider: Pick<Provider, "slug">;
  /** Who may use Clew, at each use of a token (SIGN-10). */
  readonly allowed: AllowList;
}

/** Opens the signing keys in the store, makes the first one where there is none, and serves sessions with them. */
export async function createSessions(parts: Parts): Promise<Sessions> {
  const { database, clock, random, allowed } = parts;
  const keys = await createSigningKeys(parts);
  const tokens = rememberVerified(
    createSessionTokens({ ...parts, keys, audience: `clew:${parts.provider.slug}` }),
  );

  const signAccess = (userId: string, sessionId: string, sessionEnd: number) => {
    const issuedAt = clock();
    const expiresAt = Math.min(issuedAt + accessLifetimeMs, sessionEnd);
    return tokens.sign("access", { userId, sessionId, issuedAt, expiresAt });
  };

  const sessions: Sessions = {
    async open(trx, userId, userAgent) {
      const createdAt = clock();
      const sessionId = newId(random);
      const refreshExpiresAt = wholeSeconds(createdAt) + refreshLifetimeMs;
      // Every new row makes room for itself: the table does not grow without bound (SESS-8).
      await purgeSessions(trx, createdAt);
      await openSession(trx, { id: sessionId, userId, userAgent, createdAt, refreshExpiresAt });
      return {
        sessionId,
        access: await signAccess(userId, sessionId, refreshExpiresAt),
        refresh: await tokens.sign("refresh", {
          userId,
          sessionId,
          issuedAt: createdAt,
          expiresAt: refreshExpiresAt,
        }),
        expiresIn: accessLifetimeMs / 1000,
      };
    },

    async sessionOfRefreshToken(refreshToken) {
      const claims = await tokens.verify("refresh", refreshToken);
      return claims && claims.expiresAt > clock() ? claims.sessionId : null;
    },

    async refresh(refreshToken, origin) {
      const claims = await tokens.verify("refresh", refreshToken);
      if (!claims) throw tokenRefused("token_invalid");
      if (claims.expiresAt <= clock()) throw tokenRefused("token_expired");
      const { userId, sessionId } = claims;
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
      const access = await signAccess(userId, sessionId, claims.expiresAt);
      return { userId, sessionId, access, isNewOrigin: isNew };
    },

    async logout(actor, refreshToken) {
      const claims = await tokens.verify("refresh", refreshToken);
      if (claims?.userId !== actor.userId) throw notYourRefreshToken();
      const { transaction } = withLiveSession(database, actor, clock);
      await transaction((trx) => endSessions(trx, actor, [claims.sessionId], clock()));
      return claims.sessionId;
    },

    async identify(accessToken) {
      const claims = await tokens.verify("access", accessToken);
      if (!claims) throw tokenRefused("token_invalid");
      if (claims.expiresAt <= clock()) throw tokenRefused("token_expired");
      return { kind: "session", ...claims };
    },

    async confirm({ sessionId, userId }) {
      // What is remembered was live when it was read; time passes without a commit.
      await database.memory.refresh();
      const session = await database.memory.remember(`session ${sessionId}`, () =>
        findLiveSession(database.read, sessionId, clock()),
      );
      if (session?.userId !== userId || session.refreshExpiresAt <= clock())
        throw tokenRefused("token_revoked");
      await requireAllowedUser(database, allowed, userId);
    },

    async verifyAccess(accessToken) {
      const caller = await sessions.identify(accessToken);
      await sessions.confirm(caller);
      return caller;
    },
  };
  return sessions;
}

const wholeSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000) * 1000;

function notYourRefreshToken(): ApiError {
  const detail = "The refresh token is not one of this user's. Nothing was changed.";
  return new ApiError("invalid_request", detail, {
    faults: [{ path: "/refresh", message: "is not a refresh token of this user's" }],
  });
}
