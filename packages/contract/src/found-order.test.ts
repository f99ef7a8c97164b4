import assert from "node:assert/strict";
import { test } from "node:test";
import { orderFound } from "./found-order.ts";
import type { MatchKind } from "./vocabulary.ts";

const title = (id: string, match: MatchKind) => ({ node: { id }, match });
const text = (id: string, ...missing: string[]) => ({ node: { id }, missing });
const ids = (items: readonly { readonly node: { readonly id: string } }[]) =>
  items.map(({ node }) => node.id);

test("GRAPH-2: a page called by the query comes first, also if the text search found it further down", () => {
  const titles = [
    title("c", "exact"),
    title("only", "exact"),
    title("part", "substring"),
    title("typo", "fuzzy"),
  ];
  const { first, rest, last } = orderFound(titles, [text("a"), text("b", "word"), text("c")]);
  assert.deepEqual(ids(first), ["c", "only", "part"]);
  assert.equal(
    first[0],
    first.find((item) => "missing" in item),
    "with its passage",
  );
  assert.deepEqual(ids(rest), ["a", "b"]);
  assert.deepEqual(ids(last), ["typo"]);
});

test("GRAPH-3: a title with a typo comes first only if no text has every word", () => {
  const titles = [title("typo", "fuzzy"), title("both", "fuzzy")];
  assert.deepEqual(ids(orderFound(titles, [text("both", "word")]).first), ["typo"]);
  assert.deepEqual(ids(orderFound(titles, []).first), ["typo", "both"]);
  assert.deepEqual(ids(orderFound(titles, [text("both")]).first), []);
});
