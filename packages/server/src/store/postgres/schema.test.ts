import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { onPostgres } from "../testing/location.ts";
import { scratchDatabase, scratchFile } from "../testing/scratch.ts";

const recipe =
  "A column is added to both by one file in packages/server/src/store/migrations: see “A column in both databases” in docs/how-to-add.md.";

const types: Readonly<Record<string, string>> = { INTEGER: "bigint", TEXT: "text", BLOB: "bytea" };

test("OPS-8: PostgreSQL has the tables of SQLite", { skip: !onPostgres }, async (t) => {
  const [file, server] = [(await scratchFile(t)).database, (await scratchDatabase(t)).database];
  const inFile = await sql<{ table: string; column: string; type: string; isNullable: number }>`
    select tables.name as "table", columns.name as "column", columns.type, columns."notnull" = 0 and columns.pk = 0 as "isNullable"
    from pragma_table_list as tables, pragma_table_info(tables.name) as columns
    where tables.schema = 'main' and tables.name not like 'sqlite_%' and tables.name <> 'schema_migrations'`.execute(
    file.read,
  );
  const onServer = await sql<{
    table: string;
    column: string;
    type: string;
    isNullable: boolean;
    collation: string;
  }>`
    select table_name as "table", column_name as "column", data_type as type, is_nullable = 'YES' as "isNullable",
      coalesce(collation_name, 'none') as collation
    from information_schema.columns where table_schema = 'public' and table_name not like 'text\\_%' and table_name not like 'activity\\_%'
      and table_name <> 'schema_migrations'`.execute(server.read);
  const lines = (columns: readonly { table: string; column: string; type: string; isNullable: unknown }[]) =>
    columns
      .map(
        ({ table, column, type, isNullable }) => `${table}.${column} ${type}${isNullable ? "" : " not null"}`,
      )
      .sort();
  const expected = inFile.rows.map((column) => ({ ...column, type: types[column.type] ?? column.type }));
  assert.ok(expected.length > 100);
  const [columns, wanted] = [lines(onServer.rows), lines(expected)];
  assert.deepEqual(columns, wanted, `PostgreSQL's columns are not those of SQLite. ${recipe}`);
  const texts = onServer.rows.filter(({ type }) => type === "text");
  assert.deepEqual(new Set(texts.map(({ collation }) => collation)), new Set(["C"]));
});
