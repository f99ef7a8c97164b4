import assert from "node:assert/strict";
import { test } from "node:test";
import { registerClient } from "@modelcontextprotocol/client";
import { serveGraphs } from "../graph/testing/graph-server.ts";
import { refusedRegistrationRoute } from "./refused-registration.ts";

test("AGT-5: client registration gets an OAuth error that points to service tokens", async (t) => {
  const { app } = await serveGraphs(t, async (scope) => {
    for (const prefix of ["", "/clew"]) await scope.register(refusedRegistrationRoute, { prefix });
  });
  for (const url of ["/register", "/clew/register"]) {
    for (const [type, payload] of [
      ["application/json", '{"redirect_uris":["http://localhost/"]}'],
      ["application/json", "{"],
      ["text/plain", "hello"],
    ] as const) {
      const answer = await app.inject({ method: "POST", url, payload, headers: { "content-type": type } });
      assert.equal(answer.statusCode, 400);
      assert.match(String(answer.headers["content-type"]), /^application\/json/);
      assert.equal(answer.headers["cache-control"], "private, no-store");
      const { error, error_description, ...rest } = answer.json();
      assert.equal(error, "invalid_client_metadata");
      assert.match(error_description, /service token/);
      assert.deepEqual(rest, {});
    }
  }
  const wrong = await app.inject("/register");
  assert.deepEqual([wrong.statusCode, wrong.headers.allow], [405, "OPTIONS, POST"]);
});

test("AGT-5: the official MCP client shows that error to people", async (t) => {
  const { app } = await serveGraphs(t, (scope) => refusedRegistrationRoute(scope));
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  const clientMetadata = { redirect_uris: ["http://localhost/callback"], client_name: "A client" };
  await assert.rejects(registerClient(origin, { clientMetadata }), /accepts service tokens/);
});
