import type { Database } from "better-sqlite3";
import type { GraphRows, NodeRows, ThreadRows } from "../model/graph-rows.ts";
import { openForReading } from "./sqlite/file.ts";

/** A connection's graph as of one moment, to be read while that lasts. */
export interface StoredRows extends GraphRows {
  /** 0 where the connection is gone, and there are no rows. */
  readonly revision: number;
  /** Whether it has more than so many nodes, or four times as many threads. Does not count them all. */
  exceeds(nodes: number): boolean;
}

/** Nodes read at a time, and the threads that begin at them. */
const page = 5000;

/**
 * Reads a connection's graph from the file at `path`, in one consistent snapshot that ends with `use`. Reads without
 * Kysely and without a break: a large graph belongs to a thread of its own. A driver that made an object of each id
 * would take longer for that than for all the rest, so that SQLite itself strings them together.
 */
export function withGraphRows<T>(path: string, connectionId: number, use: (rows: StoredRows) => T): T {
  const file = openForReading(path);
  try {
    file.exec("begin");
    return use(rowsIn(file, connectionId));
  } finally {
    file.close();
  }
}

function rowsIn(file: Database, connectionId: number): StoredRows {
  const pages: { readonly first: Uint8Array; readonly last: Uint8Array }[] = [];
  return {
    revision: revisionOf(file, connectionId),
    exceeds: (nodes) =>
      hasMore(file, "nodes", connectionId, nodes) || hasMore(file, "threads", connectionId, 4 * nodes),
    nodes: pagesOfNodes(file, connectionId, (first, last) => pages.push({ first, last })),
    threads: threadsOf(file, connectionId, pages),
  };
}

function revisionOf(file: Database, connectionId: number): number {
  const revision = file.prepare<[number], number>("select revision from connections where id = ?").pluck();
  return revision.get(connectionId) ?? 0;
}

function hasMore(file: Database, table: "nodes" | "threads", connectionId: number, rows: number): boolean {
  const sql = `select 1 from ${table} where connection_id = ? limit 1 offset ?`;
  return file.prepare<[number, number], number>(sql).pluck().get(connectionId, rows) !== undefined;
}

function* pagesOfNodes(
  file: Database,
  connectionId: number,
  seen: (first: Uint8Array, last: Uint8Array) => void,
): Generator<NodeRows> {
  const keys = file.prepare<[number, Uint8Array, number], { ids: Uint8Array | null; parents: Uint8Array }>(`
    select cast(group_concat(id, '') as blob) as ids,
      cast(group_concat(coalesce(parent_id, zeroblob(16)), '') as blob) as parents
    from (select id, parent_id from nodes where connection_id = ? and id > ? order by id limit ?)`);
  const facts = file.prepare<[number, Uint8Array, Uint8Array], NodeRows["facts"][number]>(`
    select type, title, icon, url, created_at as createdAt, updated_at as updatedAt
    from nodes where connection_id = ? and id between ? and ? order by id`);
  let after = new Uint8Array();
  for (;;) {
    const row = keys.get(connectionId, after, page);
    if (!row?.ids) return;
    const [first, last] = [row.ids.slice(0, 16), row.ids.slice(-16)];
    seen(first, last);
    yield { ids: row.ids, parents: row.parents, facts: facts.all(connectionId, first, last) };
    after = new Uint8Array(last);
  }
}

function* threadsOf(
  file: Database,
  connectionId: number,
  pages: readonly { readonly first: Uint8Array; readonly last: Uint8Array }[],
): Generator<ThreadRows> {
  const threads = file.prepare<[number, Uint8Array, Uint8Array], ThreadRows>(`
    select type, name, count, cast(group_concat(from_id || target_id, '') as blob) as ends
    from threads where connection_id = ? and from_id between ? and ? group by type, name, count`);
  for (const { first, last } of pages) yield* threads.all(connectionId, first, last);
}
