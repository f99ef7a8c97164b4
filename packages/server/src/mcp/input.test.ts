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
    [JSON.stringify({ query }), { query }],
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
        const { query: text, direction, kinds, page, limit, excerpts, is: _, skip: __, ...rest } = read(sent);
        assert.deepEqual(rest, {});
        assert.ok(excerpts === undefined || typeof excerpts === "boolean");
        assert.ok(typeof text === "string");
        assert.ok(direction === undefined || ["in", "out", "both"].includes(String(direction)));
        for (const list of [kinds, page])
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
