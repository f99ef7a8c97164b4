import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { someId } from "./testing/api-objects.ts";
import { type ListLimits, type Row, startDataSource, timeOfMinute } from "./testing/data-source.ts";
import { listedNodes } from "./testing/listed-nodes.ts";
import { timelessProvider } from "./testing/provider.ts";
import { readerOfFiles } from "./testing/stand-in.ts";

/** The numbers of the rows that were listed, in order, and the error with which the listing ended. */
async function read(
  test: TestContext,
  rows: readonly Row[],
  limits: ListLimits,
  since: number | null = null,
) {
  const { url, requests } = await startDataSource(test, rows, limits);
  const reader = timelessProvider(url).provider.reader("t");
  const numbers: number[] = [];
  const listing = (async () => {
    for await (const { id } of listedNodes(reader.rows(someId(9), since)))
      numbers.push(Number.parseInt(id.slice(-12), 16));
  })();
  const failure = await listing.then(
    () => null,
    (error: unknown) => error,
  );
  return { numbers, failure, requests };
}

const first = { created: 0, edited: 0 };

const rowsOf = (count: number, row: (number: number) => Partial<Row>): Row[] =>
  Array.from({ length: count }, (_, number) => ({ ...first, ...row(number) }));

const numbersOf = (rows: readonly unknown[]) => rows.map((_, number) => number);

const inOrder = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

test("SYNC-1: rows beyond the limit of one query are listed by creation time", async (t) => {
  const rows = rowsOf(20, (number) => ({ created: Math.floor(number / 2) }));
  const { numbers, failure, requests } = await read(t, rows, { limit: 5, pageSize: 2 });
  assert.equal(failure, null);
  assert.deepEqual(numbers, numbersOf(rows));
  assert.ok(requests.every(({ path }) => path === `/v1/data_sources/${someId(9)}/query`));
});

test("SYNC-1: rows of one minute beyond the limit are listed by last edit", async (t) => {
  const rows = rowsOf(20, (number) => ({ created: number < 2 ? 0 : 1, edited: 20 - number }));
  const { numbers, failure } = await read(t, [...rows, { ...first, created: 2 }], { limit: 5, pageSize: 2 });
  assert.equal(failure, null);
  assert.deepEqual(inOrder(numbers), numbersOf([...rows, first]));
});

test("SYNC-1: if the provider does not list all rows of a minute, the listing fails after those that it lists", async (t) => {
  const rows = [...rowsOf(4, () => ({})), { ...first, created: 1 }];
  const { numbers, failure } = await read(t, rows, { limit: 3, pageSize: 2 });
  assert.deepEqual(numbers, [0, 1, 2, 4]);
  assert.equal(Reflect.get(Object(failure), "code"), "malformed");
});

test("SYNC-7: rows edited at or after a time can be listed alone", async (t) => {
  const rows = rowsOf(30, (number) => ({ created: Math.floor(number / 3), edited: number }));
  const { numbers, failure } = await read(t, rows, { limit: 4, pageSize: 3 }, timeOfMinute(12) + 42_000);
  assert.equal(failure, null);
  // The provider rounds the time of an edit down to the minute.
  assert.deepEqual(numbers, numbersOf(rows).slice(12));
});

test("SYNC-7: if no row was edited, one request is enough", async (t) => {
  const rows = rowsOf(30, () => ({}));
  const { numbers, requests } = await read(t, rows, { limit: 4, pageSize: 3 }, timeOfMinute(1));
  assert.deepEqual(numbers, []);
  assert.equal(requests.length, 1);
});

test("SYNC-5: an expired cursor restarts the query where it was", async (t) => {
  const rows = rowsOf(10, (number) => ({ created: number }));
  const limits = { limit: 100, pageSize: 2, hasExpired: (question: number) => question === 4 };
  const { numbers, failure, requests } = await read(t, rows, limits);
  assert.equal(failure, null);
  assert.deepEqual(numbers, numbersOf(rows));
  const again = JSON.parse(requests[4]?.body ?? "");
  assert.deepEqual(again.filter, {
    timestamp: "created_time",
    created_time: { on_or_after: new Date(timeOfMinute(5)).toISOString() },
  });
  assert.equal(again.start_cursor, undefined);
});

test("SYNC-5: cursors that always expire fail the listing", async (t) => {
  const rows = rowsOf(10, (number) => ({ created: number }));
  const { failure } = await read(t, rows, { limit: 100, pageSize: 2, hasExpired: () => true });
  assert.equal(Reflect.get(Object(failure), "code"), "invalid");
});

test("SYNC-1: rows of the stand-in are read beyond its limit", async (t) => {
  const row = (title: string, created: number, edited: number) => {
    const times = [created, edited].map((minute) => new Date(timeOfMinute(minute)).toISOString());
    return `---\ntitle: ${title}\ncreated: ${times[0]}\nupdated: ${times[1]}\n---\n`;
  };
  const minutes = Array.from({ length: 12 }, (_, minute) => minute);
  const reader = await readerOfFiles(
    t,
    {
      "spread/_database.yml": "title: Spread",
      "alike/_database.yml": "title: Alike",
      ...Object.fromEntries(minutes.map((n) => [`spread/${n}.md`, row(`Row ${n}`, 0, n + 1)])),
      ...Object.fromEntries(minutes.map((n) => [`alike/${n}.md`, row("Row", 0, 1)])),
      "alike/later.md": row("Later", 2, 2),
    },
    { queryRowLimit: 5 },
  );
  const sources = new Map<string, string>();
  for await (const node of listedNodes(reader.search()))
    sources.set(node.title, node.collections[0]?.id ?? "");
  const titles = async (title: string) => {
    const found: string[] = [];
    const list = reader.rows(sources.get(title) ?? "", null);
    for await (const node of listedNodes(list)) found.push(node.title);
    return found;
  };
  assert.deepEqual((await titles("Spread")).toSorted(), minutes.map((n) => `Row ${n}`).toSorted());
  await assert.rejects(titles("Alike"), { code: "malformed" });
});

test("SYNC-1: either all rows are read, or the listing fails", async (t) => {
  const anyRow = fc.record({
    created: fc.nat({ max: 2 }),
    edited: fc.nat({ max: 2 }),
  });
  const anyLimits = fc.record({
    limit: fc.integer({ min: 1, max: 6 }),
    pageSize: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { maxLength: 30 }), anyLimits, async (rows, limits) => {
      const { numbers, failure } = await read(t, rows, limits);
      assert.equal(new Set(numbers).size, numbers.length);
      if (failure === null) assert.deepEqual(inOrder(numbers), numbersOf(rows));
      else assert.equal(Reflect.get(Object(failure), "code"), "malformed");
    }),
    { numRuns: 60 },
  );
});
