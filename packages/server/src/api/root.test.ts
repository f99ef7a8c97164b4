import assert from "node:assert/strict";
import { test } from "node:test";
import { serveGraphs } from "./graph/testing/graph-server.ts";
import { rootRoute } from "./root.ts";

test("GET / redirects to the dashboard, wherever it is hosted", async (t) => {
  const config = { dashboardUrl: new URL("https://dashboard.example/clew/") };
  const { app } = await serveGraphs(t, async (scope) => {
    for (const prefix of ["", "/clew"]) await scope.register(rootRoute, { config, prefix });
  });
  for (const url of ["/", "/clew", "/clew/"]) {
    const { statusCode, headers } = await app.inject({ method: "GET", url });
    assert.deepEqual([statusCode, headers.location], [302, "https://dashboard.example/clew/"], url);
    assert.equal(headers["cache-control"], "no-store");
  }
});
