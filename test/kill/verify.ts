import assert from "node:assert/strict";
import { type Me, type ServiceToken, type ServiceTokenList, tokenLimits } from "@clew/contract";
import { call } from "../support/call.ts";
import { readNodeIds } from "../support/whole-graph.ts";
import type { End, HeldSession, HeldToken, Ledger } from "./ledger.ts";

/**
 * Asks Clew for everything in the ledger. Throws if something that was acknowledged is lost or half done. Requests
 * without a response are recorded as Clew now shows them.
 */
export async function verify(base: URL, ledger: Ledger): Promise<void> {
  await verifyOwner(base, ledger);
  for (const session of ledger.sessions) await verifySession(base, session);
  for (const token of ledger.tokens) await verifyToken(base, token);
  await verifyList(base, ledger);
  await verifyNodes(base, ledger);
}

async function verifyOwner(base: URL, { owner }: Ledger): Promise<void> {
  const { status, body } = await call<Me>(base, "api/auth/me/", { token: owner.access });
  assert.equal(status, 200, "the owner is signed in");
  assert.deepEqual(
    body.workspaces.map((workspace) => workspace.status),
    ["active"],
    "however often one person signs in, there is one connection, and it works",
  );
}

async function verifyToken(base: URL, token: HeldToken): Promise<void> {
  const { status, body } = await call(base, "api/v1/workspaces/", { token: token.raw });
  token.revocation = judge(`token ${token.id}`, token.revocation, { status, code: body.code });
}

async function verifySession(base: URL, session: HeldSession): Promise<void> {
  const { access, refresh } = session;
  const validation = await call(base, "api/auth/validate/", { token: access });
  const asked = session.logout;
  session.logout = judge("session", asked, { status: validation.status, code: validation.body.code });
  const renewal = await call(base, "api/auth/refresh/", { method: "POST", body: { refresh } });
  const expected = session.logout === "acknowledged" ? 401 : 200;
  assert.equal(renewal.status, expected, "the refresh token ends with its session");
}

/** Whether a token or session has ended, by the response to its use. */
function judge(what: string, end: End, answer: { status: number; code: string | undefined }): End {
  const works = answer.status === 200;
  const ended = answer.status === 401 && answer.code === "token_revoked";
  assert(works || ended, `${what} is neither good nor revoked: ${JSON.stringify(answer)}`);
  if (end === "none") assert(works, `${what} was acknowledged and is lost`);
  if (end === "acknowledged") assert(ended, `${what}: its acknowledged end is lost`);
  return works ? "none" : "acknowledged";
}

async function verifyList(base: URL, ledger: Ledger): Promise<void> {
  const listed = await readTokens(base, ledger.owner.access);
  const byId = new Map(listed.map((token) => [token.id, token]));
  assert.equal(byId.size, listed.length, "no token is listed twice");
  for (const { id, revocation } of ledger.tokens) {
    const status = revocation === "none" ? "active" : "revoked";
    assert.equal(byId.get(id)?.status, status, `token ${id} is listed as it is`);
  }
  const unknown = listed.length - ledger.tokens.length;
  assert(unknown <= ledger.unansweredCreations, "every token in the list was requested");
  const usable = listed.filter((token) => token.is_active).length;
  assert(usable <= tokenLimits.usablePerUser, `${usable} tokens are usable`);
}

async function readTokens(base: URL, token: string): Promise<ServiceToken[]> {
  const tokens: ServiceToken[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query = new URLSearchParams({ limit: "100", ...(cursor && { cursor }) });
    const answer = await call<ServiceTokenList>(base, `api/tokens/?${query}`, { token });
    assert.equal(answer.status, 200, JSON.stringify(answer));
    tokens.push(...answer.body.items);
    cursor = answer.body.next_cursor;
  }
  return tokens;
}

async function verifyNodes(base: URL, ledger: Ledger): Promise<void> {
  const served = new Set(await readNodeIds(base, ledger.owner.access));
  const lost = ledger.nodes.difference(served);
  assert.deepEqual([...lost], [], "every node that was served before is still served");
}
