import assert from "node:assert/strict";
import { test } from "node:test";
import { isLinearizable, type Model, type Operation } from "./linearizability.ts";
import {
  connectionModel,
  type PageCall,
  pageModel,
  type ReaderCall,
  readerModel,
  sessionModel,
  tokenModel,
} from "./models.ts";

/** Calls one after the other, each answered before the next one. */
function inTurn<State, Call, Outcome>(
  model: Model<State, Call, Outcome>,
  calls: readonly (readonly [Call, Outcome | null])[],
): boolean {
  const history = calls.map(([call, outcome], index): Operation<Call, Outcome> => {
    const answered = outcome === null ? Number.POSITIVE_INFINITY : index + 0.5;
    return { client: "one", instance: "one", call, outcome, called: index, answered };
  });
  return isLinearizable(history, model);
}

/** The same in words: `use: 200`, or `use` without an answer. */
function permits<State, Kind extends string>(
  model: Model<State, { readonly kind: Kind }, string>,
  ...lines: readonly (Kind | `${Kind}: ${string}`)[]
): boolean {
  return inTurn(
    model,
    lines.map((line) => {
      const [kind, outcome] = line.split(": ");
      // The part before the colon of such a line.
      return [{ kind: kind as Kind }, outcome ?? null] as const;
    }),
  );
}

test("TOK-8: a revoked token does not work again", () => {
  const ended = ["create: 201", "use: 200", "revoke: 204", "use: token_revoked"] as const;
  assert.ok(permits(tokenModel, ...ended, "revoke: 204"));
  assert.ok(!permits(tokenModel, ...ended, "use: 200"));
  assert.ok(!permits(tokenModel, "create: 201", "revoke: 204", "use: 200"));
  assert.ok(!permits(tokenModel, "create: 201", "use: token_revoked"));
});

test("TOK-8: a revocation without an answer may hold at any time, and then for good", () => {
  assert.ok(permits(tokenModel, "create: 201", "revoke", "use: 200", "use: token_revoked"));
  assert.ok(!permits(tokenModel, "create: 201", "revoke", "use: token_revoked", "use: 200"));
});

test("TOK-9: a token is rotated once, and an overlap leaves it usable until it is revoked", () => {
  assert.ok(!permits(tokenModel, "create: 201", "rotate: 201", "rotate: 201"));
  assert.ok(!permits(tokenModel, "create: 201", "rotate: 201", "use: 200"));
  const overlapping = ["create: 201", "rotate with overlap: 201", "use: 200", "rotate: conflict"] as const;
  assert.ok(permits(tokenModel, ...overlapping, "revoke: 204", "use: token_revoked"));
  assert.ok(!permits(tokenModel, ...overlapping, "use: token_revoked"));
});

test("GRAPH-15: disconnecting its workspace ends a token", () => {
  assert.ok(permits(tokenModel, "create: 201", "disconnect: 204", "use: token_revoked"));
  assert.ok(!permits(tokenModel, "create: 201", "disconnect: 204", "use: 200"));
  assert.ok(permits(tokenModel, "disconnect: 204", "create: 201", "use: 200"));
});

test("SESS-4: a session that is signed out cannot be used, refreshed or signed out", () => {
  const open = ["sign in: done", "refresh: 200", "refresh: 200", "use: accepted", "log out: 204"] as const;
  assert.ok(permits(sessionModel, ...open, "refresh: token_revoked", "log out: token_revoked"));
  for (const late of ["refresh: 200", "use: accepted", "log out: 204"] as const)
    assert.ok(!permits(sessionModel, ...open, late), late);
});

test("SESS-8: ending the other sessions ends those that are open", () => {
  assert.ok(!permits(sessionModel, "sign in: done", "end others: 204", "use: accepted"));
  assert.ok(permits(sessionModel, "end others: 204", "sign in: done", "use: accepted"));
});

test("GRAPH-15: a connection is disconnected once, and used only while it is connected", () => {
  assert.ok(permits(connectionModel, "connect: done", "disconnect: 204", "need: refused", "connect: done"));
  assert.ok(!permits(connectionModel, "connect: done", "disconnect: 204", "disconnect: 204"));
  assert.ok(!permits(connectionModel, "connect: done", "disconnect: 204", "need: accepted"));
  assert.ok(!permits(connectionModel, "connect: done", "need: refused"));
});

const edit = (version: number) => [{ kind: "edit", version } satisfies PageCall, 0] as const;
const read = (version: number) => [{ kind: "read" } satisfies PageCall, version] as const;
const synced = [
  [{ kind: "sync" }, 0],
  [{ kind: "served" }, 0],
] as const satisfies [PageCall, number][];

test("SYNC-9: after a requested sync no read is older than the edits before the request", () => {
  assert.ok(inTurn(pageModel, [edit(1), ...synced, read(1), edit(2), read(1), read(2)]));
  assert.ok(!inTurn(pageModel, [edit(1), ...synced, read(0)]));
});

test("OPS-8: reads do not go back, and show nothing that was not written", () => {
  assert.ok(inTurn(pageModel, [edit(1), read(0), edit(2), read(2)]));
  assert.ok(!inTurn(pageModel, [edit(1), read(1), read(0)]));
  assert.ok(!inTurn(pageModel, [edit(1), read(2)]));
});

test("SYNC-9: two instances do not sync a connection at the same time", () => {
  const call = (kind: ReaderCall["kind"], by: string) => [{ kind, by }, "sent"] as const;
  assert.ok(
    inTurn(readerModel, [call("begin", "A"), call("go on", "A"), call("begin", "B"), call("go on", "B")]),
  );
  assert.ok(inTurn(readerModel, [call("begin", "A"), call("take over", "B"), call("go on", "B")]));
  assert.ok(!inTurn(readerModel, [call("begin", "A"), call("begin", "B"), call("go on", "A")]));
});
