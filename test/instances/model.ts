import assert from "node:assert/strict";
import { type CreatedToken, type ServiceToken, type ServiceTokenList, tokenLimits } from "@clew/contract";
import { giveConsent } from "@clew/stand-in/testing";
import { pick, type Random } from "@clew/stand-in/testing/random";
import { type SignedIn, signIn } from "../../scripts/tour/sign-in.ts";
import { call } from "../support/call.ts";
import { readWorkspaces } from "../support/session.ts";
import type { Instance } from "./instances.ts";

/** Whether something has ended: it was not requested, was requested and may have happened, or was confirmed. */
type End = "none" | "asked" | "acknowledged";

interface Session extends SignedIn {
  access: string;
  end: End;
}

interface Token {
  readonly id: number;
  /** Null if its creation was not answered, and a list shows it. */
  readonly raw: string | null;
  end: End;
}

/** The acknowledgements of the instances to one person. Several requests of theirs are under way at a time. */
export interface Person {
  readonly name: string;
  /** Of the workspace that they connect. */
  workspaceId: string;
  sessions: Session[];
  /** The number of tokens made so far. */
  made: number;
  /** Tokens whose creation was acknowledged; of the ended ones the latest. */
  tokens: Token[];
  /** Creations and rotations under way. */
  creating: number;
  /** Those without an answer: each may have made a token, or make one until this time. */
  unanswered: number[];
  /** Disconnections so far and under way, and until when one without an answer may still happen. */
  disconnections: number;
  disconnecting: number;
  mayDisconnectUntil: number;
  /** Whether they were ever disconnected, or may have been, since they last signed in. */
  mayBeDisconnected: boolean;
}

type Request = NonNullable<Parameters<typeof call>[2]>;
interface Answer {
  readonly status: number;
  readonly body: { readonly code?: string };
}

/** Ended tokens of a person that are still tried. */
const rememberedTokens = 20;

const sessionsAtOnce = 6;

/** Milliseconds after which a request without an answer can no longer have an effect. */
const lateEffectMs = 15_000;

/** Signs a person in for the first time. */
export async function arrive(instance: Instance, name: string): Promise<Person> {
  const person: Person = {
    ...{ name, workspaceId: "", sessions: [], made: 0, tokens: [], creating: 0, unanswered: [] },
    ...{ disconnections: 0, disconnecting: 0, mayDisconnectUntil: 0, mayBeDisconnected: false },
  };
  await openSession(instance, person);
  const [session] = person.sessions;
  assert.ok(session);
  const [workspace] = await readWorkspaces(instance.url, session);
  person.workspaceId = workspace?.id ?? "";
  return person;
}

/** The answer; null if there is none, or it says that the service is not available. */
async function ask(instance: Instance, path: string, request: Request): Promise<Answer | null> {
  const answer = await call(instance.url, path, request).catch((error: unknown) => {
    if (error instanceof TypeError) return null;
    throw error;
  });
  if (answer === null || answer.status === 503) return null;
  assert.ok(answer.status < 500, `${request.method ?? "GET"} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Compares an answer with what is known: `before` was acknowledged when the request was sent, `thing` is now. */
function judge(what: string, before: End, thing: { end: End }, { status, body }: Answer): void {
  if (status === 401) {
    assert.equal(body.code, "token_revoked", `${what}: ${JSON.stringify(body)}`);
    assert.notEqual(thing.end, "none", `${what} was acknowledged, was never ended, and is refused`);
    thing.end = "acknowledged";
  } else {
    assert.notEqual(before, "acknowledged", `${what} works after its end was acknowledged (${status})`);
  }
}

/** Asks as one of the person's sessions. Null if there is no answer, or the session has ended. */
async function askAs(
  instance: Instance,
  session: Session,
  path: string,
  request: Request = {},
): Promise<Answer | null> {
  const before = session.end;
  const answer = await ask(instance, path, { ...request, token: session.access });
  if (answer === null) return null;
  if (answer.body?.code === "token_expired") {
    await refresh(instance, session);
    return null;
  }
  judge("session", before, session, answer);
  return answer.status === 401 ? null : answer;
}

/** False if the sign-in failed. */
async function openSession(instance: Instance, person: Person): Promise<boolean> {
  const consent = async (authorizationUrl: string) => {
    const callback = new URL(await giveConsent(authorizationUrl, { person: person.name }));
    // Any instance may finish what another one began.
    callback.host = instance.url.host;
    return callback.href;
  };
  const opened = await signIn(instance.url, consent).catch(() => null);
  if (opened === null) return false;
  person.sessions.push({ access: opened.access, refresh: opened.refresh, end: "none" });
  return true;
}

async function refresh(instance: Instance, session: Session): Promise<void> {
  const before = session.end;
  const body = { refresh: session.refresh };
  const answer = await ask(instance, "api/auth/refresh/", { method: "POST", body });
  if (answer === null) return;
  judge("refresh token", before, session, answer);
  if (answer.status === 200) session.access = (answer.body as SignedIn).access;
}

/** Sends a request that makes a token. */
async function makeToken(
  instance: Instance,
  session: Session,
  person: Person,
  request: { readonly path: string; readonly body: unknown; readonly ends?: Token },
): Promise<void> {
  const possible = () =>
    person.creating +
    person.unanswered.length +
    person.tokens.filter(({ end }) => end !== "acknowledged").length;
  const possibleBefore = possible();
  const { path, body, ends } = request;
  if (ends?.end === "none") ends.end = "asked";
  const made = person.made;
  const { disconnections, mayBeDisconnected } = person;
  person.creating += 1;
  const sent = { method: "POST", body, token: session.access };
  const before = session.end;
  const answer = await ask(instance, path, sent);
  person.creating -= 1;
  if (answer === null) return void person.unanswered.push(Date.now() + lateEffectMs);
  if (answer.body.code === "token_expired") return refresh(instance, session);
  judge("session", before, session, answer);
  if (answer.status === 401) return;
  if (answer.status === 201) {
    if (ends !== undefined) ends.end = "acknowledged";
    const { id, token } = answer.body as CreatedToken;
    const mayEnd =
      person.disconnecting > 0 ||
      person.disconnections > disconnections ||
      Date.now() < person.mayDisconnectUntil;
    person.made += 1;
    person.tokens = person.tokens.filter((each) => each.id !== id);
    person.tokens.push({ id, raw: token, end: mayEnd ? "asked" : "none" });
    const ended = person.tokens.filter(({ end }) => end === "acknowledged");
    const forgotten = new Set(ended.slice(0, -rememberedTokens));
    person.tokens = person.tokens.filter((each) => !forgotten.has(each));
  } else if (answer.body.code === "token_limit_reached") {
    const most = possibleBefore + person.creating + person.made - made;
    assert.ok(most >= tokenLimits.usablePerUser, `the limit is reached with ${most} tokens at most`);
  } else if (answer.status === 400 || (answer.status === 409 && ends === undefined)) {
    // They may have been disconnected and have signed in again since the request was sent.
    const wasConnected =
      !mayBeDisconnected && !person.mayBeDisconnected && person.disconnections === disconnections;
    assert.ok(!wasConnected, `${path}: ${JSON.stringify(answer)}`);
  } else {
    // Something else has ended the token that was to be rotated.
    assert.equal(answer.status, 409, `${path}: ${JSON.stringify(answer)}`);
  }
}

async function useToken(instance: Instance, token: Token): Promise<void> {
  if (token.raw === null) return;
  const before = token.end;
  const answer = await ask(instance, "api/v1/workspaces/", { token: token.raw });
  if (answer !== null) judge(`token ${token.id}`, before, token, answer);
}

async function revoke(instance: Instance, session: Session, token: Token): Promise<void> {
  if (token.end === "none") token.end = "asked";
  const answer = await askAs(instance, session, `api/tokens/${token.id}/`, { method: "DELETE" });
  if (answer === null) return;
  assert.equal(answer.status, 204, JSON.stringify(answer));
  token.end = "acknowledged";
}

async function logOut(instance: Instance, session: Session): Promise<void> {
  const { access: token } = session;
  if (session.end === "none") session.end = "asked";
  const body = { refresh: session.refresh };
  const answer = await ask(instance, "api/auth/logout/", { method: "POST", token, body });
  if (answer?.status === 204) session.end = "acknowledged";
}

async function disconnect(instance: Instance, session: Session, person: Person): Promise<void> {
  const before = [...person.tokens];
  for (const token of before) if (token.end === "none") token.end = "asked";
  person.disconnecting += 1;
  person.disconnections += 1;
  person.mayBeDisconnected = true;
  const path = `api/provider-graph/workspaces/${person.workspaceId}/`;
  const answer = await askAs(instance, session, path, { method: "DELETE" });
  person.disconnecting -= 1;
  for (const token of person.tokens) if (token.end === "none") token.end = "asked";
  if (answer === null) person.mayDisconnectUntil = Date.now() + lateEffectMs;
  else if (answer.status === 204) for (const token of before) token.end = "acknowledged";
  else assert.equal(answer.status, 404, JSON.stringify(answer));
}

async function requestSync(instance: Instance, session: Session, person: Person): Promise<void> {
  const path = `api/provider-graph/workspaces/${person.workspaceId}/sync/`;
  const answer = await askAs(instance, session, path, { method: "POST" });
  if (answer === null || answer.status === 202) return;
  assert.ok(person.disconnections > 0 && [404, 409].includes(answer.status), JSON.stringify(answer));
}

/** Compares the list of usable tokens with what was acknowledged (TOK-6, TOK-7, TOK-8). */
export async function listTokens(instance: Instance, session: Session, person: Person): Promise<boolean> {
  const before = person.tokens.map((token) => ({ token, end: token.end }));
  const asked = Date.now();
  const answer = await askAs(instance, session, "api/tokens/?is_active=true&limit=100");
  if (answer === null) return false;
  const listed = new Set((answer.body as ServiceTokenList).items.map(({ id }: ServiceToken) => id));
  assert.ok(listed.size <= tokenLimits.usablePerUser, `${listed.size} tokens are usable`);
  for (const { token, end } of before) {
    if (end === "acknowledged") assert.ok(!listed.has(token.id), `token ${token.id} has ended and is listed`);
    if (token.end === "none") assert.ok(listed.has(token.id), `token ${token.id} is lost`);
  }
  const known = new Set(person.tokens.map(({ id }) => id));
  for (const id of listed.difference(known)) {
    assert.ok(person.creating + person.unanswered.length > 0, `no request was made for token ${id}`);
    person.tokens.push({ id, raw: null, end: "asked" });
  }
  person.unanswered = person.unanswered.filter((until) => until >= asked);
  return true;
}

/** The frequency of each action, in percent. */
const operations = {
  use: 50,
  list: 6,
  validate: 8,
  create: 12,
  revoke: 8,
  rotate: 5,
  refresh: 5,
  logout: 2,
  signIn: 1,
  sync: 2.5,
  disconnect: 0.5,
} as const;

export type Operation = keyof typeof operations;

const total = Object.values(operations).reduce((sum, share) => sum + share, 0);

export function drawOperation(random: Random): Operation {
  let left = random() * total;
  for (const [operation, share] of Object.entries(operations)) {
    left -= share;
    if (left < 0) return operation as Operation;
  }
  return "use";
}

/** Forgets sessions that have ended, but for some that are tried again. Returns how many are open. */
function forgetSessions(person: Person): number {
  const ended = person.sessions.filter(({ end }) => end === "acknowledged").slice(-2);
  person.sessions = [...person.sessions.filter(({ end }) => end !== "acknowledged"), ...ended];
  return person.sessions.filter(({ end }) => end === "none").length;
}

/** Signs the person in once more, unless they have sessions enough. */
async function connect(instance: Instance, person: Person): Promise<void> {
  if (forgetSessions(person) >= sessionsAtOnce && !person.mayBeDisconnected) return;
  const { disconnections } = person;
  const isQuiet = person.disconnecting === 0 && Date.now() >= person.mayDisconnectUntil;
  const isOpened = await openSession(instance, person);
  if (isQuiet && isOpened && person.disconnections === disconnections) person.mayBeDisconnected = false;
}

/** Does something of that kind for the person. Throws an `AssertionError` if the answer contradicts earlier ones. */
export async function act(
  operation: Operation,
  person: Person,
  instance: Instance,
  random: Random,
): Promise<void> {
  const needsSession = forgetSessions(person) === 0;
  const needsConnection = person.mayBeDisconnected && random() < 0.05;
  if (operation === "signIn" || needsSession || needsConnection) return connect(instance, person);
  const session = pick(random, person.sessions);
  const token = person.tokens.length === 0 ? null : pick(random, person.tokens);
  switch (operation) {
    case "create": {
      const body = { name: "a token", scopes: ["graph:read"], workspace_ids: [person.workspaceId] };
      return makeToken(instance, session, person, { path: "api/tokens/", body });
    }
    case "rotate":
      if (token === null) return;
      return makeToken(instance, session, person, {
        path: `api/tokens/${token.id}/rotate/`,
        body: {},
        ends: token,
      });
    case "use":
      return token === null ? undefined : useToken(instance, token);
    case "revoke":
      return token === null ? undefined : revoke(instance, session, token);
    case "refresh":
      return refresh(instance, session);
    case "validate":
      await askAs(instance, session, "api/auth/validate/");
      return;
    case "logout":
      return logOut(instance, session);
    case "sync":
      return requestSync(instance, session, person);
    case "disconnect":
      return disconnect(instance, session, person);
    case "list":
      await listTokens(instance, session, person);
  }
}

/** Tries everything of a person at an instance that nothing disturbs. */
export async function verify(instance: Instance, person: Person): Promise<void> {
  for (const token of person.tokens) await useToken(instance, token);
  const session = person.sessions.find(({ end }) => end === "none");
  assert.ok(session, "a session is left");
  assert.ok(await listTokens(instance, session, person), "the list is answered");
}
