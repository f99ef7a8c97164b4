import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import type { Document } from "./document.ts";

const path = join(import.meta.dirname, "../../docs/openapi.json");

/** Rules that are off, each with the reason. */
const off = {
  // Resources end in a slash; both forms are answered (ERR-5).
  "no-path-trailing-slash": "off",
  // It is about the API, not about the program's licence.
  "info-license": "off",
} as const;

/** Places where a rule does not apply, each with the reason. */
const exceptions: readonly (readonly [rule: string, place: RegExp, reason: string])[] = [
  [
    "operation-4xx-response",
    /^#\/paths\/~1api~1integrations~1auth~1provider~1(?:callback)?\/get/,
    "errors of a sign-in are redirects",
  ],
  [
    "no-invalid-media-type-examples",
    /^#\/paths\/~1api~1v1~1export~1\/get\/responses\/200\/content\/application~1jsonl\//,
    "the schema is that of a line, and the example has several",
  ],
];

async function lint(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"], rules: off });
  const problems = await lintFromString({ source, absoluteRef: path, config });
  return problems
    .map(({ ruleId, message, location }) => ({ ruleId, message, place: location[0]?.pointer ?? "" }))
    .filter(({ ruleId, place }) => !exceptions.some(([rule, where]) => rule === ruleId && where.test(place)))
    .map(({ ruleId, message, place }) => `${ruleId}: ${message} (${place})`);
}

test("GRAPH-14: the linter finds nothing in docs/openapi.json", async () => {
  assert.deepEqual(await lint(await readFile(path, "utf8")), []);
});

test("the linter finds planted violations", async () => {
  const document: Document = JSON.parse(await readFile(path, "utf8"));
  const operation = document.paths["/api/v1/search/"]?.get;
  assert.ok(operation);
  Object.assign(operation, { operationId: "getPage", summary: undefined });
  Object.assign(operation.responses, { "400": { $ref: "#/components/responses/Nowhere" } });
  const found = (await lint(JSON.stringify(document))).map((line) => line.split(":")[0]);
  assert.deepEqual([...new Set(found)].toSorted(), [
    "no-unresolved-refs",
    "operation-operationId-unique",
    "operation-summary",
  ]);
});
