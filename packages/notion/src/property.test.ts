import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { propertyOfItems, propertyValue } from "./property.ts";
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
  [{ type: "url", url: "javascript:alert(1)" }, "javascript:alert(1)"],
  [{ type: "url", url: "http://intranet.example" }, "http://intranet.example"],
  [{ type: "url", url: "https://john.doe.com" }, "https://john.doe.com"],
  [{ type: "url", url: "example.com/x" }, "example.com/x"],
  [{ type: "url", url: "https://someone@example.org/" }, "https://someone@example.org/"],
  [{ type: "url", url: "https://x.y/a.pdf?X-Amz-Signature=1" }, "attachment:a.pdf"],
  [{ type: "url", url: null }, null],
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
  [{ type: "place", place: { name: null, address: "1 Main St", lat: 1, lon: 2 } }, "1 Main St"],
  [{ type: "place", place: { lat: 52.5, lon: 13.4 } }, "52.5, 13.4"],
  [{ type: "button", button: {} }, null],
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

for (const property of [
  {},
  { type: 7 },
  { type: "number" },
  { type: "number", number: "1" },
  { type: "checkbox", checkbox: null },
  { type: "checkbox", checkbox: "true" },
  { type: "title", title: null },
  { type: "rich_text", rich_text: [{ type: "text" }] },
  { type: "url", url: [] },
  { type: "email", email: 1 },
  { type: "select", select: "High" },
  { type: "select", select: {} },
  { type: "multi_select", multi_select: null },
  { type: "multi_select", multi_select: [{}] },
  { type: "date", date: { end: null } },
  { type: "people", people: [{ object: "user" }] },
  { type: "files", files: null },
  { type: "relation", relation: null },
  { type: "relation", relation: [{}] },
  { type: "relation", relation: [{ id: "x" }] },
  { type: "formula", formula: null },
  { type: "formula", formula: { type: "number" } },
  { type: "formula", formula: { type: "number", number: "1" } },
  { type: "rollup", rollup: { type: "array", array: null } },
  { type: "rollup", rollup: { type: "array", array: [{}] } },
])
  test(`SYNC-5: an unreadable property is not taken for empty: ${JSON.stringify(property)}`, () =>
    assert.throws(() => propertyValue(property), { code: "malformed" }));

for (const [property, type] of [
  [{ type: "a_type_to_come", a_type_to_come: { x: 1 } }, "a_type_to_come"],
  [{ type: "constructor" }, "constructor"],
  [{ type: "formula", formula: { type: "person", person: {} } }, "formula.person"],
  [{ type: "rollup", rollup: { type: "unsupported", unsupported: {} } }, "rollup.unsupported"],
  [{ type: "rollup", rollup: { type: "array", array: [{ type: "new", new: 1 }] } }, "new"],
] as const)
  test(`SYNC-5: an unknown type of property is reported: ${type}`, () =>
    assert.throws(() => propertyValue(property), { name: "UnsupportedTypeError", type }));

test("SYNC-13: a number out of range is unreadable", () => {
  const property = JSON.parse('{"type": "number", "number": 1e400}');
  assert.throws(() => propertyValue(property), { code: "malformed" });
});

/** A number within `count` rollups. */
function rollups(count: number): unknown {
  let property: unknown = { type: "number", number: 7 };
  for (let depth = 0; depth < count; depth += 1)
    property = { type: "rollup", rollup: { type: "array", array: [property] } };
  return property;
}

test("SYNC-13: a property that is nested too deep is unreadable", () => {
  assert.deepEqual(propertyValue(rollups(3)), [[[7]]]);
  for (const count of [100, 20_000, 200_000])
    assert.throws(() => propertyValue(rollups(count)), { code: "malformed" });
});

test("SYNC-5: any property either has a JSON value or is unreadable", () => {
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
  const attempt = (property: unknown) => {
    try {
      JSON.stringify(propertyValue(property));
    } catch (error) {
      assert.match(String(error), /^(UnreadableError|UnsupportedTypeError)/);
    }
  };
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.jsonValue(), fc.jsonValue(), (type, value, inner) => {
      attempt({ type, [type]: value });
      attempt({ type, [type]: [{ type: inner, array: [inner], id: inner, name: inner }] });
    }),
  );
});

const item = (type: string, value: unknown) => ({ object: "property_item", type, [type]: value });
const whole = (type: string, value: unknown = {}) => ({ property_item: { id: "p", type, [type]: value } });
const relations = [item("relation", { id: someId(1) }), item("relation", { id: someId(2) })];
const texts = [item("rich_text", { plain_text: "a" }), item("rich_text", { plain_text: "b" })];
const listsOfValues = [
  item("title", richText("a")[0]),
  item("relation", { id: someId(1) }),
  item("people", person),
  item("multi_select", [{ name: "b" }]),
];

for (const [what, last, items, expected] of [
  ["a relation", whole("relation"), relations, [someId(1), someId(2)]],
  ["a text", whole("rich_text"), texts, "ab"],
  ["people", whole("people"), [item("people", person)], ["A reader"]],
  ["a rollup", whole("rollup", { type: "array" }), [item("number", 1), item("number", 2)], [1, 2]],
  [
    "a rollup of lists",
    whole("rollup", { type: "array" }),
    listsOfValues,
    ["a", [someId(1)], ["A reader"], ["b"]],
  ],
  ["a sum", whole("rollup", { type: "number", number: 3 }), [item("number", 1)], 3],
  ["nothing", whole("relation"), [], []],
] as const)
  test(`GRAPH-4: a property is assembled from its items: ${what}`, () =>
    assert.deepEqual(propertyValue(propertyOfItems(last, items)), expected));

for (const [what, last, items] of [
  ["no property item", {}, relations],
  ["a null property item", { property_item: null }, relations],
  ["a property item without a type", { property_item: {} }, relations],
  ["an unknown type", whole("hologram"), []],
  ["items of another type", whole("relation"), texts],
  ["items without their fields", whole("relation"), [{}]],
  ["a rollup without a type", whole("rollup", {}), []],
] as const)
  test(`SYNC-5: items of a property are unreadable with ${what}`, () =>
    assert.throws(() => propertyOfItems(last, items), { code: "malformed" }));
