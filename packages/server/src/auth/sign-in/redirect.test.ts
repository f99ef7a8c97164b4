import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../model/api-error.ts";
import { dashboardUrlWith, SignInFailure, signInFailureOf } from "./redirect.ts";

test("SIGN-4: values in the fragment survive both ways of decoding", () => {
  const text = "50% of a+b & c=d, #1 – naïve";
  const url = dashboardUrlWith(new URL("https://clew.example/some/dashboard"), {
    error: "x",
    error_description: text,
  });
  const [base, fragment = ""] = url.split("#");
  assert.equal(base, "https://clew.example/some/dashboard");
  assert.equal(new URLSearchParams(fragment).get("error_description"), text);
  const plain = Object.fromEntries(
    fragment.split("&").map((pair) => pair.split("=").map(decodeURIComponent)),
  );
  assert.deepEqual(plain, { error: "x", error_description: text });
});

test("SIGN-4: an error of Clew's own is no fault of the state that the browser brought", () => {
  const codes = {
    internal: "unavailable",
    unavailable: "unavailable",
    rate_limited: "rate_limited",
    not_found: "invalid_state",
  } as const;
  for (const [code, shown] of Object.entries(codes) as [keyof typeof codes, string][])
    assert.equal(signInFailureOf(new ApiError(code, "For a test.")).code, shown);
  assert.equal(signInFailureOf(new Error("For a test.")).code, "unavailable");
  const failure = new SignInFailure("access_denied");
  assert.equal(signInFailureOf(failure), failure);
});
