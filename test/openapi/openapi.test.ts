import assert from "node:assert/strict";
import { test } from "node:test";
import { accountRoutes, documentation, graphOperations } from "@clew/contract";
import { Validator } from "@seriousme/openapi-schema-validator";
import { freePort } from "../support/clew-process.ts";
import { senderTo } from "../support/raw-request.ts";
import { startRunning } from "../support/running-clew.ts";
import { sharedDemo } from "../support/shared-demo.ts";
import { allowedMethods, collectRoutes, pathOf } from "../surface/routes.ts";
import { readDocument } from "./document.ts";

test("GRAPH-14: the OpenAPI document is open to all and valid", async () => {
  const url = await sharedDemo();
  const document = await readDocument(url);
  assert.equal(document.openapi, "3.1.1");
  assert.deepEqual(await new Validator().validate(structuredClone(document)), { valid: true });
});

test("GRAPH-14: each operation declares its credentials as the gate enforces them, and its refusals", async () => {
  const url = await sharedDemo();
  const { paths } = await readDocument(url);
  for (const { path, scopes } of Object.values(graphOperations)) {
    const written = path.replace(":id", "{id}");
    assert.deepEqual(paths[`/api/v1${written}`]?.get?.security, [{ serviceToken: scopes }]);
    assert.deepEqual(paths[`/api/provider-graph${written}`]?.get?.security, [{ session: [] }]);
  }
  for (const [path, operations] of Object.entries(paths)) {
    for (const operation of Object.values(operations)) assert.ok(operation.responses.default, path);
  }
  assert.equal(
    Object.keys(paths).some((path) => path.includes("stand-in") || path.includes("notion")),
    false,
  );
});

test("GRAPH-14: the contract's table of account routes agrees with the document", async () => {
  const url = await sharedDemo();
  const { paths } = await readDocument(url);
  for (const [route, { response }] of Object.entries(accountRoutes)) {
    const [method = "", path = ""] = route.toLowerCase().replace(":id", "{id}").split(" ");
    const responses: Readonly<Record<string, unknown>> = paths[path]?.[method]?.responses ?? {};
    const success = Object.entries(responses).find(([status]) => status.startsWith("2"));
    const written = JSON.stringify(success?.[1] ?? "missing");
    if (response === null) assert.equal(success?.[0], "204", route);
    else assert.ok(written.includes(`"#/components/schemas/${response.$id}"`), `${route}: ${written}`);
  }
});

test("GRAPH-14: every operation has an id of its own, after which clients name a function, and a summary", async (t) => {
  const PORT = String(await freePort());
  const clew = await startRunning({ env: { PORT, PUBLIC_URL: `http://localhost:${PORT}/below` } });
  t.after(() => clew.stop());
  const { paths } = await readDocument(clew.url);
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const ids = operations.map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, ids.length, "unique");
  for (const { operationId, summary } of operations) {
    assert.match(operationId, /^[a-z][A-Za-z]+$/, summary);
    assert.match(summary, /^[A-Z].*[^.]$/, operationId);
  }
  assert.deepEqual(
    ids.toSorted(),
    Object.values(documentation)
      .map(({ operationId }) => operationId)
      .toSorted(),
  );
});

/** Routes outside the API, each with the reason. */
const undocumented: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^\/$/, "redirects a browser to the dashboard"],
  [/^\/dashboard(\/|$)/, "serves the dashboard's page to browsers"],
  [/^\/docs\/api(\/|$)/, "is the document for people"],
  [/^\/docs(\/\*)?$/, "serves the documentation to browsers"],
  [/^\/llms\.txt$/, "leads language models to the document"],
  [/^\/healthz\/stream$/, "shows an operator whether a proxy holds event streams back"],
  [/^\/demo(\/|$)/, "serves the demo workspace's pages to browsers"],
  [/^\/oauth\//, "speaks OAuth, which its metadata describes"],
  [/^\/\.well-known\//, "is that metadata"],
  [/^\/api\/v1\/openapi\.json$/, "is the document itself"],
];

/** Routes that the router adds by itself: `HEAD` for each `GET`, `OPTIONS` on each path. */
const implied = ["HEAD", "OPTIONS"];

test("GRAPH-14: every route of the API is in the document, and the document names nothing else", async (t) => {
  const routes = collectRoutes();
  const clew = await startRunning({ onServer: routes.watch });
  t.after(() => clew.stop());
  const { paths } = await readDocument(clew.url);
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/(?<=.)\/$/, "")}`),
  );

  const served = new Set<string>();
  for (const pattern of routes.patterns()) {
    if (undocumented.some(([exception]) => exception.test(pattern))) continue;
    // Paths with the provider's own name are aliases of the documented routes with the word `provider` (SIGN-7).
    const canonical = pattern
      .replace(/^\/api\/integrations\/(auth\/)?(?:stand-in|notion)(?=\/|$)/, "/api/integrations/$1provider")
      .replace(/^\/api\/(?:stand-in|notion)-graph(?=\/|$)/, "/api/provider-graph")
      .replaceAll(/:(\w+)/g, "{$1}");
    for (const method of await allowedMethods(senderTo(clew.url), pathOf(pattern, "x", "x")))
      if (!implied.includes(method)) served.add(`${method} ${canonical}`);
  }
  assert.ok(served.has("GET /api/audit"), [...served].join(", "));
  assert.deepEqual([...served].toSorted(), documented.toSorted());
});
