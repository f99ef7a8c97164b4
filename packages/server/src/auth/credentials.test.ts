import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../model/api-error.ts";
import { insufficientScope, requireSettled, unauthenticated, withChallenge } from "./credentials.ts";

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

test("ERR-3: a value in a challenge is a quoted string, whatever a client has put into the address", () => {
  const address = 'https://clew.example/api/v1/mcp?tools="a\\b';
  const refusal = withChallenge(unauthenticated(), { resource_metadata: address });
  assert(refusal instanceof ApiError);
  assert.equal(
    refusal.headers["www-authenticate"],
    'Bearer resource_metadata="https://clew.example/api/v1/mcp?tools=\\"a\\\\b"',
  );
});
