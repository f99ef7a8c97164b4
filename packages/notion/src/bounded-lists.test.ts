import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ListEntry, SearchEntry } from "@clew/provider";
import { listObject, pageObject, someId } from "./testing/api-objects.ts";
import { timelessProvider } from "./testing/provider.ts";
import { type Arrived, startProvider } from "./testing/provider-server.ts";

/** More than Clew takes of one answer. White space around JSON has no meaning. */
const padding = new Uint8Array(11 * 1024 * 1024).fill(0x20);

/** Sends a request, and adds the padding to an answer that has this header: as one piece, because Clew looks at every byte before it. */
const fetchPadded: typeof fetch = async (url, init) => {
  const answer = await fetch(url, init);
  if (!answer.headers.has("x-padded")) return answer;
  return new Response(ReadableStream.from([new Uint8Array(await answer.arrayBuffer()), padding]), answer);
};

/** The number of entries that a request asks for, and its cursor. */
function pagingOf({ path, body }: Arrived): { size: number; cursor: string | null } {
  const query = new URL(path, "http://localhost").searchParams;
  const { page_size: size = query.get("page_size"), start_cursor: cursor = query.get("start_cursor") } =
    body === "" ? {} : JSON.parse(body);
  return { size: Number(size), cursor };
}

/** The ids of a list until it ends, and the error that ends it. */
async function endOf(list: AsyncIterable<SearchEntry | ListEntry>) {
  const ids: string[] = [];
  try {
    for await (const entry of list) if ("id" in entry) ids.push(entry.id);
  } catch (error) {
    return { ids, code: Reflect.get(Object(error), "code") };
  }
  return { ids, code: null };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** A list of pages that answers more than `fits` entries, or an answer with one of `giants`, with too many bytes. */
function startLarge(t: TestContext, count: number, { fits = count, giants = [] as readonly number[] }) {
  return startProvider(t, (request, response) => {
    const { size, cursor } = pagingOf(request);
    const isReversed = /"descending"/.test(request.body) === request.path.endsWith("/query");
    const order = isReversed ? numbers(count).reverse() : numbers(count);
    const start = Number(cursor ?? 0);
    const some = order.slice(start, start + size);
    const isTooLarge = some.length > fits || some.some((number) => giants.includes(number));
    const next = start + size < count ? `${start + size}` : null;
    const json = JSON.stringify(
      listObject(
        some.map((number) => pageObject(number)),
        next,
      ),
    );
    response.writeHead(200, { "content-type": "application/json", ...(isTooLarge && { "x-padded": "1" }) });
    response.end(json);
  });
}

const lists = {
  search: (url: URL) => timelessProvider(url, { fetch: fetchPadded }).provider.reader("t").search(),
  "a query": (url: URL) =>
    timelessProvider(url, { fetch: fetchPadded }).provider.reader("t").rows(someId(999), null),
};

for (const [what, list] of Object.entries(lists)) {
  test(`SYNC-13: an answer to ${what} that is too large is asked for in smaller pages, then in larger ones`, async (t) => {
    const { url, requests } = await startLarge(t, 800, { fits: 30 });
    assert.deepEqual(await endOf(list(url)), { ids: numbers(800).map(someId), code: null });
    const sizes = requests.map((request) => pagingOf(request).size);
    assert.deepEqual(sizes.slice(0, 8), [100, 50, 25, 25, 25, 25, 50, 25]);
    assert.ok(requests.length <= 2 * (800 / 25), `${requests.length} requests`);
  });

  test(`SYNC-13: one entry of ${what} that is too large for any answer fails alone`, async (t) => {
    for (const giants of [[13], [1], [40], [13, 30]]) {
      const { url, requests } = await startLarge(t, 40, { giants });
      const { ids, code } = await endOf(list(url));
      const [first = 0, last = first] = giants;
      const others = numbers(40).filter((number) => number < first || number > last);
      assert.deepEqual([...new Set(ids)].sort(), others.map(someId));
      assert.equal(code, "malformed");
      assert.ok(requests.length <= 60, `${requests.length} requests`);
    }
  });
}

test("SYNC-13: a property whose values are too large for one answer is read in smaller ones", async (t) => {
  const { url } = await startProvider(t, (request, response) => {
    const { size, cursor } = pagingOf(request);
    const start = Number(cursor ?? 0);
    const item = (number: number) => ({ type: "relation", relation: { id: someId(number) } });
    const items = numbers(30)
      .slice(start, start + size)
      .map(item);
    const next = start + size < 30 ? `${start + size}` : null;
    const whole = { property_item: { id: "a", type: "relation", relation: {} } };
    const json = JSON.stringify(listObject(items, next, whole));
    response.write(json);
    response.end(items.length > 4 ? padding : "");
  });
  const reader = timelessProvider(url).provider.reader("t");
  const { value } = await reader.property(someId(99), { id: "a", name: "Parents" });
  assert.deepEqual(value, numbers(30).map(someId));
});

/** A list that never ends: each answer has a new cursor. */
function startEndless(t: TestContext, answer: (count: number) => unknown) {
  let count = 0;
  return startProvider(t, (_, response) => {
    count += 1;
    response.writeHead(200).end(JSON.stringify(answer(count)));
  });
}

const endless: Readonly<Record<string, (count: number) => unknown>> = {
  "the same entries": (count) => listObject([pageObject(1), pageObject(2)], `next ${count}`),
  nothing: (count) => listObject([], `next ${count}`),
  "five pages of entries in turn": (count) => listObject([pageObject(count % 5)], `next ${count}`),
  "entries without ids": (count) => listObject([{ object: "page" }], `next ${count}`),
};

for (const [what, list] of Object.entries(lists)) {
  for (const [of, answer] of Object.entries(endless))
    test(`SYNC-13: ${what} that goes on with ${of} ends as a failure`, async (t) => {
      const { url, requests } = await startEndless(t, answer);
      assert.equal((await endOf(list(url))).code, "malformed");
      assert.ok(requests.length <= 25, `${requests.length} requests`);
    });
}

test("SYNC-13: a search that repeats entries for a while is read to its end", async (t) => {
  const { url } = await startEndless(t, (count) =>
    listObject(
      [pageObject(1), ...(count % 15 === 0 ? [pageObject(count)] : [])],
      count < 90 ? `${count}` : null,
    ),
  );
  const { ids, code } = await endOf(lists.search(url));
  assert.deepEqual([...new Set(ids)], [1, 15, 30, 45, 60, 75, 90].map(someId));
  assert.equal(code, null);
});

test("SYNC-13: queries that are always cut and list nothing new end as a failure", async (t) => {
  const status = { type: "incomplete", incomplete_reason: "query_result_limit_reached" };
  const { url, requests } = await startEndless(t, (count) => {
    const created_time = new Date(Date.UTC(2026, 0, 1, 0, count)).toISOString();
    return listObject([pageObject(1, { created_time, last_edited_time: created_time })], null, {
      request_status: status,
    });
  });
  assert.deepEqual(await endOf(lists["a query"](url)), { ids: [someId(1)], code: "malformed" });
  assert.ok(requests.length <= 25, `${requests.length} requests`);
});

for (const [what, type, value] of [
  ["the same relations", "relation", { id: someId(1) }],
  ["the same people", "people", { id: someId(1) }],
  ["nothing", "rich_text", null],
] as const)
  test(`SYNC-13: a property that goes on with ${what} ends as a failure`, async (t) => {
    const { url, requests } = await startEndless(t, (count) =>
      listObject(value === null ? [] : [{ type, [type]: value }], `next ${count}`, {
        property_item: { id: "a", type, [type]: {} },
      }),
    );
    const reader = timelessProvider(url).provider.reader("t");
    await assert.rejects(reader.property(someId(9), { id: "a", name: "P" }), { code: "malformed" });
    assert.ok(requests.length <= 25, `${requests.length} requests`);
  });

test("SYNC-13: a rollup may have thousands of equal values, but not without end", async (t) => {
  const values = (count: number, last: number) =>
    listObject(
      numbers(100).map(() => ({ type: "checkbox", checkbox: false })),
      count < last ? `${count}` : null,
      {
        property_item: { id: "a", type: "rollup", rollup: { type: "array", array: [] } },
      },
    );
  const whole = await startEndless(t, (count) => values(count, 30));
  const property = { id: "a", name: "P" };
  const { value } = await timelessProvider(whole.url).provider.reader("t").property(someId(9), property);
  assert.equal(Array.isArray(value) ? value.length : null, 3000);
  const without = await startEndless(t, (count) => values(count, Number.POSITIVE_INFINITY));
  const reader = timelessProvider(without.url).provider.reader("t");
  await assert.rejects(reader.property(someId(9), property), { code: "malformed" });
});
