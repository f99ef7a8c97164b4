import assert from "node:assert/strict";
import { test } from "node:test";
import type { Grant } from "@clew/provider";
import { everybody, onLists } from "../../model/testing/allow-lists.ts";
import { readCallbackQuery, requireAllowed } from "./finish.ts";
import { SignInFailure } from "./redirect.ts";

const state = "s".repeat(43);

test("SIGN-4: a callback's unknown parameters are ignored", () => {
  assert.deepEqual(readCallbackQuery({ state, code: "c", iss: "x", utm_source: ["a", "b"] }), {
    state,
    code: "c",
    error: null,
  });
});

test("SIGN-4: an empty parameter counts as absent", () => {
  assert.deepEqual(readCallbackQuery({ state, code: "", error: "" }), { state, code: null, error: null });
});

test("SIGN-2: a state that is missing, duplicate or malformed is invalid", () => {
  const queries = [
    undefined,
    {},
    { code: "c" },
    { code: "c", state: "" },
    { code: "c", state: [state, state] },
    { code: "c", state: "s".repeat(42) },
    { code: "c", state: `${state}\n` },
    { code: "c", state: "s".repeat(8000) },
    { code: ["c", "c"], state },
    { error: ["access_denied", "x"], state },
  ];
  for (const query of queries) {
    assert.throws(
      () => readCallbackQuery(query),
      (error) => error instanceof SignInFailure && error.code === "invalid_state",
      JSON.stringify(query),
    );
  }
});

const workspaceId = "0b1f2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

const grantOf = (email: string | null) => ({ source: { slug: "notion" }, grant: granted(email) });

const granted = (email: string | null): Grant => ({
  accessToken: "access",
  refreshToken: null,
  id: "grant",
  workspace: { id: workspaceId, name: null, icon: null },
  person: { id: "person", name: null, email, avatarUrl: null },
});

function isAllowed(lists: { workspaces?: string[]; emails?: string[] }, email: string | null): boolean {
  try {
    requireAllowed(onLists(lists), grantOf(email));
    return true;
  } catch (error) {
    assert.ok(error instanceof SignInFailure && error.code === "not_allowed");
    return false;
  }
}

test("SIGN-10: anyone may sign in if the setting says so", () => {
  assert.doesNotThrow(() => requireAllowed(everybody, grantOf(null)));
});

test("SIGN-10: a person on no list may not sign in", () => {
  assert.equal(isAllowed({}, "reader@example.com"), false);
  assert.equal(
    isAllowed({ workspaces: ["another"], emails: ["writer@example.com"] }, "reader@example.com"),
    false,
  );
});

test("SIGN-10: a workspace is listed by its id, with or without dashes", () => {
  assert.ok(isAllowed({ workspaces: [workspaceId] }, null));
  assert.ok(isAllowed({ workspaces: [workspaceId.replaceAll("-", "").toUpperCase()] }, null));
});

test("SIGN-10: an address is compared whole and case-insensitively", () => {
  const emails = ["reader@example.com"];
  assert.ok(isAllowed({ emails }, "Reader@Example.COM"));
  for (const email of ["proofreader@example.com", "reader@example.com.evil.org", "reader@example.co", null]) {
    assert.equal(isAllowed({ emails }, email), false, String(email));
  }
});

test("SIGN-10: a domain allows its own addresses, not those of a domain with the same ending", () => {
  const emails = ["@example.com"];
  assert.ok(isAllowed({ emails }, "reader@EXAMPLE.com"));
  for (const email of [
    "reader@notexample.com",
    "reader@sub.example.com",
    "reader@example.com@evil.org",
    "",
  ]) {
    assert.equal(isAllowed({ emails }, email), false, email);
  }
});

test("SIGN-10: a match in either list is enough", () => {
  const lists = { workspaces: [workspaceId], emails: ["writer@example.org"] };
  assert.ok(isAllowed(lists, "reader@example.com"));
  assert.ok(isAllowed({ ...lists, workspaces: ["another"] }, "writer@example.org"));
});
