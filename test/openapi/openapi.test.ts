import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { graphOperations } from "../../packages/contract/src/index.ts";
import { startRunning } from "../support/running-clew.ts";

interface Operation {
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly [field: string]: unknown;
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

async function readDocument(url: URL): Promise<Document> {
  const response = await fetch(new URL("api/v1/openapi.json", url));
  assert.equal(response.status, 200);
  return JSON.parse(await response.text());
}

test("GRAPH-14: the OpenAPI document is open to all and valid", async (t) => {
  const clew = await startRunning();
  t.after(() => clew.stop());
  const document = await readDocument(clew.url);
  assert.equal(document.openapi, "3.1.1");
  assert.deepEqual(await new Validator().validate(structuredClone(document)), { valid: true });
});

test("GRAPH-14: each operation says what opens it, as the gate enforces it, and how it is refused", async (t) => {
  const clew = await startRunning();
  t.after(() => clew.stop());
  const { paths } = await readDocument(clew.url);
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
