import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchEntry } from "@clew/provider";
import { listObject, pageObject, richText, someId, sourceObject } from "./testing/api-objects.ts";
import { listedNodes } from "./testing/listed-nodes.ts";
import { timelessProvider } from "./testing/provider.ts";
import { sendError, sendJson, startProvider } from "./testing/provider-server.ts";

async function titles(list: AsyncIterable<SearchEntry>): Promise<string[]> {
  const found: string[] = [];
  for await (const node of listedNodes(list)) found.push(node.title);
  return found;
}

test("SYNC-1: search lists pages and databases, page by page of the list", async (t) => {
  const { url, requests } = await startProvider(t, ({ body }, response) => {
    const source = sourceObject(5, 4);
    const { start_cursor: cursor } = JSON.parse(body);
    if (cursor === undefined) sendJson(response, listObject([pageObject(1), source], "next"));
    else sendJson(response, listObject([pageObject(2)]));
  });
  const reader = timelessProvider(url).provider.reader("t");
  assert.deepEqual(await titles(reader.search()), ["Page 1", "Tasks", "Page 2"]);
  assert.deepEqual(
    requests.map(({ method, path }) => `${method} ${path}`),
    ["POST /v1/search", "POST /v1/search"],
  );
  assert.deepEqual(JSON.parse(requests[1]?.body ?? ""), {
    page_size: 100,
    sort: { timestamp: "last_edited_time", direction: "descending" },
    start_cursor: "next",
  });
});

test("SYNC-11: a search for few entries asks for ten, and for a hundred after those", async (t) => {
  const { url, requests } = await startProvider(t, ({ body }, response) => {
    const { start_cursor: cursor } = JSON.parse(body);
    sendJson(
      response,
      cursor === undefined ? listObject([pageObject(1)], "next") : listObject([pageObject(2)]),
    );
  });
  const reader = timelessProvider(url).provider.reader("t");
  for await (const _entry of reader.search({ few: true })) break;
  assert.equal(requests.length, 1);
  assert.deepEqual(await titles(reader.search({ few: true })), ["Page 1", "Page 2"]);
  assert.deepEqual(
    requests.map(({ body }) => JSON.parse(body).page_size),
    [10, 10, 100],
  );
});

test("SYNC-5: a list that repeats a cursor fails", async (t) => {
  const { url, requests } = await startProvider(t, (_, response) =>
    sendJson(response, listObject([pageObject(1)], "again")),
  );
  await assert.rejects(titles(timelessProvider(url).provider.reader("t").search()), {
    code: "malformed",
  });
  assert.equal(requests.length, 2);
});

/** Answers a list in two parts. The first cursor has expired. */
function expiringList(first: unknown, second: unknown): Parameters<typeof startProvider>[1] {
  let hasExpired = false;
  return ({ path, body }, response) => {
    const asksForSecond = `${path}${body}`.includes("start_cursor");
    if (asksForSecond && !hasExpired) {
      hasExpired = true;
      sendError(response, 400, "validation_error");
    } else sendJson(response, asksForSecond ? second : first);
  };
}

test("SYNC-5: a search whose cursor expires is restarted once", async (t) => {
  const first = listObject([pageObject(1)], "next");
  const { url } = await startProvider(t, expiringList(first, listObject([pageObject(2)])));
  assert.deepEqual(await titles(timelessProvider(url).provider.reader("t").search()), [
    "Page 1",
    "Page 1",
    "Page 2",
  ]);
});

test("SYNC-5: a search whose cursors always expire fails", async (t) => {
  const { url, requests } = await startProvider(t, ({ body }, response) =>
    body.includes("start_cursor")
      ? sendError(response, 400, "validation_error")
      : sendJson(response, listObject([pageObject(1)], "next")),
  );
  await assert.rejects(titles(timelessProvider(url).provider.reader("t").search()), { code: "invalid" });
  assert.equal(requests.length, 4);
});

test("SYNC-5: a search that the provider calls invalid is not restarted", async (t) => {
  const { url, requests } = await startProvider(t, (_, response) =>
    sendError(response, 400, "validation_error"),
  );
  await assert.rejects(titles(timelessProvider(url).provider.reader("t").search()), { code: "invalid" });
  assert.equal(requests.length, 1);
});

test("SYNC-5: a property whose cursor expires is read again without duplicates", async (t) => {
  const part = (number: number, next: string | null) =>
    listObject([{ object: "property_item", type: "relation", relation: { id: someId(number) } }], next, {
      type: "property_item",
      property_item: { id: "a", type: "relation", relation: {} },
    });
  const { url } = await startProvider(t, expiringList(part(1, "next"), part(2, null)));
  const reader = timelessProvider(url).provider.reader("t");
  const { value, references } = await reader.property(someId(9), { id: "a", name: "Parents" });
  assert.deepEqual(value, [someId(1), someId(2)]);
  assert.deepEqual(
    references.map(({ count }) => count),
    [1, 1],
  );
});

test("SYNC-3: a cut property is read page by page, with its id as the provider encodes it", async (t) => {
  const item = (number: number) => ({
    object: "property_item",
    type: "relation",
    relation: { id: someId(number) },
  });
  const { url, requests } = await startProvider(t, ({ path }, response) => {
    const whole = { type: "property_item", property_item: { id: "a", type: "relation", relation: {} } };
    const first = !path.includes("start_cursor");
    sendJson(response, listObject([item(first ? 1 : 2)], first ? "next" : null, whole));
  });
  const reader = timelessProvider(url).provider.reader("t");
  assert.deepEqual(await reader.property(someId(9), { id: "%3CnJT", name: "Parents" }), {
    value: [someId(1), someId(2)],
    references: [1, 2].map((number) => ({
      type: "relation",
      targetId: someId(number),
      name: "Parents",
      count: 1,
    })),
    mentioned: [1, 2].map((number) => ({ id: someId(number), type: "page" })),
    unsupported: [],
  });
  assert.equal(requests[0]?.path, `/v1/pages/${someId(9)}/properties/%3CnJT?page_size=100`);
});

test("SYNC-1: pages, databases, sources and the parents of blocks are looked up by id", async (t) => {
  const database = {
    ...pageObject(4),
    object: "database",
    title: richText("Tasks"),
    data_sources: [{ id: someId(5) }],
  };
  const source = sourceObject(5, 4);
  const answers: Record<string, unknown> = {
    [`/v1/pages/${someId(1)}`]: pageObject(1),
    [`/v1/databases/${someId(4)}`]: database,
    [`/v1/data_sources/${someId(5)}`]: source,
    [`/v1/blocks/${someId(6)}`]: { object: "block", parent: { type: "page_id", page_id: someId(1) } },
    [`/v1/pages/${someId(4)}`]: database,
  };
  const { url } = await startProvider(t, ({ path }, response) => sendJson(response, answers[path]));
  const reader = timelessProvider(url).provider.reader("t");
  assert.equal((await reader.page(someId(1))).title, "Page 1");
  assert.deepEqual((await reader.database(someId(4))).collections, [{ id: someId(5), columns: null }]);
  assert.equal((await reader.databaseOf(someId(5))).id, someId(4));
  assert.deepEqual(await reader.parentOfBlock(someId(6)), { kind: "node", id: someId(1), type: "page" });
  await assert.rejects(reader.page(someId(4)), { code: "malformed" });
});
