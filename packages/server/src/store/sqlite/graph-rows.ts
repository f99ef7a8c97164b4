import type { NodeType } from "@clew/contract";
import type { AliasRow, GraphRows, NodeRows, ReferenceRows } from "@clew/graph";
import type { Database } from "better-sqlite3";
import { openForReading } from "./file.ts";

/** A connection's graph as of one moment, to be read while that lasts. */
export interface StoredRows extends GraphRows {
  /** 0 where the connection is gone, and there are no rows. */
  readonly revision: number;
  /** Whether it has more than so many nodes, or four times as many references. Does not count them all. */
  exceeds(nodes: number): boolean;
}

/** Milliseconds that a statement may block the thread while another process recovers the database. */
const busyTimeoutMs = 50;

/** Nodes read at a time, and the references that begin at them: in few pieces, so that their memory is soon used again. */
const nodesAtOnce = 20_000;

/**
 * Reads a connection's graph from the file at `path`, in one consistent snapshot that ends with `use`. Reads without
 * Kysely and without a break: a large graph belongs to a thread of its own. A driver that made an object of each id
 * would take longer for that than for all the rest, so that SQLite itself strings them together.
 */
export function withGraphRows<T>(
  path: string,
  connectionId: number,
  use: (rows: StoredRows) => T,
  page = nodesAtOnce,
): T {
  const file = openForReading(path, { timeout: busyTimeoutMs });
  try {
    // What SQLite sorts stays in memory: there may be no place for files.
    file.pragma("temp_store = memory");
    file.exec("begin");
    return use(rowsIn(file, connectionId, page));
  } finally {
    file.close();
  }
}

function rowsIn(file: Database, connectionId: number, page: number): StoredRows {
  const pages: { readonly first: Uint8Array; readonly last: Uint8Array }[] = [];
  return {
    revision: revisionOf(file, connectionId),
    exceeds: (nodes) =>
      hasMore(file, "nodes", connectionId, nodes) ||
      hasMore(file, "node_references", connectionId, 4 * nodes),
    nodes: pagesOfNodes(file, connectionId, page, (first, last) => pages.push({ first, last })),
    aliases: aliasesOf(file, connectionId),
    references: referencesOf(file, connectionId, pages),
  };
}

function revisionOf(file: Database, connectionId: number): number {
  const revision = file.prepare<[number], number>("select revision from connections where id = ?").pluck();
  return revision.get(connectionId) ?? 0;
}

function hasMore(
  file: Database,
  table: "nodes" | "node_references",
  connectionId: number,
  rows: number,
): boolean {
  const sql = `select 1 from ${table} where connection_id = ? limit 1 offset ?`;
  return file.prepare<[number, number], number>(sql).pluck().get(connectionId, rows) !== undefined;
}

/** Some nodes as SQLite strings them together: lists of numbers and types have commas between. */
interface NodePage {
  readonly ids: Uint8Array | null;
  readonly parents: Uint8Array;
  readonly types: string;
  readonly titles: Uint8Array;
  readonly titleLengths: string;
  readonly icons: Uint8Array;
  readonly iconLengths: string;
  readonly urls: Uint8Array;
  readonly urlLengths: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

function* pagesOfNodes(
  file: Database,
  connectionId: number,
  page: number,
  seen: (first: Uint8Array, last: Uint8Array) => void,
): Generator<NodeRows> {
  const together = (column: string) => `cast(group_concat(${column}, '') as blob)`;
  const statement = file.prepare<[number, Uint8Array, number], NodePage>(`
    select ${together("id")} as ids, ${together("parent")} as parents, group_concat(type) as types,
      ${together("title")} as titles, group_concat(octet_length(title)) as titleLengths,
      ${together("icon")} as icons, group_concat(octet_length(icon)) as iconLengths,
      ${together("url")} as urls, group_concat(octet_length(url)) as urlLengths,
      group_concat(created_at) as createdAt, group_concat(updated_at) as updatedAt
    from (select id, coalesce(parent_id, zeroblob(16)) as parent, type, title, coalesce(icon, x'ff') as icon,
        coalesce(url, x'ff') as url, created_at, updated_at
      from nodes where connection_id = ? and id > ? order by id limit ?)`);
  let after = new Uint8Array();
  for (;;) {
    const row = statement.get(connectionId, after, page);
    if (!row?.ids) return;
    // Copies: a part of the ids would keep all of them.
    after = new Uint8Array(row.ids.subarray(-16));
    seen(new Uint8Array(row.ids.subarray(0, 16)), after);
    yield {
      ids: row.ids,
      parents: row.parents,
      // As they were written.
      types: row.types.split(",") as NodeType[],
      titles: { bytes: row.titles, lengths: numbersIn(row.titleLengths) },
      icons: { bytes: row.icons, lengths: numbersIn(row.iconLengths) },
      urls: { bytes: row.urls, lengths: numbersIn(row.urlLengths) },
      createdAt: numbersIn(row.createdAt),
      updatedAt: numbersIn(row.updatedAt),
    };
  }
}

/** JSON's reader is the quickest that there is for lists of numbers. */
function numbersIn(list: string): number[] {
  return JSON.parse(`[${list}]`);
}

/** An index of its own holds the nodes that have some, which are none at most providers. */
function* aliasesOf(file: Database, connectionId: number): Generator<AliasRow> {
  const rows = file.prepare<[number], { readonly id: Uint8Array; readonly aliases: string }>(
    "select id, aliases from nodes where connection_id = ? and aliases is not null order by id",
  );
  for (const { id, aliases } of rows.iterate(connectionId)) yield { id, aliases: JSON.parse(aliases) };
}

function* referencesOf(
  file: Database,
  connectionId: number,
  pages: readonly { readonly first: Uint8Array; readonly last: Uint8Array }[],
): Generator<ReferenceRows> {
  const references = file.prepare<[number, Uint8Array, Uint8Array], ReferenceRows>(`
    select type, name, count, cast(group_concat(from_id || target_id, '') as blob) as ends
    from node_references where connection_id = ? and from_id between ? and ? group by type, name, count`);
  for (const { first, last } of pages) yield* references.all(connectionId, first, last);
}
