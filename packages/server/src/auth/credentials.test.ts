import assert from "node:assert/strict";
import { test } from "node:test";
import { insufficientScope, requireSettled } from "./credentials.ts";

test("ERR-3: a refusal for want of scopes names every one that is needed, in its text and its challenge", () => {
  const one = insufficientScope(["graph:read"]);
  assert.equal(one.message, "This operation needs a token with the scope graph:read.");
  const two = insufficientScope(["graph:read", "graph:search"]);
  assert.equal(two.message, "This operation needs a token with the scopes graph:read and graph:search.");
  assert.deepEqual(
    [two.code, two.headers],
    [
      "insufficient_scope",
      {
        "www-authenticate":
          'Bearer realm="clew", error="insufficient_scope", scope="graph:read graph:search"',
      },
    ],
  );
});

test("OPS-13: while a person is moved, their credentials are answered with 503 and Retry-After", () => {
  requireSettled({ isMoving: false });
  assert.throws(() => requireSettled({ isMoving: true }), {
    code: "unavailable",
    headers: { "retry-after": "5" },
  });
});
