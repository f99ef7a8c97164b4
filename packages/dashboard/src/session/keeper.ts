import type { SessionTokens } from "./arrival.ts";
import { renewed, type Session, sessionOf } from "./session.ts";

/** The reason why a session ended: the person signed out or deleted the account in this tab, or another one. */
export type SessionEnd = "signed_out" | "deleted" | "over";

/** The state that a tab shares with the other tabs of its browser. */
export interface KeeperServices {
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  readonly locks: Pick<LockManager, "request">;
  readonly fetch: typeof fetch;
  readonly now: () => number;
  /** Clew's public URL. */
  readonly url: URL;
}

export type SessionListener = (session: Session | null, end: SessionEnd) => void;

/** Milliseconds after which a request about the session fails: all tabs wait for a renewal. */
const timeoutMs = 20_000;

/** The session has ended. */
export class SessionOver extends Error {}

/** Keeps the one session of this browser, and sends requests with it. */
export type SessionKeeper = ReturnType<typeof createSessionKeeper>;

export function createSessionKeeper({ storage, locks, fetch: send, now, url }: KeeperServices) {
  // Two installations below different paths of one origin share its storage.
  const key = `clew.session:${url.pathname}`;
  const listeners = new Set<SessionListener>();

  const read = (): Session | null => {
    const text = storage.getItem(key);
    return text === null ? null : JSON.parse(text);
  };
  const keep = (session: Session) => storage.setItem(key, JSON.stringify(session));
  const tell = (end: SessionEnd) => {
    for (const listener of listeners) listener(read(), end);
  };
  let expected: SessionEnd | null = null;
  const end = (reason: SessionEnd) => {
    if (read() === null) return;
    storage.removeItem(key);
    tell(expected ?? reason);
  };

  /** Sends a request to Clew that is not authorized by itself. */
  const post = (path: string, body: unknown, access?: string) =>
    send(new URL(path, url), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
      },
      body: JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.timeout(timeoutMs),
    });

  /**
   * Renews the access token, one tab at a time: the others then find the new one. Returns Clew's response if that is neither
   * a new token nor the end of the session.
   */
  const renew = (stale: string): Promise<Session | Response> =>
    locks.request(key, async () => {
      const session = read();
      if (session === null) throw new SessionOver();
      if (session.access !== stale) return session;
      if (session.endsAt <= now()) return over();
      const response = await post("api/auth/refresh/", { refresh: session.refresh });
      if (response.status === 401) return over();
      if (!response.ok) return response;
      const { access } = await response.json();
      const next = renewed(session, access, now());
      // The person may have signed out in the meantime.
      if (read()?.refresh === session.refresh) keep(next);
      return next;
    });
  const over = (): never => {
    end("over");
    throw new SessionOver();
  };

  /** Sends a request as the person who signed in. Renews the access token before it ends, or when Clew refuses it. */
  const authorizedFetch: typeof fetch = async (input, init) => {
    const attempt = ({ access }: Session) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${access}`);
      return send(input, { ...init, headers, cache: "no-store" });
    };
    const session = read();
    if (session === null) throw new SessionOver();
    const current = session.renewAt <= now() ? await renew(session.access) : session;
    if (current instanceof Response) return current;
    const response = await attempt(current);
    if (response.status !== 401) return response;
    const next = await renew(current.access);
    if (next instanceof Response) return next;
    const last = await attempt(next);
    return last.status === 401 ? over() : last;
  };

  return {
    read,
    fetch: authorizedFetch,
    end,

    /** Keeps a new session. One that it replaces would stay open unseen, so Clew is asked to end it. */
    start(tokens: SessionTokens): void {
      const before = read();
      const session = sessionOf(tokens, now());
      keep(session);
      if (before === null || before.refresh === session.refresh) return;
      const { access } = before.userId === session.userId ? session : before;
      post("api/auth/logout/", { refresh: before.refresh }, access).catch(() => {});
    },

    /**
     * Names the reason of an end that the person has asked for: another request may be refused before the response to that
     * one arrives. Returns a function that takes it back.
     */
    expectEnd(reason: SessionEnd): () => void {
      expected = reason;
      return () => {
        expected = null;
      };
    },

    /** Calls the listener when the session ends or becomes another one. Returns a function that stops that. */
    onChange(listener: SessionListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** To be called for the storage events of other tabs. */
    heard(changed: string | null): void {
      if (changed === key || changed === null) tell("over");
    },
  };
}
