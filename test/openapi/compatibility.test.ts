import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { breakingChanges } from "./compatibility.ts";
import type { Document } from "./document.ts";

const docs = join(import.meta.dirname, "../../docs");
const read = async (name: string): Promise<Document> => JSON.parse(await readFile(join(docs, name), "utf8"));

test("docs/openapi.json keeps what the last release promised", async () => {
  const changes = breakingChanges(await read("openapi-released.json"), await read("openapi.json"));
  assert.deepEqual(changes, [], "this breaks clients: docs/versioning.md says what to do");
});

const problem = (...codes: string[]) => ({
  description: codes.join(),
  content: {
    "application/problem+json": {
      schema: {
        allOf: [{ $ref: "#/components/schemas/Problem" }, { properties: { code: { enum: codes } } }],
      },
    },
  },
});

/** A small document with everything that can be compared. */
const released = {
  openapi: "3.1.1",
  paths: {
    "/pages/": {
      get: {
        operationId: "listPages",
        summary: "List pages",
        security: [{ serviceToken: ["graph:read"] }],
        parameters: [
          { name: "q", in: "query", required: true, schema: { type: "string", maxLength: 200 } },
          {
            name: "type",
            in: "query",
            required: false,
            schema: { type: "string", enum: ["page", "database"] },
          },
          {
            name: "limit",
            in: "query",
            required: false,
            schema: { type: "integer", maximum: 50, default: 20 },
          },
          { name: "is", in: "query", required: false, schema: { type: "string", pattern: "^(?:a|b)$" } },
        ],
        responses: {
          "200": {
            description: "Pages",
            headers: { Link: {} },
            content: { "application/json": { schema: { $ref: "#/components/schemas/Pages" } } },
          },
          "400": problem("invalid_request", "invalid_cursor"),
          "410": { $ref: "#/components/responses/CursorExpired" },
        },
      },
      post: {
        operationId: "createPage",
        summary: "Create a page",
        security: [{ session: [] }],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Creation" } } },
        },
        responses: { "204": { description: "Done" } },
      },
    },
  },
  components: {
    schemas: {
      Pages: {
        type: "object",
        required: ["items"],
        properties: { items: { type: "array", items: { $ref: "#/components/schemas/Page" } } },
      },
      Page: {
        type: "object",
        required: ["id", "kind", "parent"],
        properties: {
          id: { type: "string" },
          kind: { type: "string", enum: ["page", "database"] },
          // Refers to itself.
          parent: { anyOf: [{ $ref: "#/components/schemas/Page" }, { type: "null" }] },
        },
      },
      Creation: { type: "object", required: ["title"], properties: { title: { type: "string" } } },
      Problem: { type: "object", properties: { code: { type: "string" } } },
    },
    responses: { CursorExpired: problem("cursor_expired") },
  },
};

type Draft = typeof released;
const document = (draft: unknown) => draft as Document;

/** Changes that break clients, each with what is said of it. */
const violations: readonly (readonly [said: RegExp, change: (draft: Draft) => unknown])[] = [
  [/^GET \/pages\/ was removed/, ({ paths }) => Reflect.deleteProperty(paths["/pages/"], "get")],
  [
    /its id listPages was changed/,
    ({ paths }) => Object.assign(paths["/pages/"].get, { operationId: "pages" }),
  ],
  [
    /demands the scope graph:search/,
    ({ paths }) => paths["/pages/"].get.security[0]?.serviceToken.push("graph:search"),
  ],
  [/other credentials/, ({ paths }) => Object.assign(paths["/pages/"].get, { security: [{ session: [] }] })],
  [/parameter is was removed/, ({ paths }) => paths["/pages/"].get.parameters.pop()],
  [
    /parameter type became required/,
    ({ paths }) => Object.assign(paths["/pages/"].get.parameters[1] ?? {}, { required: true }),
  ],
  [
    /required parameter new was added/,
    ({ paths }) =>
      paths["/pages/"].get.parameters.push({
        name: "new",
        in: "query",
        required: true,
        schema: { type: "string", maxLength: 1 },
      }),
  ],
  [
    /parameter q has a narrower maxLength/,
    ({ paths }) => Object.assign(paths["/pages/"].get.parameters[0]?.schema ?? {}, { maxLength: 100 }),
  ],
  [
    /parameter q has a narrower minLength/,
    ({ paths }) => Object.assign(paths["/pages/"].get.parameters[0]?.schema ?? {}, { minLength: 2 }),
  ],
  [
    /parameter q has another pattern/,
    ({ paths }) => Object.assign(paths["/pages/"].get.parameters[0]?.schema ?? {}, { pattern: "^a" }),
  ],
  [
    /parameter is has another pattern/,
    ({ paths }) => Object.assign(paths["/pages/"].get.parameters[3]?.schema ?? {}, { pattern: "^(?:a|c)$" }),
  ],
  [
    /parameter type lost the value database/,
    ({ paths }) => Object.assign(paths["/pages/"].get.parameters[1]?.schema ?? {}, { enum: ["page"] }),
  ],
  [
    /parameter q takes only some values/,
    ({ paths }) => Object.assign(paths["/pages/"].get.parameters[0]?.schema ?? {}, { enum: ["a"] }),
  ],
  [
    /parameter limit has another default/,
    ({ paths }) => Object.assign(paths["/pages/"].get.parameters[2]?.schema ?? {}, { default: 10 }),
  ],
  [
    /parameter limit changed from integer to string/,
    ({ paths }) => Object.assign(paths["/pages/"].get.parameters[2]?.schema ?? {}, { type: "string" }),
  ],
  [
    /the response 410 was removed/,
    ({ paths }) => Reflect.deleteProperty(paths["/pages/"].get.responses, "410"),
  ],
  [
    /400: the body.code lost the value invalid_cursor/,
    ({ paths }) => Object.assign(paths["/pages/"].get.responses, { "400": problem("invalid_request") }),
  ],
  [
    /410: the body.code lost the value cursor_expired/,
    ({ components }) => Object.assign(components.responses, { CursorExpired: problem("conflict") }),
  ],
  [
    /200: the header Link was removed/,
    ({ paths }) => Reflect.deleteProperty(paths["/pages/"].get.responses["200"].headers, "Link"),
  ],
  [
    /application\/json was removed/,
    ({ paths }) => Object.assign(paths["/pages/"].get.responses["200"], { content: {} }),
  ],
  [
    /the body.items\[\].id was removed/,
    ({ components }) => Reflect.deleteProperty(components.schemas.Page.properties, "id"),
  ],
  [
    /the body.items\[\].id changed from string to integer/,
    ({ components }) => Object.assign(components.schemas.Page.properties.id, { type: "integer" }),
  ],
  [
    /the body.items\[\].id changed from string to string\|null/,
    ({ components }) => Object.assign(components.schemas.Page.properties.id, { type: ["string", "null"] }),
  ],
  [
    /the body.items\[\].kind lost the value database/,
    ({ components }) => components.schemas.Page.properties.kind.enum.pop(),
  ],
  [/the body.items\[\].id became optional/, ({ components }) => components.schemas.Page.required.shift()],
  [
    /the body.items\[\].parent has other alternatives/,
    ({ components }) => components.schemas.Page.properties.parent.anyOf.pop(),
  ],
  [
    /the body.title was removed/,
    ({ components }) => Reflect.deleteProperty(components.schemas.Creation.properties, "title"),
  ],
  [/the body.size became required/, ({ components }) => components.schemas.Creation.required.push("size")],
  [/its body was removed/, ({ paths }) => Reflect.deleteProperty(paths["/pages/"].post, "requestBody")],
];

for (const [said, change] of violations) {
  test(`the check finds a planted violation: ${said.source}`, () => {
    const changed = structuredClone(released);
    change(changed);
    const found = breakingChanges(document(released), document(changed));
    assert.ok(found.length > 0 && found.some((each) => said.test(each)), found.join("\n"));
  });
}

test("what docs/versioning.md allows breaks no client", () => {
  const grown = structuredClone(released);
  const { get } = grown.paths["/pages/"];
  Object.assign(grown.paths, { "/new/": structuredClone(released.paths["/pages/"]) });
  get.parameters.push({
    name: "new",
    in: "query",
    required: false,
    schema: { type: "string", maxLength: 1 },
  });
  Object.assign(get.parameters[0] ?? {}, { required: false });
  Object.assign(get.parameters[2]?.schema ?? {}, { maximum: 100 });
  get.parameters[1]?.schema.enum?.push("other");
  Object.assign(get.parameters[3]?.schema ?? {}, { pattern: "^(?:a|new|b)$" });
  Object.assign(get.responses, {
    "400": problem("invalid_request", "invalid_cursor", "new_code"),
    "418": problem("x"),
  });
  Object.assign(grown.components.schemas.Page.properties, { added: { type: "string" } });
  grown.components.schemas.Page.properties.kind.enum.push("other");
  assert.deepEqual(breakingChanges(document(released), document(grown)), []);
});
