import assert from "node:assert/strict";
import { test } from "node:test";
import { Reference } from "./pages.ts";

const frame = "<title><!--title--></title><nav><!--list--></nav><main><!--content--></main>";
const hostile = `<script>"x"</script> & 'y' $& $'`;

/** A document all of whose texts are this one, and of whose operations one is read by two audiences. */
function documentOf(text: string) {
  const words = { description: text };
  const response = { ...words, content: { "application/json": { schema: { enum: [text] } } } };
  const operation = {
    operationId: "readIt",
    summary: text,
    description: text,
    tags: [text],
    security: [{ serviceToken: [text] }],
    parameters: [
      { name: text, in: "query", required: true, ...words, schema: { type: text, default: text } },
      { name: "many", in: "query", required: false, schema: { type: "array" } },
    ],
    requestBody: { content: { "application/json": { schema: { $ref: "#/x/Message" } } } },
    responses: { "200": response, "400": { $ref: "#/components/responses/Refused" } },
  };
  const inSession = { ...operation, operationId: "readItInSession", security: [{ session: [] }] };
  return {
    info: { title: text, version: "1", description: text },
    tags: [{ name: text, description: text }],
    paths: { [`/api/v1/${text}`]: { get: operation }, "/api/provider-graph/": { get: inSession } },
    components: {
      schemas: { Message: { ...words, properties: { [text]: { $ref: "#/x/Message", ...words } } } },
      responses: { Refused: { ...words, content: { "application/problem+json": {} } } },
      securitySchemes: { token: words },
    },
  };
}

const referenceOf = (text: string) =>
  new Reference(documentOf(text), {
    url: "http://localhost:8420",
    frame,
    examples: {
      readIt: [
        {
          title: text,
          parameters: { [text]: text, many: [text, text] },
          body: { [text]: text },
          tool: { name: "search_pages", arguments: { query: text } },
          command: text,
          response: { [text]: text },
        },
        { title: text, parameters: {}, accept: text, response: text },
      ],
    },
  });

test("the reference escapes every text of the document and of the examples", () => {
  const reference = referenceOf(hostile);
  for (const page of [reference.overview(), reference.operation("readIt"), reference.message("Message")]) {
    assert.ok(page !== null);
    assert.ok(page.includes("&lt;script&gt;"));
    assert.ok(page.includes("$&amp; $'"), "a replacement took a text for its pattern");
    assert.doesNotMatch(page, /<script|"x"/);
  }
});

test("an operation of two audiences is one page with both ways, and what does not exist has none", () => {
  const reference = referenceOf("x");
  const page = reference.operation("readIt") ?? "";
  assert.match(page, /<h1 tabindex="-1">Read it<\/h1>/);
  assert.match(page, /\/api\/v1\/x<\/code>[\s\S]*id="session"[\s\S]*\/api\/provider-graph\/<\/code>/);
  assert.match(page, /<a href="api\/readIt" aria-current="page">/);
  assert.equal(reference.operation("readItInSession"), null);
  for (const name of ["", "constructor", "toString"]) assert.equal(reference.message(name), null);
  assert.equal(reference.operation("constructor"), null);
});

test("a form runs a request alone that changes nothing and ends", () => {
  const runnable = documentOf("x");
  const formOf = (change: (operation: { responses: object }) => object, method = "get") => {
    const { get } = runnable.paths["/api/v1/x"] as { get: { responses: object } };
    const paths = { "/api/v1/x": { [method]: change(get) } };
    const reference = new Reference({ ...runnable, paths }, { url: "", frame, examples: {} });
    return reference.operation("readIt")?.includes("<form") ?? false;
  };
  assert.equal(
    formOf((operation) => operation),
    true,
  );
  for (const method of ["post", "delete", "put", "patch"])
    assert.equal(
      formOf((operation) => operation, method),
      false,
      method,
    );
  const events = { "200": { content: { "text/event-stream": {} } } };
  assert.equal(
    formOf((operation) => ({ ...operation, responses: events })),
    false,
  );
  assert.equal(
    formOf((operation) => ({ ...operation, responses: { "302": {} } })),
    false,
  );
});
