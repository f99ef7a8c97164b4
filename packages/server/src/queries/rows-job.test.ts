import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { RowOperator, RowSort, SortOrder } from "@clew/contract";
import type { NodeId } from "@clew/graph";
import { fold } from "@clew/text/basics";
import fc from "fast-check";
import { GraphBuilder } from "../graphs/builder.ts";
import type { Json } from "../model/node.ts";
import type { ValueKind } from "../rows/columns.ts";
import type { RowList } from "../rows/list-rows.ts";
import type { RowCondition } from "../rows/matching.ts";
import type { Database } from "../store/port.ts";
import { graphRevision } from "../store/queries/changes.ts";
import { upsertNodes } from "../store/queries/graph-pages.ts";
import { nodeId, page, scratchDatabase, someConnection } from "../store/testing/scratch.ts";
import type { Source } from "./jobs.ts";
import { type RowsJobInput, rowsJob } from "./rows-job.ts";

const databaseNumber = 1;
const firstRow = 10;
const firstOther = 1000;

interface ModelRow {
  readonly title: string;
  readonly updatedAt: number;
  readonly createdAt: number;
  readonly properties: Readonly<Record<string, Json>>;
}

/** A database with rows, and pages that relations can lead to. */
async function storedRows(database: Database, rows: readonly ModelRow[], others: readonly string[] = []) {
  const connectionId = await someConnection(database);
  await database.transaction(async (trx) => {
    const nodes = [
      page(databaseNumber, { type: "database" }),
      ...rows.map((row, index) => page(firstRow + index, { ...row, parentId: nodeId(databaseNumber) })),
      ...others.map((title, index) => page(firstOther + index, { title })),
    ];
    await upsertNodes(trx, connectionId, nodes);
  });
  const { graph } = await new GraphBuilder(database).build(connectionId);
  const texts = { storeId: "", revision: 0, indexed: 0, segments: [] };
  const source: Source = { connectionId, graph, texts };
  return { source, revision: (await graphRevision(database.read, connectionId)) ?? 0 };
}

const everything: Omit<RowsJobInput, "revision"> = {
  database: nodeId(databaseNumber),
  conditions: [],
  sort: "title",
  order: "asc",
  limit: 10,
  columns: [],
  from: null,
};

function runner(database: Database, source: Source, monotonic = () => 0) {
  return (input: RowsJobInput) => rowsJob({ db: database.read, monotonic }, [source], input);
}

/** All pages of a list, and its total. */
async function allPages(run: (input: RowsJobInput) => Promise<RowList>, input: RowsJobInput) {
  const found: { readonly number: number; readonly cells: readonly Json[] }[] = [];
  let from: RowsJobInput["from"] = null;
  for (;;) {
    const { rows, after, total, truncated } = await run({ ...input, from });
    assert.equal(truncated, false);
    assert.ok(rows.length <= input.limit && (after === null || rows.length === input.limit));
    found.push(...rows.map(({ node, cells }) => ({ number: node - 1, cells })));
    if (after === null) return { found, total };
    from = { after, total };
  }
}

/* The model: types with the values of cells, and what conditions say of them, written down plainly. */

const moments = ["2026-01-01", "2026-01-02T10:00:00.000Z", "2026-01-03T00:00:00.000+02:00"];
const words = ["", "Alpha", "beta", "BETA", "Gamma ray", "Émile"];
const names = words.slice(1);

interface ModelType {
  readonly kind: ValueKind;
  readonly cell: fc.Arbitrary<Json>;
  readonly operators: readonly RowOperator[];
  /** Plain values to compare with. One must fit. */
  readonly operand: fc.Arbitrary<readonly (string | number)[]>;
  /** The plain values of a cell. */
  plain(cell: Json): readonly (string | number)[];
}

const ordered: readonly RowOperator[] = ["=", "!=", "<", "<=", ">", ">=", "is empty", "is not empty"];
const otherIds = [0, 1, 2, 3].map((index) => nodeId(firstOther + index));
/** The last of the pages is not shared. */
const otherTitles = ["Alpha", "beta", "Gamma ray"];

const lower = (text: string) => fold(text);
const some = <Item>(...items: Item[]) => fc.constantFrom(...items);
const orEmpty = (cell: fc.Arbitrary<Json>) => fc.oneof(some<Json>(null), cell);

const types: Readonly<Record<string, ModelType>> = {
  number: {
    kind: "number",
    cell: orEmpty(some<Json>(-2, 0, 1.5, 10)),
    operators: ordered,
    operand: some(-2, 0, 1, 10).map((number) => [number]),
    plain: (cell) => (cell === null ? [] : [Number(cell)]),
  },
  date: {
    kind: "date",
    cell: orEmpty(some(...moments).map((start) => ({ start, end: null }))),
    operators: ordered,
    operand: some(...moments).map((start) => [Date.parse(start)]),
    plain: (cell) => (cell === null ? [] : [Date.parse((cell as { start: string }).start)]),
  },
  text: {
    kind: "text",
    cell: fc.oneof(some<Json>(...words, null), fc.subarray(names)),
    operators: [...ordered, "~"],
    operand: some(...names, "a", "eta").map((text) => [text]),
    plain: (cell) => [cell].flat().flatMap((text) => (text ? lower(String(text)) : [])),
  },
  name: {
    kind: "name",
    cell: fc.oneof(some<Json>(null, ...names), fc.subarray(names)),
    operators: [...ordered, "~"],
    operand: fc.subarray([...names, "a"], { minLength: 1 }),
    plain: (cell) => [cell].flat().flatMap((text) => (text === null ? [] : lower(String(text)))),
  },
};

interface ModelCondition {
  readonly column: string;
  readonly operator: RowOperator;
  readonly operand: readonly (string | number)[];
}

function modelMeets(type: ModelType, cell: Json, { operator, operand }: ModelCondition): boolean {
  const values = type.plain(cell);
  const wanted = operand.map((each) => (typeof each === "string" ? lower(each) : each));
  const any = (holds: (value: string | number, other: string | number) => boolean) =>
    values.some((value) => wanted.some((other) => holds(value, other)));
  switch (operator) {
    case "is empty":
      return values.length === 0;
    case "is not empty":
      return values.length > 0;
    case "=":
      return any((a, b) => a === b);
    case "!=":
      return !any((a, b) => a === b);
    case "<":
      return any((a, b) => a < b);
    case "<=":
      return any((a, b) => a <= b);
    case ">":
      return any((a, b) => a > b);
    case ">=":
      return any((a, b) => a >= b);
    case "~":
      return any((a, b) => String(a).includes(String(b)));
  }
}

/** Compares lists value by value; an empty list is last. */
function modelCompare(
  a: readonly (string | number)[],
  b: readonly (string | number)[],
  sign: number,
): number {
  if (a.length === 0 || b.length === 0) return Number(a.length === 0) - Number(b.length === 0);
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [one, other] = [a[index], b[index]];
    if (one === other) continue;
    if (one === undefined) return -sign;
    if (other === undefined) return sign;
    return one < other ? -sign : sign;
  }
  return 0;
}

/** The properties that a row has. */
const present = (cells: Readonly<Record<string, Json | undefined>>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(cells).flatMap(([name, cell]) => (cell === undefined ? [] : [[name, cell]])),
  );

const anySchema = fc.dictionary(
  some("Size", "Due", "Name", "__proto__", "Tags"),
  some(...Object.keys(types)),
  {
    minKeys: 1,
  },
);

const anyCase = anySchema.chain((schema) => {
  const columns = Object.keys(schema);
  const typeOf = (column: string): ModelType => types[schema[column] ?? ""] as ModelType;
  const row = fc.record({
    title: some(...words),
    updatedAt: fc.nat({ max: 3 }),
    createdAt: fc.nat({ max: 3 }),
    properties: fc
      .record(Object.fromEntries(columns.map((column) => [column, typeOf(column).cell])), {
        requiredKeys: [],
      })
      .map(present),
  });
  const condition = some(...columns).chain((column) =>
    fc.record({
      column: fc.constant(column),
      operator: some(...typeOf(column).operators),
      operand: typeOf(column).operand,
    }),
  );
  return fc.record({
    schema: fc.constant(schema),
    rows: fc.array(row, { maxLength: 12 }),
    conditions: fc.array(condition, { maxLength: 2 }),
    sort: some<string>("title", "updated", "created", ...columns.map((column) => `column ${column}`)),
    order: some<SortOrder>("asc", "desc"),
    limit: fc.integer({ min: 1, max: 5 }),
  });
});

function operandOf(operand: readonly (string | number)[]): RowCondition["operand"] {
  const [first] = operand;
  const number = typeof first === "number" ? first : null;
  const texts = operand.flatMap((each) => (typeof each === "string" ? fold(each) : []));
  return { number, time: number, checked: null, texts, ids: [] };
}

const own = (properties: ModelRow["properties"], column: string): Json =>
  Object.hasOwn(properties, column) ? (properties[column] ?? null) : null;

test("GRAPH-23: page after page, rows are those of the plain model, in its order", async (t) => {
  const { database } = await scratchDatabase(t);
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ schema, rows, conditions, sort, order, limit }) => {
      const typeOf = (column: string): ModelType => types[schema[column] ?? ""] as ModelType;
      const column = sort.startsWith("column ") ? sort.slice("column ".length) : null;
      const keyOf = ({ title, updatedAt, createdAt, properties }: ModelRow) => {
        if (column !== null) return typeOf(column).plain(own(properties, column));
        if (sort === "title") return title === "" ? [] : [fold(title)];
        return [sort === "updated" ? updatedAt : createdAt];
      };
      const expected = rows
        .map((row, index) => ({ row, index }))
        .filter(({ row }) =>
          conditions.every((each) => modelMeets(typeOf(each.column), own(row.properties, each.column), each)),
        )
        .sort(
          (a, b) => modelCompare(keyOf(a.row), keyOf(b.row), order === "asc" ? 1 : -1) || a.index - b.index,
        );

      const { source, revision } = await storedRows(database, rows);
      const columns = Object.keys(schema);
      const { found, total } = await allPages(runner(database, source), {
        ...everything,
        revision,
        conditions: conditions.map(({ column, operator, operand }) => ({
          column,
          kind: typeOf(column).kind,
          operator,
          operand: operandOf(operand),
        })),
        sort: column === null ? (sort as RowSort) : { column, kind: typeOf(column).kind },
        order,
        limit,
        columns: columns.map((name) => ({ name, type: "text" as const })),
      });
      assert.equal(total, expected.length);
      assert.deepEqual(
        found.map(({ number, cells }) => [number, cells]),
        expected.map(({ row, index }) => [index, columns.map((name) => own(row.properties, name))]),
      );
    }),
    { numRuns: 60 },
  );
});

test("GRAPH-23: values that are to be options are unknown where no row has them, whatever the other conditions say", async (t) => {
  const { database } = await scratchDatabase(t);
  const cells = orEmpty(fc.oneof(some<Json>(...names), fc.subarray(names), some<Json>("beta, Alpha")));
  const given = fc.record({
    rows: fc.array(cells, { maxLength: 6 }),
    values: fc.subarray([...names, "none"], { minLength: 1 }),
    limit: fc.integer({ min: 1, max: 3 }),
    byColumn: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ rows, values, limit, byColumn }) => {
      const { source, revision } = await storedRows(
        database,
        rows.map((cell, index) => ({
          title: `${index}`,
          updatedAt: 1,
          createdAt: 1,
          properties: { Tags: cell },
        })),
      );
      const whole = values.join(", ");
      const tags = { column: "Tags", kind: "name" } as const;
      const { unknownOptions } = await runner(
        database,
        source,
      )({
        ...everything,
        revision,
        limit,
        ...(byColumn && { sort: tags }),
        conditions: [
          { ...tags, operator: "=", operand: operandOf([whole, ...values]), unlisted: { whole, values } },
          { ...tags, operator: "=", operand: operandOf(["beta"]) },
        ],
      });
      const had = new Set(rows.flat().flatMap((name) => (name === null ? [] : lower(String(name)))));
      const missing = had.has(lower(whole)) ? [] : values.filter((value) => !had.has(lower(value)));
      assert.deepEqual(
        unknownOptions.map(({ column, values, ofRows }) => [
          column,
          values.map(lower),
          new Set(ofRows.map(lower)),
        ]),
        missing.length === 0 ? [] : [["Tags", [...new Set(missing.map(lower))], had]],
      );
    }),
    { numRuns: 60 },
  );
});

const rowsOf = (count: number, properties: (index: number) => ModelRow["properties"] = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({
    title: `Row ${index}`,
    updatedAt: 1,
    createdAt: 1,
    properties: properties(index),
  }));

const byPage = { column: "Page", kind: "relation" } as const;

test("GRAPH-23: a relation is shown and sorted by titles; a page that is not shared has none", async (t) => {
  const { database } = await scratchDatabase(t);
  const [alpha, beta, , hidden] = otherIds as [NodeId, NodeId, NodeId, NodeId];
  const pages: readonly Json[] = [[hidden], [beta, hidden], [beta, alpha], [alpha], []];
  const { source, revision } = await storedRows(
    database,
    rowsOf(5, (index) => ({ Page: pages[index] ?? null })),
    otherTitles,
  );
  const { rows } = await runner(
    database,
    source,
  )({
    ...everything,
    revision,
    sort: byPage,
    columns: [{ name: "Page", type: "relation" }],
  });
  assert.deepEqual(
    rows.map(({ cells }) => cells[0]),
    [
      [{ id: alpha, title: "Alpha" }],
      [
        { id: beta, title: "beta" },
        { id: hidden, title: null },
      ],
      [
        { id: beta, title: "beta" },
        { id: alpha, title: "Alpha" },
      ],
      [{ id: hidden, title: null }],
      [],
    ],
  );
});

/** A list of 1 200 rows, cut by time after its first batch. */
async function cutList(t: TestContext, sort: RowsJobInput["sort"], conditions: readonly RowCondition[]) {
  const { database } = await scratchDatabase(t);
  const { source, revision } = await storedRows(
    database,
    rowsOf(1_200, (index) => ({ Size: index })),
  );
  let now = 0;
  const run = runner(database, source, () => {
    now += 3_000;
    return now;
  });
  return { run, input: { ...everything, revision, sort, conditions, limit: 200 } };
}

const isLarge: RowCondition = {
  column: "Size",
  kind: "number",
  operator: ">=",
  operand: { number: 1_199, time: null, checked: null, texts: [], ids: [] },
};

test("GRAPH-9: a search that takes too long says so, and the next page continues where it stopped", async (t) => {
  const { run, input } = await cutList(t, "created", [isLarge]);
  const first = await run(input);
  assert.deepEqual([first.rows.length, first.truncated, first.total], [0, true, null]);
  const found = [];
  let from: RowsJobInput["from"] = first.after === null ? null : { after: first.after, total: first.total };
  for (let pages = 0; from !== null && pages < 10; pages += 1) {
    const { rows, after, total } = await run({ ...input, from });
    assert.equal(total, null);
    found.push(...rows.map(({ node }) => node - 1));
    from = after === null ? null : { after, total };
  }
  assert.deepEqual(found, [1_199]);
});

test("GRAPH-23: a search that was cut short says of no value that it is unknown", async (t) => {
  const unlisted = { whole: "none", values: ["none"] };
  const tags = {
    column: "Tags",
    kind: "name",
    operator: "=",
    operand: operandOf(["none"]),
    unlisted,
  } as const;
  const { run, input } = await cutList(t, "created", [tags]);
  const { truncated, unknownOptions } = await run(input);
  assert.deepEqual([truncated, unknownOptions], [true, []]);
});

test("GRAPH-9: sorted by a column, a search that takes too long has the first of what it read", async (t) => {
  const { run, input } = await cutList(t, { column: "Size", kind: "number" }, []);
  const { rows, truncated, total, after } = await run({ ...input, order: "desc", limit: 1 });
  assert.deepEqual([rows.length, truncated, total], [1, true, 1_200]);
  assert.notEqual(after, null);
  assert.ok((rows[0]?.node ?? 0) < 1_199);
});

test("GRAPH-23: a list ends once a row has changed since it began, not for other changes", async (t) => {
  const { database } = await scratchDatabase(t);
  const { source, revision } = await storedRows(
    database,
    rowsOf(5, (index) => ({ Size: index })),
  );
  const run = runner(database, source);
  const input = { ...everything, revision, sort: { column: "Size", kind: "number" }, limit: 2 } as const;
  const { after, total } = await run(input);
  assert.ok(after !== null);
  const next = { ...input, from: { after, total } };
  const write = (number: number, given: object) =>
    database.transaction(async (trx) => {
      await upsertNodes(trx, source.connectionId, [page(number, given)]);
    });
  await write(firstOther, { title: "Another page" });
  assert.deepEqual(
    (await run(next)).rows.map(({ node }) => node - 1),
    [2, 3],
  );
  await write(firstRow, { title: "Row 0", parentId: nodeId(databaseNumber), properties: { Size: 9 } });
  await assert.rejects(run(next), { code: "cursor_expired" });
});

test("GRAPH-23: a page ends early rather than exceed a response, and a huge value is left out", async (t) => {
  const { database } = await scratchDatabase(t);
  const large = (megabytes: number) => "x".repeat(megabytes * 1024 * 1024);
  const sizes = [1, 2, 2, 5, 1];
  const { source, revision } = await storedRows(
    database,
    rowsOf(5, (index) => ({ Text: large(sizes[index] ?? 0), Size: index })),
  );
  const columns = [
    { name: "Text", type: "text" },
    { name: "Size", type: "number" },
  ] as const;
  const input = { ...everything, revision, columns };
  const pages: unknown[] = [];
  let from: RowsJobInput["from"] = null;
  for (;;) {
    const { rows, after, total, truncated } = await runner(database, source)({ ...input, from });
    pages.push([rows.map(({ cells }) => cells[1]), rows[0]?.cells[0] === null, truncated]);
    assert.equal(total, 5);
    if (after === null) break;
    from = { after, total };
  }
  assert.deepEqual(pages, [
    [[0, 1], false, false],
    [[2], false, false],
    [[3], true, true],
    [[4], false, false],
  ]);
});
