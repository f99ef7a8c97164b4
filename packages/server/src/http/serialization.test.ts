import assert from "node:assert/strict";
import { test } from "node:test";
import { type Named, Neighbors, Node, NodeDetail, Nodes, Paths, ref, SearchResults } from "@clew/contract";
import fc from "fast-check";
import { messages } from "./messages.ts";
import { serializerCompiler } from "./serialization.ts";
import { whenWritten } from "./written-body.ts";

const compile = serializerCompiler(messages);
const writerOf = (message: Named) => {
  const schema: object = ref(message);
  return compile({ schema, method: "GET", url: "/" });
};

const text = fc.string({ unit: "grapheme" });
const count = fc.nat();
const degree = fc.record({ in: count, out: count });
const facts = {
  id: fc.uuid(),
  workspace_id: fc.uuid(),
  type: fc.constantFrom("page", "database"),
  title: text,
  icon: fc.option(text),
  url: fc.option(fc.webUrl()),
  parent_id: fc.option(fc.uuid()),
  created_at: fc.constant("2026-01-02T03:04:05.006Z"),
  updated_at: fc.constant("2026-01-02T03:04:05.006Z"),
  degree,
};
const node = fc.record(facts);
const edge = fc.record({
  from: fc.uuid(),
  to: fc.uuid(),
  type: fc.constantFrom("child", "relation"),
  name: fc.option(text),
  count,
});
const edges = fc.array(edge);

/** Messages whose fields stand in the order of their schemas, so that plain JSON of them is what is to be answered. */
const answers: readonly (readonly [Named, fc.Arbitrary<object>])[] = [
  [Node, node],
  [
    NodeDetail,
    fc.record({
      ...facts,
      properties: fc.dictionary(fc.string({ minLength: 1 }), text, { noNullPrototype: true }),
      breadcrumb: fc.array(fc.record({ id: fc.uuid(), title: text })),
      edges_by_type: fc.record({ child: degree, mention: degree, link: degree, relation: degree }),
      unresolved: fc.array(
        fc.record({ type: fc.constant("link"), target_id: fc.uuid(), name: fc.option(text), count }),
      ),
      content_state: fc.constantFrom("ready", "empty"),
      truncated: fc.boolean(),
    }),
  ],
  [Nodes, fc.record({ items: fc.array(node), missing: fc.array(fc.uuid()) })],
  [
    SearchResults,
    fc.record({
      items: fc.array(
        fc.record({ node, score: fc.double({ min: 0, max: 1, noNaN: true }), match: fc.constant("exact") }),
      ),
      next_cursor: fc.option(text),
    }),
  ],
  [
    Neighbors,
    fc.record({
      node,
      items: fc.array(fc.record({ node, depth: count, edges })),
      next_cursor: fc.option(text),
      truncated: fc.boolean(),
      visited: count,
    }),
  ],
  [
    Paths,
    fc.record({
      status: fc.constant("found"),
      complete: fc.boolean(),
      paths: fc.array(fc.record({ length: count, nodes: fc.array(node), edges })),
      searched: fc.record({ max_depth: count, visited: count }),
    }),
  ],
];

for (const [message, arbitrary] of answers) {
  test(`ERR-6: an answer of type ${message.$id} is put together to what it is as a whole, again and again`, () => {
    const write = writerOf(message);
    fc.assert(
      fc.property(arbitrary, (value) => {
        const whole = JSON.stringify(value);
        for (let round = 0; round < 4; round += 1) {
          if (round === 1) whenWritten(value as object, () => true);
          assert.equal(Buffer.from(write(value)).toString(), whole);
        }
      }),
    );
  });
}

test("ERR-6: what a schema does not declare is not answered, in parts that are written once as well", () => {
  const id = "9a4beed0-598c-87bb-8c0b-fe76636500e3";
  const inside = { inside: "never told" };
  const written = String(writerOf(Nodes)({ items: [{ id, ...blank, ...inside }], missing: [id], ...inside }));
  assert.equal(written, JSON.stringify({ items: [{ id, ...blank }], missing: [id] }));
});

const blank = {
  workspace_id: "w",
  type: "page",
  title: "木星",
  icon: null,
  url: null,
  parent_id: null,
  created_at: "2026-01-02T03:04:05.006Z",
  updated_at: "2026-01-02T03:04:05.006Z",
  degree: { in: 0, out: 0 },
};
