import assert from "node:assert/strict";
import { test } from "node:test";
import { type Draft, dateAfter, daysOf, draftOf, faultsOf, requestOf } from "./draft.ts";

const now = Date.parse("2026-11-22T10:00:00");
const whole: Draft = {
  name: " reading agent ",
  purpose: "agent",
  workspaceIds: ["w1"],
  scopes: ["graph:read", "graph:search"],
  expiry: { kind: "days", days: 30 },
};

test("TOK-3: nothing is ticked at first, and the form names everything that is missing", () => {
  const draft = draftOf({}, ["w1", "w2"], now);
  assert.deepEqual([draft.workspaceIds, draft.scopes], [[], []]);
  assert.deepEqual(faultsOf(draft, now), ["name", "workspaces", "scopes"]);
  assert.deepEqual(draftOf({}, ["w1"], now).workspaceIds, ["w1"]);
  assert.deepEqual(faultsOf(whole, now), []);
});

test("TOK-3: a link fills in the name, known scopes and the days, and nothing else", () => {
  const draft = draftOf(
    { name: "sync", scopes: "graph:read, graph:admin graph:search", days: 30 },
    ["w1", "w2"],
    now,
  );
  assert.deepEqual(
    [draft.name, draft.scopes, draft.workspaceIds],
    ["sync", ["graph:search", "graph:read"], []],
  );
  assert.equal(daysOf(draft.expiry, now), 30);
  const odd = draftOf({ days: 45 }, [], now);
  assert.deepEqual(odd.expiry, { kind: "date", date: "2027-01-05" });
  assert.equal(daysOf(odd.expiry, now), 45);
  for (const days of [-5, 0, 1e9])
    assert.deepEqual(faultsOf({ ...whole, ...pick(days) }, now), [], `${days}`);
});

const pick = (days: number) => ({ expiry: draftOf({ days }, [], now).expiry });

test("TOK-4: a date becomes whole days, so that the token still works on it", () => {
  const on = (date: string) => daysOf({ kind: "date", date }, now);
  assert.equal(on("2026-11-22"), 1);
  assert.equal(on("2026-11-23"), 2);
  assert.equal(on(dateAfter(3649, now)), 3650);
  assert.deepEqual(faultsOf({ ...whole, expiry: { kind: "date", date: "2026-11-21" } }, now), ["days"]);
  assert.deepEqual(faultsOf({ ...whole, expiry: { kind: "date", date: "" } }, now), ["days"]);
  assert.deepEqual(faultsOf({ ...whole, expiry: { kind: "date", date: "2037-01-01" } }, now), ["days"]);
});

test("TOK-1: the request has what was chosen, and null days for never", () => {
  assert.deepEqual(requestOf(whole, now), {
    name: "reading agent",
    scopes: ["graph:search", "graph:read"],
    workspace_ids: ["w1"],
    expires_in_days: 30,
  });
  assert.equal(requestOf({ ...whole, expiry: { kind: "never" } }, now).expires_in_days, null);
});
