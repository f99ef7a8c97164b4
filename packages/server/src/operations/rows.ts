import {
  type GraphInput,
  graphLimits,
  type RowSort,
  type Rows,
  type RowsQuery,
  rowSorts,
} from "@clew/contract";
import type { NodeId } from "@clew/graph";
import type { Column } from "@clew/provider";
import { locateAtForge, locateNode, type ReadableGraph } from "../graphs/readable.ts";
import { ApiError, expired } from "../model/api-error.ts";
import type { Json } from "../model/node.ts";
import { parseQueryTimeEitherWay } from "../model/query-time.ts";
import { presentNode } from "../present/graph.ts";
import type { RowsJobInput } from "../queries/rows-job.ts";
import { findColumn, kindOf, readColumns, unknownColumn } from "../rows/columns.ts";
import { type ReadingOptions, readConditions } from "../rows/conditions.ts";
import { refuseUnknownOptions } from "../rows/unknown-options.ts";
import { graphRevision } from "../store/queries/changes.ts";
import { columnsOfDatabase } from "../store/queries/containers.ts";
import { locate, readNodeId } from "./nodes.ts";
import {
  currentGraphsFor,
  listCursors,
  type RequestContext,
  readableConnectionsOf,
} from "./request-context.ts";

/** The end of a page of rows. */
interface Position {
  /** The published version of the graph. */
  readonly version: number;
  /** The revision of the stored graph when the list began. */
  readonly revision: number;
  /** When the list began, in milliseconds since the Unix epoch. */
  readonly begunAt: number;
  readonly total: number | null;
  readonly after: NodeId;
}

/** How the values in conditions are read. */
export type ConditionReaders = Pick<ReadingOptions, "timeOf" | "pageOf">;

function readersOf({ services }: RequestContext, readable: readonly ReadableGraph[]): ConditionReaders {
  const pageOf = (text: string) => services.pageOfUrl(text) ?? locateAtForge(readable, text)?.node.id ?? null;
  return { timeOf: parseQueryTimeEitherWay, pageOf };
}

/** Rows of a database that meet conditions, in an order (GRAPH-23). */
export async function rows(
  ctx: RequestContext,
  query: GraphInput<"rows">,
  readers?: ConditionReaders,
): Promise<Rows> {
  const { database, queryThreads, givenCursors, clock } = ctx.services;
  const { where = [], column: shown = [], limit = graphLimits.rows.standard, cursor } = query;
  const id = readNodeId(query.id);
  const cursors = listCursors<Position>(ctx, readableConnectionsOf(ctx), {
    operation: "rows",
    version: 1,
    parameters: [id, JSON.stringify([where, shown]), query.sort ?? null, query.order ?? null],
  });
  const position = cursor === undefined ? null : cursors.decode(cursor);
  const readable = await currentGraphsFor(ctx);
  const { source, node } = locate(readable, id);
  if (node.type !== "database")
    throw new ApiError("invalid_request", `The node is a ${node.type}: only databases have rows.`);
  if (position !== null && position.version !== source.version) throw expired("A newer graph was published");

  // Before the columns: a row or column that changes after them has a higher revision.
  const stored = position?.revision ?? (await graphRevision(database.read, source.connection.id)) ?? 0;
  const columns = (await columnsOfDatabase(database.read, source.connection.id, id)) ?? [];
  const begunAt = position?.begunAt ?? clock();
  const schema = readColumns(shown, columns);
  const input: RowsJobInput = {
    database: id,
    conditions: readConditions(where, columns, { now: begunAt, ...(readers ?? readersOf(ctx, readable)) }),
    ...readSorting(query, columns),
    limit,
    columns: schema.map(({ name, type }) => ({ name, type })),
    revision: stored,
    from: position && { after: position.after, total: position.total },
  };
  const { graph, connection, version } = source;
  const found = await queryThreads.run("rows", input, {
    caller: ctx.caller.userId,
    signal: ctx.signal,
    sources: [{ connectionId: connection.id, graph }],
  });
  refuseUnknownOptions(found.unknownOptions, columns, connection.completeAsOf !== null);
  const { total, after } = found;
  if (after) givenCursors.note([connection.id]);
  return {
    schema: schema.map(({ name, type, options, description }) => ({
      name,
      type,
      options: [...options],
      ...(description !== undefined && { description }),
    })),
    items: found.rows.map((row) => ({
      node: presentNode(source, graph.nodeAt(row.node)),
      properties: Object.fromEntries(schema.map(({ name }, index) => [name, row.cells[index] ?? null])),
    })),
    total,
    truncated: found.truncated,
    next_cursor: after && cursors.encode({ version, revision: stored, begunAt, total, after }),
  };
}

/** Reads the order of the list. Throws `ApiError` `invalid_request`. */
function readSorting(
  { sort, order }: Pick<RowsQuery, "sort" | "order">,
  columns: readonly Column[],
): Pick<RowsJobInput, "sort" | "order"> {
  const column = sort === undefined ? undefined : findColumn(columns, sort);
  if (column !== undefined)
    return { sort: { column: column.name, kind: kindOf(column.type) }, order: order ?? "asc" };
  const by: RowSort | undefined = sort === undefined ? "title" : rowSorts.find((each) => each === sort);
  if (by !== undefined) return { sort: by, order: order ?? (by === "title" ? "asc" : "desc") };
  throw new ApiError("invalid_request", "There is no such column to sort by.", {
    errors: [unknownColumn("?sort", columns)],
  });
}

/** The columns of databases, in the order of `ids` (GRAPH-23). A database that is not readable or not read yet has none. */
export async function columnsOf(
  ctx: RequestContext,
  ids: readonly string[],
): Promise<readonly (readonly Column[])[]> {
  const readable = await currentGraphsFor(ctx);
  return Promise.all(
    ids.map(async (text) => {
      const id = readNodeId(text);
      const connection = locateNode(readable, id)?.source.connection;
      if (connection === undefined) return [];
      return (await columnsOfDatabase(ctx.services.database.read, connection.id, id)) ?? [];
    }),
  );
}

/** Rows as a table: the id of each, then its columns. */
export function tableOf({ schema, items }: Pick<Rows, "schema" | "items">): Json[][] {
  const names = schema.map(({ name }) => name);
  // Written by `rows`.
  const cells = items.map(({ node, properties }) => [
    node.id,
    ...names.map((name) => (properties[name] ?? null) as Json),
  ]);
  return [["id", ...names], ...cells];
}
