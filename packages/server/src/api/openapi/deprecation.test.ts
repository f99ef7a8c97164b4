import assert from "node:assert/strict";
import { test } from "node:test";
import type { Documentation } from "@clew/contract";
import { pino } from "pino";
import { createServer } from "../../http/server.ts";
import { registerDeprecations } from "./deprecation.ts";
import { documentationAt, registerOpenApi } from "./document.ts";

const table: Readonly<Record<string, Documentation>> = {
  "GET /api/v1/old/:id/": {
    operationId: "getOld",
    summary: "Get what is old",
    deprecation: { since: "2027-01-31", sunset: "2027-07-31" },
  },
  "GET /api/v1/older/": {
    operationId: "getOlder",
    summary: "Get older",
    deprecation: { since: "2027-01-31" },
  },
  "GET /api/v1/new/": { operationId: "getNew", summary: "Get what is new" },
};

async function serve() {
  const origin = "https://clew.example";
  const app = createServer({
    log: pino({ level: "silent" }),
    publicOrigin: origin,
    dashboardOrigin: origin,
  });
  const at = documentationAt(table, { basePath: "/below", aliases: ["notion"] });
  registerDeprecations(app, at);
  await registerOpenApi(app, "/below", at);
  for (const path of ["old/:id/", "older/", "new/"])
    app.get(`/below/api/v1/${path}`, { schema: { response: { 200: { type: "object" } } } }, async () => ({}));
  app.get("/below/api/v1/broken/", async () => {
    throw new Error("broken");
  });
  await app.ready();
  return app;
}

test("a deprecated operation says since when and until when in each response", async () => {
  const app = await serve();
  const { headers } = await app.inject("/below/api/v1/old/1/");
  assert.deepEqual([headers.deprecation, headers.sunset], ["@1801353600", "Sat, 31 Jul 2027 00:00:00 GMT"]);
  const head = await app.inject({ method: "HEAD", url: "/below/api/v1/old/1" });
  assert.equal(head.headers.deprecation, "@1801353600");
  const older = await app.inject("/below/api/v1/older/");
  assert.deepEqual([older.headers.deprecation, older.headers.sunset], ["@1801353600", undefined]);
  const current = await app.inject("/below/api/v1/new/");
  assert.deepEqual([current.headers.deprecation, current.headers.sunset], [undefined, undefined]);
  await app.close();
});

test("the document marks it as deprecated, and names the headers", async () => {
  const app = await serve();
  const { paths = {} } = app.swagger();
  const summary = Object.entries(paths).map(([path, { get }]) => {
    const { deprecated = false, responses } = Object(get);
    return [path, deprecated, Object.keys(responses["200"].headers).slice(3)];
  });
  assert.deepEqual(summary, [
    ["/api/v1/old/{id}/", true, ["Deprecation", "Sunset"]],
    ["/api/v1/older/", true, ["Deprecation"]],
    ["/api/v1/new/", false, []],
  ]);
  await app.close();
});
