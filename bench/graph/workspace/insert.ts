import pg from "pg";
import type { DatabaseLocation } from "../../../packages/server/src/model/database-location.ts";
import { nodeKey } from "../../../packages/server/src/store/queries/statements.ts";
import { openForWriting } from "../../../packages/server/src/store/sqlite/file.ts";
import { idOf, nodeOf, referencesOf, type Workspace } from "./workspace.ts";

/** Writes the rows of a workspace past the store, which would take hours for millions of them. */
export async function insertRows(
  workspace: Workspace,
  location: DatabaseLocation,
  connectionId: number,
): Promise<void> {
  if (location.kind === "postgres") await insertIntoPostgres(workspace, location.url, connectionId);
  else insertIntoSqlite(workspace, location.path, connectionId);
}

type Value = string | number | Uint8Array | null;

const nodeColumns = {
  connection_id: "int8",
  id: "bytea",
  type: "text",
  title: "text",
  icon: "text",
  url: "text",
  parent_id: "bytea",
  created_at: "int8",
  updated_at: "int8",
} as const;

/** The members of all nodes. */
const nodeConstants = {
  properties: "'{}'",
  content_state: "'empty'",
  added_revision: "1",
  changed_revision: "1",
} as const;

const referenceColumns = {
  connection_id: "int8",
  from_id: "bytea",
  source: "text",
  position: "int8",
  type: "text",
  target_id: "bytea",
  name: "text",
  count: "int8",
} as const;

function* nodeRows(workspace: Workspace, connectionId: number): Generator<Value[]> {
  for (let page = 0; page < workspace.size; page += 1) {
    const { id, type, title, icon, url, parentId, createdAt, updatedAt } = nodeOf(workspace, page);
    const parent = parentId === null ? null : nodeKey(parentId);
    yield [connectionId, nodeKey(id), type, title, icon, url, parent, createdAt, updatedAt];
  }
}

function* referenceRows(workspace: Workspace, connectionId: number): Generator<Value[]> {
  for (let page = 0; page < workspace.size; page += 1) {
    const from = nodeKey(idOf(workspace, page));
    for (const [position, { type, targetId, name, count }] of referencesOf(workspace, page).entries()) {
      const source = type === "relation" ? "properties" : "text";
      yield [connectionId, from, source, position, type, nodeKey(targetId), name, count];
    }
  }
}

function insertIntoSqlite(workspace: Workspace, path: string, connectionId: number): void {
  const file = openForWriting(path);
  const insert = (table: string, columns: object, constants: object, rows: Iterable<Value[]>) => {
    const names = [...Object.keys(columns), ...Object.keys(constants)];
    const values = [...Object.keys(columns).map(() => "?"), ...Object.values(constants)];
    const statement = file.prepare(`insert into ${table} (${names}) values (${values})`);
    for (const row of rows) statement.run(...row);
  };
  file.transaction(() => {
    insert("nodes", nodeColumns, nodeConstants, nodeRows(workspace, connectionId));
    insert("node_references", referenceColumns, {}, referenceRows(workspace, connectionId));
  })();
  file.close();
}

/** Rows of one statement. */
const batchSize = 5_000;

async function insertIntoPostgres(workspace: Workspace, url: string, connectionId: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const insert = async (table: string, columns: object, constants: object, rows: Iterable<Value[]>) => {
    const names = [...Object.keys(columns), ...Object.keys(constants)];
    const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
    const text = `insert into ${table} (${names}) select ${["*", ...Object.values(constants)]} from unnest(${arrays})`;
    const statement = { name: table, text };
    let values: Value[][] = arrays.map(() => []);
    const flush = async () => {
      await client.query({ ...statement, values });
      values = arrays.map(() => []);
    };
    for (const row of rows) {
      for (const [index, value] of row.entries()) values[index]?.push(value);
      if (values[0]?.length === batchSize) await flush();
    }
    await flush();
  };
  try {
    await client.query("begin read write");
    // Without triggers, those of foreign keys too.
    await client.query("set local session_replication_role = replica");
    await insert("nodes", nodeColumns, nodeConstants, nodeRows(workspace, connectionId));
    await insert("node_references", referenceColumns, {}, referenceRows(workspace, connectionId));
    await client.query("commit");
    await client.query("analyze");
  } finally {
    await client.end();
  }
}
