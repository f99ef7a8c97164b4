import type { CreatedToken } from "@clew/contract";
import { giveConsent } from "@clew/stand-in/testing";
import { pick, type Random } from "@clew/stand-in/testing/random";
import { signIn } from "../../scripts/tour/sign-in.ts";
import { readWorkspaces, type SignedIn } from "../support/session.ts";
import { type Answered, ask, operationOf, type Turn } from "./ask.ts";
import type { KeyHistory } from "./history.ts";
import type { Operation } from "./linearizability.ts";
import {
  type ConnectionCall,
  type ConnectionState,
  connectionModel,
  type SessionCall,
  type SessionState,
  sessionModel,
  type TokenCall,
  type TokenState,
  tokenModel,
} from "./models.ts";

interface Session extends SignedIn {
  readonly key: KeyHistory<SessionState, SessionCall, string>;
}

interface Token {
  readonly id: number;
  readonly raw: string;
  readonly key: KeyHistory<TokenState, TokenCall, string>;
}

/** Sessions and tokens that are tried: few, so that many clients try the same ones, also after their end. */
const sessionsAtOnce = 3;
const tokensAtOnce = 4;

/** The frequency of each action, in percent. */
const actions = {
  use: 40,
  validate: 14,
  refresh: 10,
  create: 9,
  revoke: 7,
  rotate: 7,
  sync: 5,
  logOut: 3,
  signIn: 3,
  endOthers: 1,
  disconnect: 1,
} as const;

type Action = keyof typeof actions;

/** The names of actions, each as often as it is frequent. */
const draws = Object.entries(actions).flatMap(([action, share]) =>
  // The names of its own entries.
  Array.from({ length: share }, () => action as Action),
);

/** One person's sessions, tokens and connection, which several clients use at the same time. Each call is in the history of what it concerns. */
export class Person {
  readonly #name: string;
  readonly #connection: KeyHistory<ConnectionState, ConnectionCall, string>;
  readonly #disconnections: Operation<TokenCall, string>[] = [];
  readonly #endings: Operation<SessionCall, string>[] = [];
  /** Those that are tried, and all who hear of a disconnection or of the end of all sessions. */
  #sessions: Session[] = [];
  readonly #allSessions: Session[] = [];
  #tokens: Token[] = [];
  readonly #allTokens: Token[] = [];
  #workspaceId = "";

  constructor(turn: Turn, name: string) {
    this.#name = name;
    this.#connection = turn.history.open(`the connection of ${name}`, connectionModel);
  }

  /** Signs in for the first time. Throws if that fails. */
  async arrive(turn: Turn): Promise<void> {
    await this.#signIn(turn);
    const [session] = this.#sessions;
    if (session === undefined) throw new Error("The first sign-in failed.");
    this.#workspaceId = (await readWorkspaces(turn.instance.url, session))[0]?.id ?? "";
  }

  /** Does one thing, drawn by its frequency. */
  async act(turn: Turn, random: Random): Promise<void> {
    const session = pick(random, this.#sessions);
    const token = this.#tokens.length === 0 ? null : pick(random, this.#tokens);
    const action = pick(random, draws);
    switch (action) {
      case "signIn":
        return this.#signIn(turn);
      case "validate":
        return void (await this.#askAs(turn, session, "api/auth/validate/"));
      case "refresh":
        return this.#refresh(turn, session);
      case "logOut":
        return this.#logOut(turn, session);
      case "endOthers":
        return this.#endOthers(turn, session);
      case "disconnect":
        return this.#disconnect(turn, session);
      case "sync":
        return this.#requestSync(turn, session);
      case "create":
        return this.#create(turn, session);
    }
    if (token === null) return this.#create(turn, session);
    switch (action) {
      case "use":
        return this.#use(turn, token);
      case "revoke":
        return this.#revoke(turn, session, token);
      case "rotate":
        return this.#rotate(turn, session, token, random() < 0.4);
    }
  }

  /** Tries every session and token once more. */
  async tryAll(turn: Turn): Promise<void> {
    for (const session of this.#sessions) await this.#askAs(turn, session, "api/auth/validate/");
    for (const token of this.#tokens) await this.#use(turn, token);
  }

  async #signIn(turn: Turn): Promise<void> {
    const called = turn.history.now();
    const opened = await signIn(turn.instance.url, async (authorizationUrl) => {
      const callback = new URL(await giveConsent(authorizationUrl, { person: this.#name }));
      // Any instance may finish what another one began.
      callback.host = turn.instance.url.host;
      return callback.href;
    }).catch(() => null);
    const answered = opened === null ? Number.POSITIVE_INFINITY : turn.history.now();
    const done = { outcome: opened === null ? null : "done", called, answered };
    this.#connection.add(operationOf(turn, { kind: "connect" }, done));
    if (opened === null) return;
    const number = this.#allSessions.length + 1;
    const key = turn.history.open(`session ${number} of ${this.#name}`, sessionModel);
    key.add(operationOf(turn, { kind: "sign in" }, done));
    for (const ending of this.#endings) if (ending.answered > called) key.add(ending);
    const session = { access: opened.access, refresh: opened.refresh, key };
    this.#allSessions.push(session);
    this.#sessions = [...this.#sessions, session].slice(-sessionsAtOnce);
  }

  /** Asks as a session. Null if the session had ended; then nothing else was done. */
  async #askAs(
    turn: Turn,
    session: Session,
    path: string,
    request: { readonly method?: string; readonly body?: unknown } = {},
  ): Promise<Answered | null> {
    const answer = await ask(turn, path, { ...request, token: session.access });
    const isRefused = answer.outcome === "token_revoked";
    const outcome = answer.outcome === null || isRefused ? answer.outcome : "accepted";
    session.key.add(operationOf(turn, { kind: "use" }, { ...answer, outcome }));
    return isRefused ? null : answer;
  }

  async #refresh(turn: Turn, session: Session): Promise<void> {
    const body = { refresh: session.refresh };
    const answer = await ask(turn, "api/auth/refresh/", { method: "POST", body });
    session.key.add(operationOf(turn, { kind: "refresh" }, answer));
  }

  async #logOut(turn: Turn, session: Session): Promise<void> {
    const request = { method: "POST", token: session.access, body: { refresh: session.refresh } };
    const answer = await ask(turn, "api/auth/logout/", request);
    session.key.add(operationOf(turn, { kind: "log out" }, answer));
    if (this.#sessions.every((each) => each === session)) await this.#signIn(turn);
  }

  async #endOthers(turn: Turn, session: Session): Promise<void> {
    const answer = await this.#askAs(turn, session, "api/auth/sessions/", { method: "DELETE" });
    if (answer === null) return;
    const ending = operationOf<SessionCall>(turn, { kind: "end others" }, answer);
    this.#endings.push(ending);
    for (const { key } of this.#allSessions) if (key !== session.key) key.add(ending);
  }

  async #disconnect(turn: Turn, session: Session): Promise<void> {
    const path = `api/provider-graph/workspaces/${this.#workspaceId}/`;
    const answer = await this.#askAs(turn, session, path, { method: "DELETE" });
    if (answer === null) return;
    this.#connection.add(operationOf(turn, { kind: "disconnect" }, answer));
    const disconnection = operationOf<TokenCall>(turn, { kind: "disconnect" }, answer);
    this.#disconnections.push(disconnection);
    for (const { key } of this.#allTokens) key.add(disconnection);
  }

  async #requestSync(turn: Turn, session: Session): Promise<void> {
    const path = `api/provider-graph/workspaces/${this.#workspaceId}/sync/`;
    const answer = await this.#askAs(turn, session, path, { method: "POST" });
    if (answer !== null) this.#need(turn, answer, { accepted: "202", refused: "not_found" });
  }

  /** Notes whether the workspace was connected, if the answer says so. */
  #need(turn: Turn, answer: Answered, words: { readonly accepted: string; readonly refused: string }): void {
    const found = { [words.accepted]: "accepted", [words.refused]: "refused" };
    const outcome = answer.outcome === null ? null : (found[answer.outcome] ?? answer.outcome);
    this.#connection.add(operationOf(turn, { kind: "need" }, { ...answer, outcome }));
  }

  async #create(turn: Turn, session: Session): Promise<void> {
    const body = { name: "a token", scopes: ["graph:read"], workspace_ids: [this.#workspaceId] };
    const answer = await this.#askAs(turn, session, "api/tokens/", { method: "POST", body });
    if (answer === null) return;
    if (answer.outcome === "token_limit_reached") return this.#revokeOldest(turn, session);
    this.#need(turn, answer, { accepted: "201", refused: "invalid_request" });
    if (answer.outcome === "201") this.#keep(turn, answer);
  }

  /** Keeps a token that was created. The token of a creation without an answer is unknown. */
  #keep(turn: Turn, answer: Answered): void {
    // The contract's answer of a creation.
    const { id, token: raw } = answer.body as CreatedToken;
    const key = turn.history.open(`token ${id} of ${this.#name}`, tokenModel);
    key.add(operationOf(turn, { kind: "create" }, { ...answer, outcome: "201" }));
    for (const disconnection of this.#disconnections)
      if (disconnection.answered > answer.called) key.add(disconnection);
    const token = { id, raw, key };
    this.#allTokens.push(token);
    this.#tokens = [...this.#tokens, token].slice(-tokensAtOnce);
  }

  /** Makes room for new tokens, also of those whose creation was not answered. */
  async #revokeOldest(turn: Turn, session: Session): Promise<void> {
    const list = await this.#askAs(turn, session, "api/tokens/?is_active=true&limit=100");
    if (list?.outcome !== "200") return;
    // The contract's list of tokens.
    const { items } = list.body as { readonly items: readonly { readonly id: number }[] };
    const tried = new Set(this.#tokens.map(({ id }) => id));
    const oldest = items.findLast(({ id }) => !tried.has(id));
    if (oldest === undefined) return;
    const path = `api/tokens/${oldest.id}/`;
    const answer = await this.#askAs(turn, session, path, { method: "DELETE" });
    const known = this.#allTokens.find(({ id }) => id === oldest.id);
    if (answer !== null) known?.key.add(operationOf(turn, { kind: "revoke" }, answer));
  }

  async #use(turn: Turn, token: Token): Promise<void> {
    const answer = await ask(turn, "api/v1/workspaces/", { token: token.raw });
    token.key.add(operationOf(turn, { kind: "use" }, answer));
  }

  async #revoke(turn: Turn, session: Session, token: Token): Promise<void> {
    const answer = await this.#askAs(turn, session, `api/tokens/${token.id}/`, { method: "DELETE" });
    if (answer !== null) token.key.add(operationOf(turn, { kind: "revoke" }, answer));
  }

  async #rotate(turn: Turn, session: Session, token: Token, overlaps: boolean): Promise<void> {
    const body = overlaps ? { overlap_hours: 24 } : {};
    const path = `api/tokens/${token.id}/rotate/`;
    const answer = await this.#askAs(turn, session, path, { method: "POST", body });
    // The limit says nothing of this token.
    if (answer === null || answer.outcome === "token_limit_reached") return;
    const kind = overlaps ? "rotate with overlap" : "rotate";
    token.key.add(operationOf(turn, { kind }, answer));
    if (answer.outcome === "201") this.#keep(turn, answer);
  }
}
