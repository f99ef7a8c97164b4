import type { AliasRow, Author, NodeRows, ReferenceRows } from "@clew/graph";
import { parsePostgresUrl } from "../../model/postgres-address.ts";
import { type NodePageRow, nodeRowsOf, sinceRevision } from "../node-page.ts";
import type { GraphReading, StoredGraphRows } from "../port.ts";
import { openPool, type Pool, type PooledConnection } from "./pool.ts";
import { decodeText } from "./text.ts";

export { isUnavailable } from "./errors.ts";

/** Nodes to a page, read with the references that start at them. */
const pageSize = 20_000;

const nilId = "'\\x00000000000000000000000000000000'::bytea";

/** Reads a connection's graph in one snapshot, and gives all of its rows to `use`. */
export async function readPooledGraphRows<T>(
  pool: Pool,
  connectionId: number,
  use: (rows: StoredGraphRows) => T,
  reading: GraphReading = {},
): Promise<T> {
  const connection = await pool.acquire();
  let isDone = false;
  try {
    await connection.run("begin isolation level repeatable read, read only");
    const rows = await rowsIn(connection, connectionId, reading);
    await connection.run("commit");
    isDone = true;
    return use(rows);
  } finally {
    connection.release(isDone);
  }
}

/** The same over a connection of its own, for a thread. */
export async function readGraphRows<T>(
  location: string,
  connectionId: number,
  use: (rows: StoredGraphRows) => T,
  reading: GraphReading = {},
): Promise<T> {
  const pool = openPool(parsePostgresUrl(location), { maxConnections: 1 });
  try {
    return await readPooledGraphRows(pool, connectionId, use, reading);
  } finally {
    await pool.close();
  }
}

async function rowsIn(
  connection: PooledConnection,
  connectionId: number,
  { since, nodesAtATime = pageSize }: GraphReading,
): Promise<StoredGraphRows> {
  const {
    rows: [version],
  } = await connection.query<Pick<StoredGraphRows, "revision" | "mark">>(
    "select revision, graph_mark as mark from connections where id = $1",
    [connectionId],
  );
  const aliases = await connection.query<{ id: Uint8Array; aliases: string }>(
    "select id, aliases from nodes where connection_id = $1 and aliases is not null order by id",
    [connectionId],
  );
  const authors = await connection.query<Author>(
    "select id, name from authors where connection_id = $1 order by id",
    [connectionId],
  );
  const renewed = since === undefined ? null : await renewedSince(connection, [connectionId, since]);
  const nodes: NodeRows[] = [];
  const references: ReferenceRows[] = [];
  let after: Uint8Array = new Uint8Array();
  for (;;) {
    const { rows } = await connection.query<NodePageRow>(selectNodes, [connectionId, after, nodesAtATime]);
    const [row] = rows;
    if (!row?.ids) break;
    const { ids } = row;
    nodes.push(nodeRowsOf({ ...row, ids }, decoded));
    const last = ids.subarray(-16);
    const ends = [connectionId, ids.subarray(0, 16), last];
    if (renewed === null)
      references.push(...(await connection.query<ReferenceRows>(selectReferences, ends)).rows);
    after = last;
  }
  return {
    revision: version?.revision ?? 0,
    mark: version?.mark ?? null,
    nodes,
    aliases: aliases.rows.map((row): AliasRow => ({ id: row.id, aliases: JSON.parse(row.aliases) })),
    authors: authors.rows,
    references,
    ...renewed,
  };
}

/** The references that changed since a revision, and the nodes at which they start; null if nodes were added or removed. */
async function renewedSince(
  connection: PooledConnection,
  connectionAndRevision: [number, number],
): Promise<Required<Pick<StoredGraphRows, "references" | "sources">> | null> {
  const same = await connection.query(sameNodes, connectionAndRevision);
  if (same.rows.length === 0) return null;
  const sources = await connection.query<{ ids: Uint8Array | null }>(selectSources, connectionAndRevision);
  const references = await connection.query<ReferenceRows>(selectChangedReferences, connectionAndRevision);
  return { sources: sources.rows[0]?.ids ?? new Uint8Array(), references: references.rows };
}

const concatenated = (column: string) => `string_agg(${column}, '')`;
const listed = (column: string) => `string_agg(${column}::text, ',')`;
const bytesOf = (column: string) => `coalesce(convert_to(${column}, 'UTF8'), '\\xff')`;

/** PostgreSQL concatenates the values of many rows: an object for each would take longer than everything else. */
const selectNodes = `
  select ${concatenated("id")} as ids, ${concatenated("parent")} as parents, ${listed("type")} as types,
    ${listed("content_state")} as "contentStates",
    ${concatenated("title")} as titles, ${listed("octet_length(title)")} as "titleLengths",
    ${concatenated("icon")} as icons, ${listed("octet_length(icon)")} as "iconLengths",
    ${concatenated("url")} as urls, ${listed("octet_length(url)")} as "urlLengths",
    ${listed("created_at")} as "createdAt", ${listed("updated_at")} as "updatedAt",
    ${concatenated("creator")} as creators, ${listed("octet_length(creator)")} as "creatorLengths",
    ${concatenated("editor")} as editors, ${listed("octet_length(editor)")} as "editorLengths", ${listed("marks")} as marks
  from (select id, coalesce(parent_id, ${nilId}) as parent, type, content_state, ${bytesOf("title")} as title,
      ${bytesOf("icon")} as icon, ${bytesOf("url")} as url, created_at, updated_at,
      ${bytesOf("created_by")} as creator, ${bytesOf("edited_by")} as editor, marks
    from nodes where connection_id = $1 and id > $2 order by id limit $3) as page`;

const selectReferences = `
  select type, name, count, string_agg(from_id || target_id, '') as ends
  from node_references where connection_id = $1 and from_id between $2 and $3 group by type, name, count`;

const { sameNodes, changed } = sinceRevision("$1", "$2");

const selectSources = `select string_agg(id, '') as ids from ${changed}`;

const selectChangedReferences = `
  select type, name, count, string_agg(from_id || target_id, '') as ends
  from node_references where connection_id = $1 and from_id in (select id from ${changed}) group by type, name, count`;

/** Texts as they are stored, decoded where any of them has to be. */
function decoded({ bytes, lengths }: NodeRows["titles"]): NodeRows["titles"] {
  if (!bytes.includes(1)) return { bytes, lengths };
  let start = 0;
  const texts = lengths.map((length) => {
    const stored = bytes.subarray(start, start + length);
    start += length;
    return stored.includes(1) ? Buffer.from(decodeText(Buffer.from(stored).toString())) : stored;
  });
  return { bytes: Buffer.concat(texts), lengths: texts.map(({ length }) => length) };
}
