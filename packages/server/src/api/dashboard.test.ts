import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../config/config.ts";
import { dashboardRoutes } from "./dashboard.ts";
import { serveGraphs } from "./graph/testing/graph-server.ts";

test("a dashboard file is 304 for its entity tag, also for the weak form that a compressing proxy makes", async (t) => {
  const config = readConfig({});
  const { app } = await serveGraphs(t, (scope) => dashboardRoutes(scope, { config }));
  const get = (condition?: string) =>
    app.inject({
      method: "GET",
      url: "/dashboard",
      headers: { host: config.publicUrl.host, ...(condition && { "if-none-match": condition }) },
    });
  const { statusCode, headers } = await get();
  const tag = String(headers.etag);
  assert.equal(statusCode, 200);
  assert.match(tag, /^"[\w-]+"$/);
  for (const condition of [tag, `W/${tag}`, `"other", W/${tag}`, `${tag},"other"`, "*"]) {
    const { statusCode, body, headers } = await get(condition);
    assert.deepEqual([statusCode, body, headers.etag], [304, "", tag], condition);
  }
  for (const condition of ['"other"', 'W/"other"', `"x${tag.slice(1)}`])
    assert.equal((await get(condition)).statusCode, 200, condition);
});
