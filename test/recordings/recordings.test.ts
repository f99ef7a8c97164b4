import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf } from "./kind.ts";
import { read } from "./reading.ts";
import { type Review, reviewFolder } from "./review.ts";
import { idsLedTo } from "./scan.ts";

/** A folder of recorded answers of the provider's API. */
const folder = process.env.RECORDINGS_DIR;

/** Ids in an answer that are not references of the page or database, by kind and place, and why. */
const explained: readonly { kinds: readonly Review["kind"][]; place: RegExp; why: string }[] = [
  {
    kinds: ["block", "blocks"],
    place: /\bsynced_from\.block_id$/,
    why: "names a block; the page of that block is in the Markdown's address",
  },
  {
    kinds: ["data source", "database", "search or query"],
    place: /\bproperties\..+\.relation\.(?:database_id|data_source_id)$/,
    why: "says where a relation may lead; the rows say where it does",
  },
  {
    kinds: ["data source", "search or query"],
    place: /^(?:results\.\d+\.)?parent\.database_id$/,
    why: "is the database that the data source folds into: the node itself",
  },
  { kinds: ["filtered query"], place: /./, why: "Clew asks for all properties" },
  { kinds: ["comment", "comments"], place: /\bparent\.\w+$/, why: "Clew reads no comments" },
];

function isExplained(kind: Review["kind"], missedAt: string): boolean {
  return explained.some(({ kinds, place }) => kinds.includes(kind) && place.test(missedAt));
}

test("SYNC-1: every recorded response can be read, and every reference in it is found", {
  skip: folder === undefined ? "no folder of recordings is given (RECORDINGS_DIR)" : false,
}, async () => {
  const reviews = await reviewFolder(folder ?? "");
  assert.ok(reviews.length > 0, "the folder contains no recordings");
  assert.deepEqual(
    reviews.filter(({ reading }) => reading === null).map(({ name, fault }) => `${name}: ${fault}`),
    [],
  );
  assert.deepEqual(
    reviews.flatMap(({ name, kind, missed }) =>
      missed
        .filter(({ place }) => !isExplained(kind, place))
        .map(({ id, place }) => `${name}: ${id} at ${place}`),
    ),
    [],
  );
});

const someId = (digit: string) => `${digit.repeat(8)}-1111-4111-8111-111111111111`;

test("SYNC-1: the scan finds ids that are references, and no others", () => {
  const address = `https://www.notion.so/A-page-${someId("3").replaceAll("-", "")}?pvs=4`;
  const page = {
    object: "page",
    id: someId("1"),
    url: `https://www.notion.so/${someId("1").replaceAll("-", "")}`,
    parent: { type: "data_source_id", data_source_id: someId("2") },
    created_by: { object: "user", id: someId("9") },
    properties: {
      Related: { id: "a", type: "relation", relation: [{ id: someId("4") }] },
      Text: {
        type: "rich_text",
        rich_text: [
          { type: "text", text: { content: "a", link: { url: address } }, href: address },
          { type: "mention", mention: { type: "page", page: { id: someId("5") } } },
        ],
      },
    },
  };
  const list = { object: "list", results: [page, { object: "block", id: someId("6"), type: "child_page" }] };
  assert.deepEqual([...idsLedTo(list).keys()].sort(), ["2", "3", "4", "5", "6"].map(someId));
});

test("SYNC-1: a recording's kind follows from its shape", () => {
  assert.equal(kindOf({ object: "list", type: "block", results: [] }), "blocks");
  assert.equal(kindOf({ templates: [] }), "templates");
  assert.equal(kindOf({ object: "something new" }), null);
  const rows = (property: object) => ({
    object: "list",
    type: "page_or_data_source",
    results: [{ object: "page", properties: { Some: property } }],
  });
  assert.equal(kindOf(rows({ type: "number" })), "filtered query");
  assert.equal(kindOf(rows({ type: "title" })), "search or query");
  assert.equal(kindOf(rows({})), "search or query");
});

test("SYNC-5: a malformed recording is reported", async () => {
  const page = {
    object: "page",
    id: someId("1"),
    parent: { type: "workspace", workspace: true },
    created_time: "2026-01-01T00:00:00.000Z",
    last_edited_time: "2026-01-01T00:00:00.000Z",
    in_trash: false,
    url: "https://www.notion.so/x",
    properties: { Name: { id: "title", type: "title", title: [] } },
  };
  const list = {
    object: "list",
    type: "page_or_data_source",
    results: [page],
    has_more: false,
    next_cursor: null,
  };
  const items = { object: "list", type: "property_item", results: [], has_more: false, next_cursor: null };
  const relation = { type: "relation", relation: {} };
  const text = { object: "page_markdown", markdown: "# A", truncated: false, unknown_block_ids: [] };
  for (const sound of [page, list, { ...items, property_item: relation }, text])
    await read(kindOf(sound) ?? "error", sound);
  for (const malformed of [
    { ...page, last_edited_time: undefined },
    { ...page, properties: [] },
    { ...page, properties: { ...page.properties, Peers: { type: "relation", relation: null } } },
    { ...list, results: null },
    { ...list, has_more: true },
    { ...list, results: [{ ...page, parent: null }] },
    { ...items, property_item: {} },
    { ...items, property_item: relation, results: [{ type: "number", number: 1 }] },
    { ...text, markdown: null },
    { ...text, truncated: "true" },
    { ...text, truncated: true, unknown_block_ids: ["x"] },
  ])
    await assert.rejects(
      async () => read(kindOf(malformed) ?? "error", malformed),
      JSON.stringify(malformed),
    );
});
