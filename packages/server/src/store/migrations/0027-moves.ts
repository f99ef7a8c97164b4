import { type SharedMigration, statements } from "../migrate.ts";

/** The column by which a trigger finds the person of a row. */
const tables = {
  users: "id",
  sessions: "user_id",
  service_tokens: "user_id",
  app_codes: "user_id",
  audit: "user_id",
  connections: "user_id",
  nodes: "connection_id",
  contents: "connection_id",
  node_references: "connection_id",
  tombstones: "connection_id",
  crawl_checkpoints: "connection_id",
  data_sources: "connection_id",
  blocks: "connection_id",
  looked_up_nodes: "connection_id",
  maps: "connection_id",
  sync_jobs: "connection_id",
  sync_reports: "connection_id",
} as const;

const inBoth = (integer: string) => [
  `alter table users add column moving ${integer}`,
  "create index users_moving on users (id) where moving is not null",
  "create index audit_by_time on audit (at)",
];

/**
 * Refuses a write of a person who is being moved, unless the transaction is the move's own. It locks the person's row, so that a mark
 * which was set after the transaction's snapshot makes it run again and see the mark.
 */
const refuseMoving = `create function refuse_moving() returns trigger language plpgsql as $$
declare
  owners text[];
  person record;
begin
  if coalesce(current_setting('clew.moves', true), '') <> 'on' then
    if tg_argv[0] = 'id' then owners := array[old.id, new.id];
    elsif tg_argv[0] = 'user_id' then owners := array[old.user_id, new.user_id];
    else owners := array(select user_id from connections where id in (old.connection_id, new.connection_id));
    end if;
    for person in select moving from users where id = any(owners) order by id for share loop
      if person.moving is not null then
        raise exception 'a person is being moved to another bucket' using errcode = 'CL001';
      end if;
    end loop;
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$`;

/**
 * Which bucket a person is being moved to, and the triggers that refuse all other writes of them meanwhile. They are disabled, and so
 * cost nothing, while nobody is moved. Buckets are PostgreSQL databases, so SQLite has no triggers.
 */
export const moves: SharedMigration = {
  version: 27,
  name: "moves",
  since: "0.1.0",
  kind: "expand",
  rows: { users: "indexes", audit: "indexes" },
  sqlite: statements(...inBoth("integer")),
  postgres: statements(
    ...inBoth("int8"),
    refuseMoving,
    ...Object.entries(tables).flatMap(([table, column]) => [
      `create trigger refuse_moving before insert or update or delete on ${table}
        for each row execute function refuse_moving('${column}')`,
      `alter table ${table} disable trigger refuse_moving`,
    ]),
  ),
};
