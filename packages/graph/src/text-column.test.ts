import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { packIds } from "./node-ids.ts";
import { bytesOfIds, rowsOfTexts } from "./testing/graph-input.ts";
import { id } from "./testing/samples.ts";
import { joinTexts, shortenUrls, urlAt, urlPrefixOf } from "./text-column.ts";

/** Packs the URLs of nodes 0, 1, …: the size of the column, and the URLs read back from it. */
function packed(urls: readonly (string | null)[]) {
  const ids = packIds(bytesOfIds(urls.map((_, node) => id(node))));
  const rows = rowsOfTexts(urls);
  const prefix = urlPrefixOf(rows) ?? new Uint8Array();
  const texts = joinTexts([shortenUrls(rows, ids, prefix)]);
  const column = { prefix: Buffer.from(prefix).toString(), texts };
  return { bytes: texts.bytes.length, read: urls.map((_, node) => urlAt(column, ids, node)) };
}

const digitsOf = (node: number) => id(node).replaceAll("-", "");

// Parts of URLs in any order and number, including the ids of other nodes and part of one.
const part = fc.oneof(
  fc.constantFrom(
    "https://www.notion.so/",
    "https://",
    "/",
    "Plan-",
    "Ünïcödé-",
    "\ufeff",
    ...[0, 1, 2].map(digitsOf),
  ),
  fc.constantFrom(digitsOf(0).slice(1), digitsOf(1).toUpperCase(), id(1)),
  fc.string({ unit: "grapheme", maxLength: 3 }),
);
const anyUrl = fc.option(fc.array(part, { maxLength: 4 }).map((parts) => parts.join("")));

test("GRAPH-4: a node has exactly the URL that it was built with", () => {
  fc.assert(
    fc.property(fc.array(anyUrl, { maxLength: 8 }), (urls) => {
      assert.deepEqual(packed(urls).read, urls);
    }),
    { numRuns: 1000 },
  );
});

test("the common parts of a URL take two bytes", () => {
  const urls = Array.from({ length: 100 }, (_, node) => `https://www.notion.so/Plan-${digitsOf(node)}`);
  assert.equal(packed(urls).bytes, 100 * (2 + "Plan-".length));
  assert.equal(packed([null, "", ...urls.slice(2)]).bytes, 1 + 98 * (2 + "Plan-".length));
});
