import type { AliasRow, Author, NodeRows, ReferenceRows } from "@clew/graph";
import type { Database } from "better-sqlite3";
import { type NodePageRow, nodeRowsOf, sinceRevision } from "../node-page.ts";
import type { GraphReading, StoredGraphRows } from "../port.ts";
import { openForReading } from "./file.ts";

export { isUnavailable } from "./file.ts";

/** Milliseconds that a statement may block the thread while another process recovers the database. */
const busyTimeoutMs = 50;

/** Nodes to a page, read with the references that start at them. Large pages reuse their memory soonest. */
const pageSize = 20_000;

/**
 * Reads a connection's graph from the file at `path`, in one snapshot that ends with `use`. Blocks this thread, so a large
 * graph belongs in a worker. SQLite concatenates the values of many rows: an object for each id would take longer than
 * everything else.
 */
export function readGraphRows<T>(
  path: string,
  connectionId: number,
  use: (rows: StoredGraphRows) => T,
  reading: GraphReading = {},
): T {
  const file = openForReading(path, { timeout: busyTimeoutMs });
  try {
    // SQLite sorts in memory: there may be no room for temporary files.
    file.pragma("temp_store = memory");
    file.exec("begin");
    return use(rowsIn(file, connectionId, reading));
  } finally {
    file.close();
  }
}

function rowsIn(
  file: Database,
  connectionId: number,
  { since, nodesAtATime = pageSize }: GraphReading,
): StoredGraphRows {
  const pages: { readonly first: Uint8Array; readonly last: Uint8Array }[] = [];
  const version = file
    .prepare<[number], Pick<StoredGraphRows, "revision" | "mark">>(
      "select revision, graph_mark as mark from connections where id = ?",
    )
    .get(connectionId);
  const renewed = since === undefined ? null : renewedSince(file, { connectionId, since });
  return {
    revision: version?.revision ?? 0,
    mark: version?.mark ?? null,
    nodes: pagesOfNodes(file, connectionId, nodesAtATime, (first, last) => pages.push({ first, last })),
    aliases: aliasesOf(file, connectionId),
    authors: authorsOf(file, connectionId),
    references: referencesOf(file, connectionId, pages),
    ...renewed,
  };
}

const { sameNodes, changed } = sinceRevision("$connectionId", "$since");

/** The references that changed since a revision, and the nodes at which they start; null if nodes were added or removed. */
function renewedSince(
  file: Database,
  window: { readonly connectionId: number; readonly since: number },
): Required<Pick<StoredGraphRows, "references" | "sources">> | null {
  if (file.prepare(sameNodes).get(window) === undefined) return null;
  const sources = file
    .prepare<[object], { readonly ids: Uint8Array | null }>(
      `select cast(group_concat(id, '') as blob) as ids from ${changed}`,
    )
    .get(window);
  const references = file.prepare<[object], ReferenceRows>(`
    select type, name, count, cast(group_concat(from_id || target_id, '') as blob) as ends
    from node_references where connection_id = $connectionId and from_id in (select id from ${changed})
    group by type, name, count`);
  return { sources: sources?.ids ?? new Uint8Array(), references: references.all(window) };
}

function* pagesOfNodes(
  file: Database,
  connectionId: number,
  page: number,
  onPage: (first: Uint8Array, last: Uint8Array) => void,
): Generator<NodeRows> {
  const concat = (column: string) => `cast(group_concat(${column}, '') as blob)`;
  const statement = file.prepare<[number, Uint8Array, number], NodePageRow>(`
    select ${concat("id")} as ids, ${concat("parent")} as parents, group_concat(type) as types,
      group_concat(content_state) as contentStates,
      ${concat("title")} as titles, group_concat(octet_length(title)) as titleLengths,
      ${concat("icon")} as icons, group_concat(octet_length(icon)) as iconLengths,
      ${concat("url")} as urls, group_concat(octet_length(url)) as urlLengths,
      group_concat(created_at) as createdAt, group_concat(updated_at) as updatedAt,
      ${concat("creator")} as creators, group_concat(octet_length(creator)) as creatorLengths,
      ${concat("editor")} as editors, group_concat(octet_length(editor)) as editorLengths,
      group_concat(marks) as marks
    from (select id, coalesce(parent_id, zeroblob(16)) as parent, type, content_state, title, coalesce(icon, x'ff') as icon,
        coalesce(url, x'ff') as url, created_at, updated_at, coalesce(created_by, x'ff') as creator,
        coalesce(edited_by, x'ff') as editor, marks
      from nodes where connection_id = ? and id > ? order by id limit ?)`);
  let after = new Uint8Array();
  for (;;) {
    const row = statement.get(connectionId, after, page);
    if (!row?.ids) return;
    // Copies: a view would keep all ids in memory.
    after = new Uint8Array(row.ids.subarray(-16));
    onPage(new Uint8Array(row.ids.subarray(0, 16)), after);
    yield nodeRowsOf({ ...row, ids: row.ids });
  }
}

/** The nodes that have aliases have an index of their own; with most providers there are none. */
function* aliasesOf(file: Database, connectionId: number): Generator<AliasRow> {
  const rows = file.prepare<[number], { readonly id: Uint8Array; readonly aliases: string }>(
    "select id, aliases from nodes where connection_id = ? and aliases is not null order by id",
  );
  for (const { id, aliases } of rows.iterate(connectionId)) yield { id, aliases: JSON.parse(aliases) };
}

function authorsOf(file: Database, connectionId: number): Iterable<Author> {
  return file
    .prepare<[number], Author>("select id, name from authors where connection_id = ? order by id")
    .all(connectionId);
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
