import assert from "node:assert/strict";
import { test } from "node:test";
import { renderReference } from "./reference.ts";

const hostile = `<script>"x"</script> & 'y'`;

test("the reference escapes every text of the document", () => {
  const text = { description: hostile };
  const example = { summary: hostile, description: hostile, value: hostile };
  const response = {
    ...text,
    content: { [hostile]: { schema: { enum: [hostile] }, examples: { hostile: example } } },
  };
  const operation = {
    operationId: hostile,
    summary: hostile,
    description: hostile,
    tags: [hostile],
    security: [{ serviceToken: [hostile] }],
    parameters: [
      { name: hostile, in: "query", required: true, ...text, schema: { type: hostile, default: hostile } },
    ],
    requestBody: { content: { "application/json": response.content[hostile] } },
    responses: { "200": response, "400": { $ref: `#/components/responses/${hostile}` } },
  };
  const document = {
    info: { title: hostile, version: "1", description: hostile },
    tags: [{ name: hostile, description: hostile }],
    paths: { [hostile]: { get: operation } },
    components: {
      schemas: { [hostile]: { ...text, properties: { [hostile]: { $ref: `#/x/${hostile}`, ...text } } } },
      responses: { [hostile]: text },
      securitySchemes: { token: text },
    },
  };
  const page = renderReference(document, { style: "", base: "" });
  assert.ok(page.includes("&lt;script&gt;"));
  assert.doesNotMatch(page, /<script|"x"/);
});
