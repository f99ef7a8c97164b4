import assert from "node:assert/strict";
import { test } from "node:test";
import { tablesOf } from "./statement-tables.ts";

const columns = {
  nodes: ["connection_id", "id", "parent_id", "title"],
  contents: ["connection_id", "node_id", "markdown"],
  users: ["id", "email"],
  sessions: ["id", "user_id"],
};

/** The fixed columns of each table, as `table: column, column`. */
const fixed = (sql: string) =>
  tablesOf(sql, columns).map(({ table, fixed }) => `${table}: ${[...fixed].join(", ")}`);

test("a column is fixed by `=` or `in` with values", () => {
  assert.deepEqual(fixed('select "id" from "nodes" where "connection_id" = ? and "title" > ?'), [
    "nodes: connection_id",
  ]);
  assert.deepEqual(fixed("select id from nodes where connection_id = any ($1) and id in ($2, $3)"), [
    "nodes: connection_id, id",
  ]);
  assert.deepEqual(fixed("select id from nodes where (connection_id = 7) and id between ? and ?"), [
    "nodes: connection_id",
  ]);
});

test("a join passes what is fixed on", () => {
  const join =
    'select * from "nodes" left join "contents" as "text" on "text"."connection_id" = "nodes"."connection_id" where "nodes"."connection_id" = ?';
  assert.deepEqual(fixed(join), ["nodes: connection_id", "contents: connection_id"]);
  assert.deepEqual(
    fixed("select * from sessions inner join users on users.id = sessions.user_id where sessions.id = ?"),
    ["sessions: id", "users: "],
  );
});

test("subqueries and unions are read too", () => {
  const exists =
    "select title from nodes where connection_id = ? and not exists (select 1 from contents where contents.connection_id = nodes.connection_id and node_id = nodes.id)";
  assert.deepEqual(fixed(exists), ["nodes: connection_id", "contents: connection_id"]);
  const union =
    "select * from (select id from nodes where connection_id = ?) as one union all select * from (select node_id from contents) as other";
  assert.deepEqual(fixed(union), ["nodes: connection_id", "contents: "]);
});

test("what holds only in some rows fixes nothing", () => {
  assert.deepEqual(fixed("select id from nodes where connection_id = ? or id = ?"), ["nodes: "]);
  assert.deepEqual(fixed("select id from nodes where (connection_id = ? or id = ?) and title = ?"), [
    "nodes: title",
  ]);
  assert.deepEqual(fixed("select id from nodes where not connection_id = ?"), ["nodes: "]);
  assert.deepEqual(fixed("select id from nodes where connection_id <> ?"), ["nodes: "]);
});

test("what is not understood is refused", () => {
  assert.throws(() => fixed("update nodes set title = ? where connection_id = ?"));
  assert.throws(() => fixed("select id from nodes where id = {"));
});
