import assert from "node:assert/strict";
import { test } from "node:test";
import { readCallbackQuery } from "./callback-query.ts";
import { SignInFailure } from "./failure.ts";

const state = "s".repeat(43);

test("SIGN-4: a callback's unknown parameters are ignored", () => {
  assert.deepEqual(readCallbackQuery({ state, code: "c", iss: "x", utm_source: ["a", "b"] }), {
    state,
    code: "c",
    error: null,
  });
});

test("SIGN-4: an empty parameter is none", () => {
  assert.deepEqual(readCallbackQuery({ state, code: "", error: "" }), { state, code: null, error: null });
});

test("SIGN-2: a state that is missing, doubled, or not shaped as Clew makes them is invalid", () => {
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
