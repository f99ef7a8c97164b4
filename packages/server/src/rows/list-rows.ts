import type { RowSort, SortOrder } from "@clew/contract";
import { graphLimits } from "@clew/contract/vocabulary";
import type { Graph, NodeId } from "@clew/graph";
import type { Column } from "@clew/provider";
import { fold } from "@clew/text/basics";
import { expired } from "../model/api-error.ts";
import type { Json } from "../model/node.ts";
import { kindOf, type ValueKind } from "./columns.ts";
import { matches, type Row, type RowCondition } from "./matching.ts";
import { compareRowKeys, FirstRows, type RowKey, sortValueOf } from "./order.ts";
import { OptionCensus, type UnknownOptions } from "./unknown-options.ts";
import { cellOf, type TitleOf, valuesOf } from "./values.ts";

/** A request for rows of a database (GRAPH-23). */
export interface RowsRequest {
  readonly database: NodeId;
  readonly conditions: readonly RowCondition[];
  readonly sort: RowSort | { readonly column: string; readonly kind: ValueKind };
  readonly order: SortOrder;
  readonly limit: number;
  /** The columns to show, in their order. */
  readonly columns: readonly Pick<Column, "name" | "type">[];
  /** The position to continue from; null on the first page. */
  readonly from: { readonly after: NodeId; readonly total: number | null } | null;
}

interface ListedRow {
  /** Its index in the graph. */
  readonly node: number;
  /** Its values, in the order of the columns to show. A relation is a list of `{id, title}`. */
  readonly cells: readonly Json[];
}

export interface RowList {
  readonly rows: readonly ListedRow[];
  /** Null if a limit ended the search before all rows were read. */
  readonly total: number | null;
  readonly truncated: boolean;
  /** The last row of this page, after which the next one continues; null on the last page. */
  readonly after: NodeId | null;
  /** Values of conditions that are no options. Known only on a first page for which all rows were read. */
  readonly unknownOptions: readonly UnknownOptions[];
}

/** The rows of one graph. */
export interface RowSource {
  readonly graph: Graph;
  /** The stored rows of these ids. Throws `ApiError` `cursor_expired` if one has changed since the list began. */
  read(ids: readonly NodeId[]): Promise<ReadonlyMap<NodeId, Row>>;
  /** The position of each node in an order. */
  ranks(sort: RowSort, order: SortOrder): Uint32Array;
  /** Whether the time for the search is over. */
  isOver(): boolean;
}

/** Rows that one call reads at most (GRAPH-9): 100 000 rows take about one second of processor time. */
const maxRows = 1_000_000;

/** Rows read at a time. */
const batchSize = 500;

/** Bytes of JSON that the cells of a page may take up, half of a response; the nodes have the other half. */
const maxCellBytes = graphLimits.answerBytes / 2;

/** The refusal of a list whose rows have changed since it began. */
export const rowsChanged = () => expired("The rows of the database have changed");

/**
 * Lists rows of a database. Sorted by what the graph holds, they are read in the order of the list, and later pages read only
 * the rows that they show; sorted by a column, every page reads all of them. Throws `ApiError` `cursor_expired` if the
 * database or its rows have changed since the list began.
 */
export async function listRows(source: RowSource, request: RowsRequest): Promise<RowList> {
  const { graph } = source;
  const { conditions, sort, from, limit } = request;
  const listing: Listing = { ...source, request, titleOf: (id) => graph.node(id)?.title ?? null };
  // Its columns may have changed.
  await source.read([request.database]);
  const nodes = graph.childrenOf(graph.indexOf(request.database));
  const plan =
    typeof sort === "object" ? await planByColumn(listing, nodes, sort) : planInOrder(listing, nodes, sort);
  const { first, matching, end, censuses } = await scan(listing, plan);

  const isCut = end < plan.nodes.length && (plan.readsAll || !first.isFull);
  const page = fitting(first.rows.slice(0, limit), request.columns, listing.titleOf);
  const hasMore = first.rows.length > page.rows.length;
  const lastRead = isCut && plan.isInOrder ? plan.nodes[end - 1] : undefined;
  const last = hasMore ? page.rows.at(-1)?.node : lastRead;
  const matchingAll = isCut ? null : matching;
  const counted = conditions.length === 0 ? nodes.length : matchingAll;
  return {
    rows: page.rows,
    total: from === null ? counted : from.total,
    truncated: isCut || page.isCut,
    after: last === undefined ? null : graph.nodeAt(last).id,
    unknownOptions: isCut ? [] : censuses.flatMap((census) => census.unknown() ?? []),
  };
}

interface Listing extends RowSource {
  readonly request: RowsRequest;
  readonly titleOf: TitleOf;
}

/** How to find the rows of a page. */
interface Plan {
  /** The rows in the order in which they are read. */
  readonly nodes: Uint32Array;
  /** Whether that is the order of the list. */
  readonly isInOrder: boolean;
  /** The position of the first row to read. */
  readonly start: number;
  /** Whether all rows must be read, to be sorted or counted; otherwise only those of the page. */
  readonly readsAll: boolean;
  readonly compare: (a: RowKey, b: RowKey) => number;
  /** The key of the last row of the page before, if rows of that page are read again. */
  readonly after: RowKey | null;
  sortValue(row: Row, position: number): RowKey["value"];
}

function planInOrder({ graph, ranks, request }: Listing, nodes: Uint32Array, sort: RowSort): Plan {
  const { order, from, conditions } = request;
  const sorted = inOrder(graph, nodes, sort, order, ranks(sort, order));
  return {
    nodes: sorted,
    isInOrder: true,
    start: from === null ? 0 : sorted.indexOf(graph.indexOf(from.after)) + 1,
    readsAll: from === null && conditions.length > 0,
    compare: compareRowKeys("asc"),
    after: null,
    sortValue: (_, position) => position,
  };
}

async function planByColumn(
  { graph, request, titleOf, read }: Listing,
  nodes: Uint32Array,
  { column, kind }: { readonly column: string; readonly kind: ValueKind },
): Promise<Plan> {
  const { order, from } = request;
  const sortValue = ({ properties }: Row) => sortValueOf(valuesOf(cellOf(properties, column), kind, titleOf));
  const last = from === null ? undefined : (await read([from.after])).get(from.after);
  if (from !== null && last === undefined) throw rowsChanged();
  return {
    nodes,
    isInOrder: false,
    start: 0,
    readsAll: true,
    compare: compareRowKeys(order),
    after: from && last ? { value: sortValue(last), node: graph.indexOf(from.after) } : null,
    sortValue,
  };
}

interface ReadRow {
  readonly key: RowKey;
  readonly row: Row;
}

/** Reads rows until the page is full, or all are read if they must be, or a limit ends it. */
async function scan(listing: Listing, plan: Plan) {
  const { graph, request, titleOf } = listing;
  const { nodes, start, readsAll, compare, after } = plan;
  const { conditions, limit } = request;
  const censuses = censusesFor(request);
  const size = readsAll || conditions.length > 0 ? batchSize : limit + 1;
  const first = new FirstRows<ReadRow>(limit + 1, compare);
  let matching = 0;
  let end = start;
  const isDone = () => end >= nodes.length || (!readsAll && first.isFull);
  while (!isDone() && (end === start || (end - start < maxRows && !listing.isOver()))) {
    const batch = [...nodes.subarray(end, end + size)].map((node) => ({ node, id: graph.nodeAt(node).id }));
    const rows = await listing.read(batch.map(({ id }) => id));
    for (const { node, id } of batch) {
      const row = rows.get(id) ?? removed;
      const position = end;
      end += 1;
      addTo(censuses, row);
      if (!conditions.every((condition) => matches(row, condition, titleOf))) continue;
      matching += 1;
      const key = { value: plan.sortValue(row, position), node };
      if (after === null || compare(key, after) > 0) first.add({ key, row });
    }
  }
  return { first, matching, end, censuses };
}

/** A row that a sync has removed since its graph was published is empty. */
const removed: Row = { properties: {}, unread: [] };

function censusesFor({ conditions, from }: RowsRequest): readonly OptionCensus[] {
  if (from !== null) return [];
  return conditions.flatMap(({ column, unlisted }) => (unlisted ? new OptionCensus(column, unlisted) : []));
}

function addTo(censuses: readonly OptionCensus[], { properties }: Row): void {
  for (const census of censuses) census.add(cellOf(properties, census.column));
}

/** Sorts nodes by what the graph holds of them; those without a title are last. */
function inOrder(
  graph: Graph,
  nodes: Uint32Array,
  sort: RowSort,
  order: SortOrder,
  ranks: Uint32Array,
): Uint32Array {
  const sorted = nodes.toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  if (sort !== "title" || order === "desc") return sorted;
  const titled = sorted.findIndex((node) => fold(graph.nodeAt(node).title) !== "");
  if (titled <= 0) return sorted;
  const last = sorted.slice(0, titled);
  sorted.copyWithin(0, titled);
  sorted.set(last, sorted.length - titled);
  return sorted;
}

/** The cells of the rows that fit into a response. If not even the first does, it loses what is too large. */
function fitting(
  rows: readonly ReadRow[],
  columns: RowsRequest["columns"],
  titleOf: TitleOf,
): { readonly rows: readonly ListedRow[]; readonly isCut: boolean } {
  const page: ListedRow[] = [];
  let left = maxCellBytes;
  for (const { key, row } of rows) {
    const cells = columns.map(({ name, type }) => shown(cellOf(row.properties, name), kindOf(type), titleOf));
    const sizes = cells.map((cell, index) => sizeOf(cell) + sizeOf(columns[index]?.name ?? ""));
    const size = sizes.reduce((sum, each) => sum + each, 0);
    if (size <= left) {
      left -= size;
      page.push({ node: key.node, cells });
      continue;
    }
    if (page.length > 0) return { rows: page, isCut: false };
    const kept = cells.map((cell, index) => {
      const own = sizes[index] ?? 0;
      if (own > left) return null;
      left -= own;
      return cell;
    });
    return { rows: [{ node: key.node, cells: kept }], isCut: true };
  }
  return { rows: page, isCut: false };
}

const sizeOf = (value: Json) => Buffer.byteLength(JSON.stringify(value)) + 4;

function shown(cell: Json, kind: ValueKind, titleOf: TitleOf): Json {
  if (kind !== "relation") return cell;
  return valuesOf(cell, kind, titleOf).flatMap((value) =>
    value.is === "relation" ? { id: value.id, title: titleOf(value.id) } : [],
  );
}
