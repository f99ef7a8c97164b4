import { type AllowList, servesPeople, usableConnections } from "../model/allow-list.ts";
import { ApiError } from "../model/api-error.ts";
import type { Actor, Origin, SessionCaller } from "../model/caller.ts";
import type { ObserveCache } from "../model/runtime.ts";
import { newId } from "../secrets/new-id.ts";
import type { CallerRecord, ReadHandle, WriteTransaction } from "../store/port.ts";
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
import { requireSettled, tokenRefused, userNotAllowed } from "./credentials.ts";
import { drawCredential, type OwnsCredential } from "./draw-credential.ts";
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

interface SessionDependencies extends SecretStoreServices {
  /** The issuer of the tokens: the public URL. */
  readonly issuer: string;
  /**
   * Who may use Clew, checked at each use of a token (SIGN-10). Tokens are valid only while a source is served that has their user
   * (SIGN-11).
   */
  readonly allowed: AllowList;
  readonly observeCache?: ObserveCache;
  /** Left out if there is one bucket alone. */
  readonly owns?: OwnsCredential | undefined;
}

type Tokens = ReturnType<typeof createSessionTokens>;

/** Opens, refreshes, ends and verifies sessions (SESS-1 to SESS-4). */
export class Sessions {
  readonly #services: Pick<SessionDependencies, "database" | "clock" | "random" | "allowed" | "owns">;
  readonly #tokens: Tokens;

  private constructor(services: SessionDependencies, tokens: Tokens) {
    this.#services = services;
    this.#tokens = tokens;
  }

  /** Creates the keys that sign, if the store has none yet. */
  static async create(dependencies: SessionDependencies): Promise<Sessions> {
    const keys = await createSigningKeys(dependencies);
    const people = Object.values(dependencies.allowed.sources).map((source) => source.people);
    const audiences = [...new Set(people)].map((each) => `clew:${each}`);
    const tokens = createSessionTokens({ ...dependencies, keys, audiences });
    return new Sessions(dependencies, rememberVerified(tokens, dependencies.observeCache));
  }

  /** The claims of an access token, by its signature and expiry only. Throws `ApiError`, a 401. */
  identify(accessToken: string): Promise<SessionClaims> {
    return this.#verifyUnexpired("access", accessToken);
  }

  /**
   * The caller with these claims. `found` is what was just read of the session, if it was read. Throws `ApiError`, a 401, if the session
   * has ended or the user is not allowed (SIGN-10).
   */
  async confirm(claims: SessionClaims, found?: CallerRecord | null): Promise<SessionCaller> {
    const { database, clock, allowed } = this.#services;
    const { sessionId, userId, issuedAt, expiresAt } = claims;
    const [record] = found === undefined ? await database.callers([{ kind: "session", sessionId }]) : [found];
    if (record?.kind !== "session" || record.owner.id !== userId || record.refreshExpiresAt <= clock())
      throw tokenRefused("token_revoked");
    if (!servesPeople(allowed, record.owner.provider)) throw tokenRefused("token_invalid");
    requireSettled(record.owner);
    const connections = usableConnections(allowed, record.owner);
    if (connections === null) throw userNotAllowed();
    return { kind: "session", userId, sessionId, issuedAt, expiresAt, connections };
  }

  /** The caller of an access token: both of the above. */
  async verifyAccess(accessToken: string, found?: CallerRecord | null): Promise<SessionCaller> {
    return this.confirm(await this.identify(accessToken), found);
  }

  /** Opens a session in the given transaction. Its tokens are valid once that is committed. */
  async open(trx: WriteTransaction, userId: string, userAgent: string | null): Promise<OpenedSession> {
    const { clock, random, owns } = this.#services;
    const createdAt = clock();
    const sessionId = drawCredential(() => newId(random), owns);
    const refreshExpiresAt = wholeSeconds(createdAt) + refreshLifetimeMs;
    // Each new session deletes expired ones, so the table does not grow without bound (SESS-8).
    await purgeSessions(trx, createdAt);
    await openSession(trx, { id: sessionId, userId, userAgent, createdAt, refreshExpiresAt });
    const claims = { userId, sessionId, issuedAt: createdAt, expiresAt: refreshExpiresAt };
    return {
      sessionId,
      access: await this.#signAccess(userId, sessionId, refreshExpiresAt, trx),
      refresh: await this.#tokens.sign("refresh", claims, trx),
      expiresIn: accessLifetimeMs / 1000,
    };
  }

  /** The session of a refresh token, by its signature and expiry only; null for anything else. */
  async sessionOfRefreshToken(refreshToken: string): Promise<string | null> {
    const claims = await this.#tokens.verify("refresh", refreshToken);
    return claims && claims.expiresAt > this.#services.clock() ? claims.sessionId : null;
  }

  /**
   * Issues a new access token for a refresh token. `isNewOrigin` tells whether the refresh came from a new address or
   * user agent, which the audit trail records. Throws `ApiError`, a 401 (SESS-3).
   */
  async refresh(refreshToken: string, origin: Origin) {
    const { database, clock, allowed } = this.#services;
    const { userId, sessionId, expiresAt } = await this.#verifyUnexpired("refresh", refreshToken);
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
    const access = await this.#signAccess(userId, sessionId, expiresAt);
    return { userId, sessionId, access, isNewOrigin: isNew };
  }

  /**
   * Permanently ends the session of one of the actor's refresh tokens (SESS-4). The token may have expired, or its
   * session ended, already. Returns the session's id. Throws `ApiError` `invalid_request` for anything else.
   */
  async logout(actor: Actor, refreshToken: string): Promise<string> {
    const { database, clock } = this.#services;
    const claims = await this.#tokens.verify("refresh", refreshToken);
    if (claims?.userId !== actor.userId) {
      const detail = "The refresh token does not belong to this user. Nothing was changed.";
      const errors = [{ path: "/refresh", message: "is not a refresh token of this user" }];
      throw new ApiError("invalid_request", detail, { errors });
    }
    const { transaction } = withLiveSession(database, actor, clock);
    await transaction((trx) => endSessions(trx, actor, [claims.sessionId], clock()));
    return claims.sessionId;
  }

  #signAccess(userId: string, sessionId: string, sessionEnd: number, db?: ReadHandle): Promise<string> {
    const issuedAt = this.#services.clock();
    const expiresAt = Math.min(issuedAt + accessLifetimeMs, sessionEnd);
    return this.#tokens.sign("access", { userId, sessionId, issuedAt, expiresAt }, db);
  }

  /** Throws `ApiError`, a 401. */
  async #verifyUnexpired(...token: Parameters<Tokens["verify"]>): Promise<SessionClaims> {
    const claims = await this.#tokens.verify(...token);
    if (!claims) throw tokenRefused("token_invalid");
    if (claims.expiresAt <= this.#services.clock()) throw tokenRefused("token_expired");
    return claims;
  }
}

const wholeSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000) * 1000;
