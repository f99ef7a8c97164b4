import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { propertyOfItems } from "./property-item.ts";
import { propertyValue } from "./property-value.ts";
import { richText, someId } from "./testing/api-objects.ts";

const person = {
  object: "user",
  id: someId(9),
  name: "A reader",
  type: "person",
  person: { email: "a@b.c" },
};

for (const [property, expected] of [
  [{ type: "title", title: [...richText("A "), ...richText("title")] }, "A title"],
  [{ type: "rich_text", rich_text: [] }, ""],
  [{ type: "number", number: 1.5 }, 1.5],
  [{ type: "number", number: null }, null],
  [{ type: "checkbox", checkbox: true }, true],
  [{ type: "checkbox", checkbox: false }, false],
  [{ type: "url", url: "https://example.org/" }, "https://example.org/"],
  [{ type: "url", url: "javascript:alert(1)" }, null],
  [{ type: "email", email: "a@b.c" }, "a@b.c"],
  [{ type: "phone_number", phone_number: "+49 30" }, "+49 30"],
  [{ type: "select", select: { id: "1", name: "High", color: "red" } }, "High"],
  [{ type: "select", select: null }, null],
  [{ type: "status", status: { id: "1", name: "Done" } }, "Done"],
  [{ type: "multi_select", multi_select: [{ name: "a" }, { name: "b" }] }, ["a", "b"]],
  [
    { type: "date", date: { start: "2026-01-02", end: null, time_zone: null } },
    { start: "2026-01-02", end: null },
  ],
  [{ type: "date", date: null }, null],
  [{ type: "people", people: [person, { object: "user", id: someId(8) }] }, ["A reader", someId(8)]],
  [{ type: "created_by", created_by: person }, "A reader"],
  [{ type: "last_edited_by", last_edited_by: { object: "user", id: someId(8) } }, someId(8)],
  [{ type: "created_time", created_time: "2026-01-02T03:04:00.000Z" }, "2026-01-02T03:04:00.000Z"],
  [
    {
      type: "files",
      files: [{ name: "a.pdf", type: "file", file: { url: "https://x.y/?X-Amz-Signature=1" } }],
    },
    ["a.pdf"],
  ],
  [
    { type: "files", files: [{ name: "https://x.y/a.pdf?X-Amz-Signature=1", type: "external" }] },
    ["attachment:a.pdf"],
  ],
  [
    { type: "relation", relation: [{ id: someId(1) }, { id: someId(2) }], has_more: false },
    [someId(1), someId(2)],
  ],
  [{ type: "unique_id", unique_id: { prefix: "TASK", number: 7 } }, "TASK-7"],
  [{ type: "unique_id", unique_id: { prefix: null, number: 7 } }, "7"],
  [{ type: "verification", verification: { state: "verified" } }, "verified"],
  [{ type: "place", place: { name: "Here", lat: 1, lon: 2 } }, "Here"],
  [{ type: "button", button: {} }, null],
  [{ type: "a_type_to_come", a_type_to_come: { x: 1 } }, null],
  [{ type: "constructor" }, null],
  [{ type: "formula", formula: { type: "string", string: "x" } }, "x"],
  [{ type: "formula", formula: { type: "number", number: 2 } }, 2],
  [{ type: "formula", formula: { type: "boolean", boolean: false } }, false],
  [
    { type: "formula", formula: { type: "date", date: { start: "2026-01-02", end: null } } },
    { start: "2026-01-02", end: null },
  ],
  [{ type: "rollup", rollup: { type: "number", number: 3, function: "count" } }, 3],
  [
    {
      type: "rollup",
      rollup: {
        type: "array",
        array: [
          { type: "title", title: richText("a") },
          { type: "number", number: 1 },
        ],
      },
    },
    ["a", 1],
  ],
  [{ type: "rollup", rollup: { type: "incomplete" } }, null],
] as const) {
  test(`GRAPH-4: a property is plain JSON: ${JSON.stringify(property).slice(0, 70)}`, () =>
    assert.deepEqual(propertyValue(property), expected));
}

test("SYNC-5: whatever shape a property has, it has a value that JSON can hold", () => {
  const types = [
    "title",
    "people",
    "date",
    "relation",
    "rollup",
    "formula",
    "unique_id",
    "files",
    "url",
    "number",
  ];
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.jsonValue(), fc.jsonValue(), (type, value, inner) => {
      assert.doesNotThrow(() => JSON.stringify(propertyValue({ type, [type]: value })));
      const nested = { type, [type]: [{ type: inner, array: [inner], id: inner, name: inner }] };
      assert.doesNotThrow(() => JSON.stringify(propertyValue(nested)));
    }),
  );
});

test("GRAPH-4: a property that came in pieces is put together", () => {
  const item = (type: string, value: unknown) => ({ object: "property_item", type, [type]: value });
  const piece = (type: string, results: readonly unknown[], whole: unknown = {}) => ({
    object: "list",
    type: "property_item",
    results,
    property_item: { id: "p", type, [type]: whole },
  });
  const relation = [
    piece("relation", [item("relation", { id: someId(1) })]),
    piece("relation", [item("relation", { id: someId(2) })]),
  ];
  assert.deepEqual(propertyValue(propertyOfItems(relation)), [someId(1), someId(2)]);
  const text = [
    piece("rich_text", [item("rich_text", { plain_text: "a" }), item("rich_text", { plain_text: "b" })]),
  ];
  assert.equal(propertyValue(propertyOfItems(text)), "ab");
  const people = [piece("people", [item("people", person)])];
  assert.deepEqual(propertyValue(propertyOfItems(people)), ["A reader"]);
  const list = [piece("rollup", [item("number", 1), item("number", 2)], { type: "array", array: [] })];
  assert.deepEqual(propertyValue(propertyOfItems(list)), [1, 2]);
  const lists = [
    item("title", richText("a")[0]),
    item("relation", { id: someId(1) }),
    item("people", person),
    item("multi_select", [{ name: "b" }]),
  ];
  const rolledUp = propertyOfItems([piece("rollup", lists, { type: "array", array: [] })]);
  assert.deepEqual(propertyValue(rolledUp), ["a", [someId(1)], ["A reader"], ["b"]]);
  const sum = [
    piece("rollup", [item("number", 1)], { type: "incomplete" }),
    piece("rollup", [], { type: "number", number: 3 }),
  ];
  assert.equal(propertyValue(propertyOfItems(sum)), 3);
  assert.equal(propertyValue(propertyOfItems([item("number", 5)])), 5);
  assert.equal(propertyValue(propertyOfItems([])), null);
});
