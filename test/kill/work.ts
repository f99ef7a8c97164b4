import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { CreatedToken } from "@clew/contract";
import { pick, type Random } from "@clew/stand-in/testing/random";
import { call } from "../support/call.ts";
import { readWorkspaces, signIn } from "../support/session.ts";
import { readNodeIds } from "../support/whole-graph.ts";
import { together } from "./cut.ts";
import type { Ledger } from "./ledger.ts";

/** The number of usable tokens to hold, with room for creations that the kills left unanswered (TOK-6). */
const enoughTokens = 5;

/** The number of sign-ins. The stand-in keeps a person's 20 newest grants, and the sync may use the oldest. */
const enoughSessions = 10;

/**
 * Creates and revokes tokens, and opens and ends sessions, concurrently until `end`. Records in the ledger what Clew
 * acknowledges. Throws if a response is wrong or missing.
 */
export async function work(base: URL, ledger: Ledger, random: Random, end: AbortSignal): Promise<void> {
  const steps = [changeTokens, changeTokens, changeSessions];
  await together(steps.map((step) => repeat(end, 5, () => step(base, ledger, random))));
}

/** Records the state of the sync and the served nodes until `end`. */
export async function watch(base: URL, ledger: Ledger, end: AbortSignal): Promise<void> {
  const noteSync = async () => {
    const [workspace] = await readWorkspaces(base, ledger.owner);
    assert(workspace, "the connection of an acknowledged sign-in exists");
    ledger.sync = workspace.sync.state;
  };
  const noteNodes = async () => {
    for (const id of await readNodeIds(base, ledger.owner.access)) ledger.nodes.add(id);
  };
  await together([repeat(end, 10, noteSync), repeat(end, 50, noteNodes)]);
}

async function repeat(end: AbortSignal, pause: number, step: () => Promise<void>): Promise<void> {
  while (!end.aborted) {
    await step();
    await sleep(pause);
  }
}

async function changeTokens(base: URL, ledger: Ledger, random: Random): Promise<void> {
  const usable = ledger.tokens.filter(({ revocation }) => revocation === "none");
  const wanted = usable.length < enoughTokens && random() < 0.6;
  if (wanted || usable.length === 0) return createToken(base, ledger);
  const token = pick(random, usable);
  token.revocation = "asked";
  const answer = await call(base, `api/tokens/${token.id}/`, {
    method: "DELETE",
    token: ledger.owner.access,
  });
  assert.equal(answer.status, 204, JSON.stringify(answer));
  token.revocation = "acknowledged";
}

async function createToken(base: URL, ledger: Ledger): Promise<void> {
  const [workspace] = await readWorkspaces(base, ledger.owner);
  ledger.unansweredCreations += 1;
  const answer = await call<CreatedToken>(base, "api/tokens/", {
    method: "POST",
    token: ledger.owner.access,
    body: { name: "kill -9", scopes: ["graph:search"], workspace_ids: [workspace?.id] },
  });
  assert.equal(answer.status, 201, JSON.stringify(answer));
  ledger.unansweredCreations -= 1;
  ledger.tokens.push({ id: answer.body.id, raw: answer.body.token, revocation: "none" });
}

async function changeSessions(base: URL, ledger: Ledger, random: Random): Promise<void> {
  if (ledger.sessions.length < enoughSessions && random() < 0.5) {
    ledger.sessions.push({ ...(await signIn(base)), logout: "none" });
    return;
  }
  const open = ledger.sessions.filter(({ logout }) => logout === "none");
  if (open.length === 0) return;
  const session = pick(random, open);
  session.logout = "asked";
  const { access, refresh } = session;
  const answer = await call(base, "api/auth/logout/", { method: "POST", token: access, body: { refresh } });
  assert.equal(answer.status, 204, JSON.stringify(answer));
  session.logout = "acknowledged";
}
