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
export class SessionKeeper {
  readonly #services: KeeperServices;
  readonly #key: string;
  readonly #listeners = new Set<SessionListener>();
  /** The reason of the next end, if the person has asked for one. */
  #expected: SessionEnd | null = null;

  constructor(services: KeeperServices) {
    this.#services = services;
    // Two installations below different paths of one origin share its storage.
    this.#key = `clew.session:${services.url.pathname}`;
  }

  /** The session; null if no one is signed in. */
  read(): Session | null {
    const text = this.#services.storage.getItem(this.#key);
    return text === null ? null : JSON.parse(text);
  }

  /** Sends a request as the person who signed in. Renews the access token before it ends, or when Clew refuses it. */
  readonly fetch: typeof fetch = async (input, init) => {
    const attempt = ({ access }: Session) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${access}`);
      return this.#services.fetch(input, { ...init, headers, cache: "no-store" });
    };
    const session = this.read();
    if (session === null) throw new SessionOver();
    const isStale = session.renewAt <= this.#services.now();
    const current = isStale ? await this.#renew(session.access) : session;
    if (current instanceof Response) return current;
    const response = await attempt(current);
    if (response.status !== 401) return response;
    const next = await this.#renew(current.access);
    if (next instanceof Response) return next;
    const last = await attempt(next);
    return last.status === 401 ? this.#over() : last;
  };

  /** Keeps a new session. One that it replaces would stay open unseen, so Clew is asked to end it. */
  start(tokens: SessionTokens): void {
    const before = this.read();
    const session = sessionOf(tokens, this.#services.now());
    this.#keep(session);
    if (before === null || before.refresh === session.refresh) return;
    const { access } = before.userId === session.userId ? session : before;
    this.#post("api/auth/logout/", { refresh: before.refresh }, access).catch(() => {});
  }

  /** Forgets the session, and calls the listeners. */
  end(reason: SessionEnd): void {
    if (this.read() === null) return;
    this.#services.storage.removeItem(this.#key);
    this.#tell(this.#expected ?? reason);
  }

  /**
   * Names the reason of an end that the person has asked for: another request may be refused before the response to that
   * one arrives. Returns a function that takes it back.
   */
  expectEnd(reason: SessionEnd): () => void {
    this.#expected = reason;
    return () => {
      this.#expected = null;
    };
  }

  /** Calls the listener when the session ends or becomes another one. Returns a function that stops that. */
  onChange(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Handles a storage event of another tab. */
  heard(changed: string | null): void {
    if (changed === this.#key || changed === null) this.#tell("over");
  }

  /**
   * Renews the access token, one tab at a time: the others then find the new one. Returns Clew's response if that is neither
   * a new token nor the end of the session.
   */
  #renew(stale: string): Promise<Session | Response> {
    const { locks, now } = this.#services;
    return locks.request(this.#key, async () => {
      const session = this.read();
      if (session === null) throw new SessionOver();
      if (session.access !== stale) return session;
      if (session.endsAt <= now()) return this.#over();
      const response = await this.#post("api/auth/refresh/", { refresh: session.refresh });
      if (response.status === 401) return this.#over();
      if (!response.ok) return response;
      const { access } = await response.json();
      const next = renewed(session, access, now());
      // The person may have signed out in the meantime.
      if (this.read()?.refresh === session.refresh) this.#keep(next);
      return next;
    });
  }

  #over(): never {
    this.end("over");
    throw new SessionOver();
  }

  #keep(session: Session): void {
    this.#services.storage.setItem(this.#key, JSON.stringify(session));
  }

  #tell(end: SessionEnd): void {
    for (const listener of this.#listeners) listener(this.read(), end);
  }

  /** Sends a request to Clew that is not authorized by itself. */
  #post(path: string, body: unknown, access?: string): Promise<Response> {
    return this.#services.fetch(new URL(path, this.#services.url), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
      },
      body: JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.timeout(timeoutMs),
    });
  }
}
