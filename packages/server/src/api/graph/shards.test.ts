import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import { readSearchedPage } from "../../store/queries/page-texts.ts";
import { readRows } from "../../store/queries/rows.ts";
import { onPostgres } from "../../store/testing/location.ts";
import { recordStatements } from "../../store/testing/record-statements.ts";
import { nodeId, scratchFile } from "../../store/testing/scratch.ts";
import { type Columns, tablesOf } from "../../store/testing/statement-tables.ts";
import { requests, serveLinkedPages } from "./testing/linked-pages.ts";

/*
 * How the database can be divided among servers: docs/scaling.md says by which column each table is, and what does not
 * fit yet.
 */

const documentation = readFileSync(join(import.meta.dirname, "../../../../../docs/scaling.md"), "utf8");

/** The column that each table is distributed by, as the document's table says; null for tables that are kept whole. */
const distribution: ReadonlyMap<string, string | null> = new Map(
  [...documentation.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| (?:`(\w+)`|whole) \|/gm)].flatMap(
    ([, tables = "", column]) =>
      [...tables.matchAll(/`(\w+)`/g)].map(([, table = ""]) => [table, column ?? null] as const),
  ),
);

/** The exceptions, in the words of the document. */
const exceptions = {
  statements: ["service_tokens → connections", "sessions → connections"],
  keys: ["audit (id)", "connections (user_id, workspace_id)", "service_tokens (id)", "sync_reports (id)"],
};

async function schemaOf(t: TestContext): Promise<Sqlite.Database> {
  const { path } = await scratchFile(t);
  const file = new Sqlite(path, { readonly: true });
  t.after(() => file.close());
  return file;
}

const tablesIn = (file: Sqlite.Database) =>
  file
    .prepare<[], string>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
    )
    .pluck()
    .all();

function columnsIn(file: Sqlite.Database): Columns {
  const columns = file.prepare<[string], string>("select name from pragma_table_info(?)").pluck();
  return Object.fromEntries(tablesIn(file).map((table) => [table, columns.all(table)]));
}

/** The tables that a statement reads on more than one shard: by another column, or after another table. */
function crossingsOf(sql: string, columns: Columns): readonly string[] {
  const uses = tablesOf(sql, columns);
  return uses.flatMap(({ table, fixed }) => {
    const column = distribution.get(table);
    if (column === undefined) throw new Error(`docs/scaling.md has no table ${table}`);
    if (column === null || fixed.has(column)) return [];
    return fixed.size > 0 ? [`${table} by ${[...fixed].join(", ")}`] : [`${uses[0]?.table} → ${table}`];
  });
}

/** The statements that the read path runs: all operations of both audiences, graphs loaded anew. */
async function readPath(t: TestContext): Promise<readonly string[]> {
  const { server, owner, connection, token } = await serveLinkedPages(t);
  server.graphs.forget(connection.id);

  const recorded = recordStatements(t);
  for (const [operation, paths] of Object.entries(requests))
    for (const path of paths)
      for (const bearer of [token, owner.session]) {
        const { status, text } = await bearer.get(path);
        assert.equal(status, 200, `${operation}: ${text}`);
      }
  // Queries of threads, which are not recorded: here are those that the threads' jobs call.
  const { read } = server.fixture.database;
  await readSearchedPage(read, connection.id, nodeId(1));
  await readRows(read, connection.id, [nodeId(1)]);
  return [...new Set(recorded())];
}

test("OPS-8: docs/scaling.md names every table with the column that it is distributed by", async (t) => {
  const columns = columnsIn(await schemaOf(t));
  assert.deepEqual([...distribution.keys()].sort(), Object.keys(columns).sort());
  for (const [table, column] of distribution)
    if (column !== null) assert(columns[table]?.includes(column), `${table} has no column ${column}`);
});

const needsRecorder = onPostgres && "statements are recorded on SQLite, from the same queries";

test("OPS-8: statements of the read path read one shard, but for those that docs/scaling.md names", {
  skip: needsRecorder,
}, async (t) => {
  const columns = columnsIn(await schemaOf(t));
  const statements = (await readPath(t)).filter((sql) => /^\s*select/i.test(sql));
  assert(statements.length > 20, `only ${statements.length} statements`);
  const crossing = statements.flatMap((sql) => crossingsOf(sql, columns));
  t.diagnostic(`${statements.length} statements; ${crossing.length} cross shards`);
  assert.deepEqual(crossing.sort(), exceptions.statements.toSorted());
  for (const name of exceptions.statements) assert(documentation.includes(`\`${name}\``), name);
});

test("OPS-8: threads read through no other queries than those that the test above runs", async () => {
  const folder = join(import.meta.dirname, "../../queries");
  const files = globSync("**/*.ts", { cwd: folder, exclude: (path) => path.endsWith(".test.ts") });
  const sources = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const imported = sources.flatMap((source) =>
    [...source.matchAll(/^import \{([^}]*)\} from "[^"]*store\/queries\//gm)].flatMap(([, names = ""]) =>
      names.split(",").map((name) => name.trim()),
    ),
  );
  const functions = imported.filter((name) => !name.startsWith("type "));
  assert.deepEqual([...new Set(functions)].sort(), ["readRows", "readSearchedPage"]);
});

test("OPS-8: keys contain the distribution column, but for those that docs/scaling.md names", async (t) => {
  const file = await schemaOf(t);
  const unique = file
    .prepare<[string], string>('select name from pragma_index_list(?) where "unique" = 1 and partial = 0')
    .pluck();
  const columnsOfIndex = file
    .prepare<[string], string>("select name from pragma_index_info(?) order by seqno")
    .pluck();
  const primary = file
    .prepare<[string], string>("select name from pragma_table_info(?) where pk > 0 order by pk")
    .pluck();
  const lacking = [...distribution].flatMap(([table, column]) => {
    if (column === null) return [];
    const keys = [primary.all(table), ...unique.all(table).map((index) => columnsOfIndex.all(index))];
    return keys.filter((key) => !key.includes(column)).map((key) => `${table} (${key.join(", ")})`);
  });
  assert.deepEqual([...new Set(lacking)].sort(), exceptions.keys);
  for (const name of exceptions.keys) assert(documentation.includes(`\`${name}\``), name);
});

test("OPS-8: foreign keys stay within a shard, or lead to a table that every server has a copy of", async (t) => {
  const file = await schemaOf(t);
  const foreign = file.prepare<
    [string],
    { readonly to: string; readonly from: string; readonly target: string }
  >('select "table" as target, "from", "to" from pragma_foreign_key_list(?)');
  const lacking = [...distribution].flatMap(([table, column]) => {
    const byTarget = Map.groupBy(foreign.all(table), ({ target }) => target);
    return [...byTarget].flatMap(([target, pairs]) => {
      const targetColumn = distribution.get(target);
      const isWithin =
        targetColumn === null || pairs.some(({ from, to }) => from === column && to === targetColumn);
      return isWithin ? [] : [`${table} → ${target}`];
    });
  });
  assert.deepEqual(lacking, []);
});
