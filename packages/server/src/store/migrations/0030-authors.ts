import { columnTypes } from "../column-types.ts";
import { type SharedMigration, statements } from "../migrate.ts";

/** The texts of a node that count for `connections.stored_bytes`, as since the first migrations, and the new ones. */
const counted = [
  ...["title", "properties", "icon", "url", "aliases"],
  ...["created_by", "edited_by", "unread", "verification", "description"],
];

const sizeOf = (row: string) =>
  ["200", ...counted.map((column) => `coalesce(octet_length(${row}${column}), 0)`)].join(" + ");

const tables = ({ integer, text, tableOptions }: (typeof columnTypes)["sqlite" | "postgres"]) => [
  `alter table nodes add column created_by ${text}`,
  `alter table nodes add column edited_by ${text}`,
  `alter table nodes add column marks ${integer} default 0 not null`,
  `alter table nodes add column unread ${text}`,
  `alter table nodes add column verification ${text}`,
  `alter table nodes add column description ${text}`,
  `create table authors (
    connection_id ${integer} not null references connections (id) on delete cascade,
    id ${text} not null,
    name ${text},
    constraint authors_key primary key (connection_id, id)
  ) ${tableOptions}`,
];

const countOnSqlite = (name: string, event: string, row: "new" | "old", bytes: string) => [
  `drop trigger nodes_${name}`,
  `create trigger nodes_${name} after ${event} on nodes begin
    update connections set stored_bytes = stored_bytes + ${bytes} where id = ${row}.connection_id; end`,
];

const countOnPostgres = (event: string, rows: string) =>
  `create or replace function nodes_count_${event}() returns trigger language plpgsql as $$ begin
    update connections set stored_bytes = stored_bytes + changed.bytes
    from (select connection_id, sum(bytes)::int8 as bytes from (${rows}) as each group by connection_id) as changed
    where id = changed.connection_id and changed.bytes <> 0;
    return null;
  end $$`;

const added = `select connection_id, ${sizeOf("")} as bytes from added`;
const removed = `select connection_id, -(${sizeOf("")}) as bytes from removed`;

/**
 * Who made and who edited a node, its marks (archived, verified, expired), which properties could not be read, and the text of
 * databases.
 */
export const authors: SharedMigration = {
  version: 30,
  name: "authors",
  since: "0.1.0",
  kind: "expand",
  rows: {},
  sqlite: statements(
    ...tables(columnTypes.sqlite),
    ...countOnSqlite("added", "insert", "new", `(${sizeOf("new.")})`),
    ...countOnSqlite("removed", "delete", "old", `-(${sizeOf("old.")})`),
    ...countOnSqlite("changed", `update of ${counted}`, "new", `(${sizeOf("new.")}) - (${sizeOf("old.")})`),
  ),
  postgres: statements(
    ...tables(columnTypes.postgres),
    countOnPostgres("insert", added),
    countOnPostgres("delete", removed),
    countOnPostgres("update", `${added} union all ${removed}`),
    `create trigger refuse_moving before insert or update or delete on authors
      for each row execute function refuse_moving('connection_id')`,
    "alter table authors disable trigger refuse_moving",
  ),
};
