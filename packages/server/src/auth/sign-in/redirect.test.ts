import assert from "node:assert/strict";
import { test } from "node:test";
import { dashboardUrlWith } from "./redirect.ts";

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
