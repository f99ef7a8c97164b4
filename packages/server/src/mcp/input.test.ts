import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ApiError } from "../model/api-error.ts";
import { meaningOf } from "./argument-names.ts";
import { readInput } from "./input.ts";

const schema = {
  properties: {
    query: { type: "string" },
    direction: { type: "string", enum: ["in", "out", "both"] },
    kinds: { type: "array", items: { type: "string", enum: ["link", "mention", "relation"] } },
    page: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 5 },
    limit: { type: "integer", minimum: 1, maximum: 100 },
    excerpts: { type: "boolean" },
    is: { type: "array", items: { type: "string", pattern: "^-?(orphan|dead_end|row)$" } },
    skip: { type: "integer", minimum: 0, maximum: 2000 },
    near: { type: "string" },
    sort: { type: "string", enum: ["updated", "title"] },
    order: { type: "string", enum: ["asc", "desc"] },
    where: { type: "array", items: { type: "string" } },
  },
  required: ["query"],
};

const query = "star";
const read = (input: unknown) => readInput(schema, input).values;

test("AGT-3: arguments are taken as agents send them", () => {
  const cases: [sent: unknown, taken: object][] = [
    [
      { query, limit: "2" },
      { query, limit: 2 },
    ],
    [
      { query, limit: " 2.0 " },
      { query, limit: 2 },
    ],
    [{ query, limit: null, direction: null, kinds: null, page: null }, { query }],
    [{ query, direction: "", limit: "" }, { query }],
    [
      { query, direction: "IN" },
      { query, direction: "in" },
    ],
    [
      { query, near: ["A"] },
      { query, near: "A" },
    ],
    [
      { query, direction: ["in"] },
      { query, direction: "in" },
    ],
    [
      { query, kinds: "link, mention" },
      { query, kinds: ["link", "mention"] },
    ],
    [
      { query, kinds: "link" },
      { query, kinds: ["link"] },
    ],
    [
      { query, kinds: ["link", "mention"] },
      { query, kinds: ["link", "mention"] },
    ],
    [
      { query, kinds: '["link","mention"]' },
      { query, kinds: ["link", "mention"] },
    ],
    [
      { query, kinds: ["link", null, ""] },
      { query, kinds: ["link"] },
    ],
    [
      { query, kinds: [] },
      { query, kinds: [] },
    ],
    [
      { query, page: "A, B" },
      { query, page: ["A, B"] },
    ],
    [
      { query, page: ["A, B", "C"] },
      { query, page: ["A, B", "C"] },
    ],
    [
      { query, excerpts: "True" },
      { query, excerpts: true },
    ],
    [
      { query, excerpts: "false" },
      { query, excerpts: false },
    ],
    [{ query: 1984 }, { query: "1984" }],
    [{ query: "  star " }, { query }],
    [
      { query, kinds: "Links, mentions" },
      { query, kinds: ["link", "mention"] },
    ],
    [
      { query, is: ["orphans", "-dead ends", "-row"] },
      { query, is: ["orphan", "-dead_end", "-row"] },
    ],
    [
      { query, is: ["not orphans", "!row"] },
      { query, is: ["-orphan", "-row"] },
    ],
    [JSON.stringify({ query }), { query }],
    [
      { query, kinds: "links and mentions" },
      { query, kinds: ["link", "mention"] },
    ],
    [
      { query, kinds: "all", is: ["any"], direction: "All", sort: "any" },
      { query, kinds: [], is: [], direction: "both" },
    ],
  ];
  for (const [sent, taken] of cases) assert.deepEqual(read(sent), taken, JSON.stringify(sent));
});

test("AGT-4: what cannot be taken is named, with what is allowed", () => {
  const cases: [sent: unknown, path: string, message: RegExp][] = [
    [{}, "query", /^is missing$/],
    [null, "query", /^is missing$/],
    ["", "query", /^is missing$/],
    [{ query: null }, "query", /^is missing$/],
    [{ query: { text: "star" } }, "query", /^must be text$/],
    [{ query, direction: "sideways" }, "direction", /^must be one of in, out, both$/],
    [{ query, kinds: "link,likes" }, "kinds", /^must be one of link, mention, relation$/],
    [
      { query, is: "lonely" },
      "is",
      /^must be one of orphan, dead_end, row, or one of them with - before it$/,
    ],
    [{ query, direction: true }, "direction", /^must be one of in, out, both$/],
    [{ query, order: "link", kinds: "link" }, "order", /^must be one of asc, desc$/],
    [{ query, near: ["A", "B"] }, "near", /^takes one page$/],
    [{ query, limit: "desc" }, "limit", /^must be a whole number/],
    [{ query, sort: "size desc" }, "sort", /^must be one of updated, title$/],
    [{ query, where: [{ or: [{ A: 1 }, { B: 2 }] }] }, "where", /^must be text$/],
    [{ query, limit: 1.5 }, "limit", /^must be a whole number/],
    [{ query, limit: "ten" }, "limit", /^must be a whole number/],
    [{ query, excerpts: "maybe" }, "excerpts", /^must be true or false$/],
    [{ query, page: [] }, "page", /^must not be empty$/],
    [{ query, page: ["a", "b", "c", "d", "e", "f"] }, "page", /^may have up to 5 values$/],
    [{ query, q: "star" }, "q", /^means query, which is given too$/],
    [{ q: "star", search: "star" }, "search", /^means query, which is given too$/],
    [{ query, cursor: "abc" }, "cursor", /^is not known. Did you mean skip\? There are query, direction/],
    [{ query, lmit: "ten" }, "lmit", /^was read as limit, which must be a whole number/],
    [{ query, is_not: "row" }, "is_not", /^is not known. There are query/],
    [{ query, [`q${"_".repeat(50)}`]: "star" }, `q${"_".repeat(50)}`, /^is not known. There are query/],
    [{ zzzzz: 5, query }, "zzzzz", /^is not known. There are query/],
    [{ query, __proto__x: 5 }, "__proto__x", /^is not known/],
    [{ query, constructor: 5 }, "constructor", /^is not known/],
  ];
  for (const [sent, path, message] of cases) {
    const [fault, ...others] = fieldErrorsOf(sent);
    assert.equal(fault?.path, path, JSON.stringify(sent));
    assert.match(fault.message, message);
    assert.deepEqual(others, [], JSON.stringify(sent));
  }
  assert.deepEqual(meaningOf("sor", ["sort", "sore", "from"]), {
    kind: "unknown",
    nearest: ["sort", "sore"],
  });
  for (const sent of [[], [1], "star", 7, true]) assert.throws(() => read(sent), /must be a JSON object/);
});

test("AGT-3: common names of arguments, and names that one parameter is near, are taken as what they mean", () => {
  const cases: [sent: object, taken: object][] = [
    [{ q: "star" }, { query }],
    [
      { search: "star", top_k: 3 },
      { query, limit: 3 },
    ],
    [
      { text: "star", maxResults: "3", offset: 20 },
      { query, limit: 3, skip: 20 },
    ],
    [
      { Query: "star", url: "Sky" },
      { query, page: ["Sky"] },
    ],
    [
      { query, page_id: ["a"], "edge-types": "link" },
      { query, page: ["a"], kinds: ["link"] },
    ],
    [{ query: null, q: "star" }, { query }],
    [
      { query, lmit: 5 },
      { query, limit: 5 },
    ],
    [
      { query, excerpt: true },
      { query, excerpts: true },
    ],
  ];
  for (const [sent, taken] of cases) assert.deepEqual(read(sent), taken, JSON.stringify(sent));
});

test("AGT-3: a sort may have its direction with it, as a text or as an object", () => {
  const updated = { query, sort: "updated", order: "desc" };
  for (const sort of [
    "updated desc",
    "Last edited: descending",
    "-updated",
    { timestamp: "last_edited_time", direction: "descending" },
    [{ property: "updated", direction: "desc" }],
    { by: "updated", order: "desc" },
  ])
    assert.deepEqual(read({ query, sort }), updated, JSON.stringify(sort));
  assert.deepEqual(read({ query, order_by: "title asc" }), { query, sort: "title", order: "asc" });
  assert.deepEqual(read({ query, sort: "title asc", order: "desc" }), {
    query,
    sort: "title",
    order: "desc",
  });
  // A column may have a name that ends like a direction.
  const free = { properties: { ...schema.properties, sort: { type: "string" } } };
  assert.deepEqual(readInput(free, { sort: "Due desc" }).values, { sort: "Due desc" });
});

test("AGT-3: conditions may be objects, in the forms of other interfaces", () => {
  const cases: [sent: unknown, taken: readonly string[]][] = [
    [{ Kind: "red dwarf" }, ["Kind = red dwarf"]],
    [{ Kind: ["a", "b"], Size: { $gte: 5 } }, ["Kind = a, b", "Size >= 5"]],
    [
      [{ column: "Size", operator: "<", value: 0 }, "Kind = a"],
      ["Size < 0", "Kind = a"],
    ],
    [{ property: "Kind", select: { equals: "a" } }, ["Kind = a"]],
    [{ property: "Due", date: { on_or_before: "2026-01-31" } }, ["Due <= 2026-01-31"]],
    [{ property: "Due", date: { is_empty: true } }, ["Due is empty"]],
    [{ property: "Due", date: { is_not_empty: false } }, ["Due is empty"]],
    [{ field: "Due", op: "is empty" }, ["Due is empty"]],
    [
      {
        and: [
          { property: "A", checkbox: { equals: true } },
          { property: "B", rich_text: { contains: "x" } },
        ],
      },
      ["A = true", "B ~ x"],
    ],
    ['{"Size": {"gt": 636500e3}}', ["Size > 636500e3"]],
    [{ property: "red" }, ["property = red"]],
  ];
  for (const [where, taken] of cases)
    assert.deepEqual(read({ query, where }), { query, where: taken }, JSON.stringify(where));
  for (const where of [
    { A: { gt: 1, lt: 5 } },
    { property: "A", number: { near: 5 } },
    { property: "A", number: { gt: 1 }, text: { equals: "x" } },
    { A: { gt: { B: 1 } } },
  ])
    assert.throws(() => read({ query, where }), ApiError, JSON.stringify(where));
});

test("AGT-3: a word that only another parameter has is taken as that parameter's, and said", () => {
  const cases: [sent: object, taken: object, note: string][] = [
    [{ query, kinds: "backlinks" }, { query, direction: "in" }, "kinds=backlinks was read as direction=in"],
    [{ query, kinds: ["-orphans"] }, { query, is: ["-orphan"] }, "kinds=-orphans was read as is=-orphan"],
    [
      { query, direction: "mentions" },
      { query, kinds: ["mention"] },
      "direction=mentions was read as kinds=mention",
    ],
    [{ query, sort: "desc" }, { query, order: "desc" }, "sort=desc was read as order=desc"],
  ];
  for (const [sent, taken, note] of cases) {
    assert.deepEqual(readInput(schema, sent), { values: taken, notes: [note] });
  }
});

test("AGT-3: what was read otherwise than it was sent is said", () => {
  const cases: [sent: object, taken: object, notes: readonly string[]][] = [
    [{ query, limit: 1000 }, { query, limit: 100 }, ["limit is at most 100, which was used"]],
    [{ query, limit: "9".repeat(400) }, { query, limit: 100 }, ["limit is at most 100, which was used"]],
    [
      { query, top_k: 0, offset: -1 },
      { query, limit: 1, skip: 0 },
      ["limit is at least 1, which was used", "skip is at least 0, which was used"],
    ],
    [{ query, limti: 5 }, { query, limit: 5 }, ["limti was read as limit"]],
    [{ query, reasoning: "Because." }, { query }, ["reasoning was ignored"]],
    [{ Thought: { a: 1 }, query, toolCallId: 7 }, { query }, ["Thought, toolCallId were ignored"]],
    [{ q: "star", limit: 100, skip: 0 }, { query, limit: 100, skip: 0 }, []],
  ];
  for (const [sent, taken, notes] of cases)
    assert.deepEqual(readInput(schema, sent), { values: taken, notes }, JSON.stringify(sent));
});

test("AGT-4: whatever is sent is taken as the schema says, or refused with a reason", () => {
  const names = fc.constantFrom(...Object.keys(schema.properties), "other");
  fc.assert(
    fc.property(fc.dictionary(names, fc.jsonValue()), (sent) => {
      try {
        const {
          query: text,
          direction,
          kinds,
          page,
          limit,
          excerpts,
          is: _,
          skip: __,
          near,
          sort,
          order,
          where,
          ...rest
        } = read(sent);
        assert.deepEqual(rest, {});
        assert.ok([undefined, "updated", "title"].includes(sort as string | undefined));
        assert.ok([undefined, "asc", "desc"].includes(order as string | undefined));
        assert.ok(excerpts === undefined || typeof excerpts === "boolean");
        assert.ok(typeof text === "string" && typeof (near ?? "") === "string");
        assert.ok(direction === undefined || ["in", "out", "both"].includes(String(direction)));
        for (const list of [kinds, page, where])
          assert.ok(
            list === undefined || (Array.isArray(list) && list.every((item) => typeof item === "string")),
          );
        assert.ok(
          limit === undefined || (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= 100),
        );
      } catch (error) {
        assert.ok(error instanceof ApiError && error.code === "invalid_request", String(error));
        assert.ok(error.errors.length > 0);
      }
    }),
  );
});

function fieldErrorsOf(sent: unknown): readonly { path: string; message: string }[] {
  try {
    read(sent);
  } catch (error) {
    if (error instanceof ApiError) return error.errors;
    throw error;
  }
  return [];
}
