import type { RowSort, SortOrder } from "@clew/contract";
import { graphLimits } from "@clew/contract/vocabulary";
import { fold, type Graph, type NodeId } from "@clew/graph";
import { ApiError } from "../../model/api-error.ts";
import type { Column } from "../../model/column.ts";
import type { Json } from "../../model/node.ts";
import { readRows, type StoredRow } from "../../store/queries/rows.ts";
import { meets, type RowCondition } from "../rows/condition.ts";
import { OptionCensus, type UnknownOptions } from "../rows/option-census.ts";
import { compareRowKeys, FirstRows, type RowKey, sortValueOf } from "../rows/order.ts";
import { kindOf, type TitleOf, type ValueKind, valuesOf } from "../rows/values.ts";
import type { JobServices, Source } from "./job.ts";
import { ranksFor } from "./result-order.ts";

/** Which rows of a database to list (GRAPH-23). */
export interface RowsJobInput {
  readonly database: NodeId;
  readonly conditions: readonly RowCondition[];
  readonly sort: RowSort | { readonly column: string; readonly kind: ValueKind };
  readonly order: SortOrder;
  readonly limit: number;
  /** The columns to show, in their order. */
  readonly columns: readonly Pick<Column, "name" | "type">[];
  /** The revision of the stored graph when the list began: a row that changed later ends it. */
  readonly revision: number;
  /** Where to continue; null on the first page. */
  readonly from: { readonly after: NodeId; readonly total: number | null } | null;
}

interface ListedRow {
  /** Its index in the graph. */
  readonly node: number;
  /** Its values, in the order of the columns to show. A relation is a list of `{id, title}`. */
  readonly cells: readonly Json[];
}

export interface RowsJobResult {
  readonly rows: readonly ListedRow[];
  /** Null if a limit ended the search before all rows were read. */
  readonly total: number | null;
  readonly truncated: boolean;
  /** Where the next page continues; null on the last. */
  readonly after: NodeId | null;
  /** Values of conditions that are no options. Known only on a first page for which all rows were read. */
  readonly unknownOptions: readonly UnknownOptions[];
}

/**
 * Rows that one call reads at most, and the milliseconds after which it ends with what it has (GRAPH-9): 100 000 rows take
 * about one second of processor time.
 */
const maxRows = 1_000_000;
const timeLimitMs = 4_000;

/** Rows read at a time. */
const batchSize = 500;

/** Bytes of JSON that the cells of a page may take up, half of a response; the nodes have the other half. */
const maxCellBytes = graphLimits.answerBytes / 2;

/**
 * Lists rows of a database. Sorted by what the graph holds, they are read in the order of the list, and later pages read only
 * what they show; sorted by a column, every page reads all of them. Throws `ApiError` `cursor_expired` if what the list is
 * made of has changed since it began.
 */
export async function rowsJob(
  services: JobServices,
  [source]: readonly Source[],
  input: RowsJobInput,
): Promise<RowsJobResult> {
  if (source === undefined) throw new Error("the rows of a database are in one graph");
  const { graph } = source;
  const { conditions, sort, from, limit } = input;
  const job: RowsJob = {
    graph,
    input,
    titleOf: (id) => graph.node(id)?.title ?? null,
    read: (ids) => readUnchanged(services, source, input, ids),
    isOver: deadline(services.monotonic),
  };
  // Its columns may have changed.
  await job.read([input.database]);
  const nodes = graph.childrenOf(graph.indexOf(input.database));
  const plan =
    typeof sort === "object" ? await planByColumn(job, nodes, sort) : planInOrder(job, nodes, sort);
  const { first, meeting, end, censuses } = await scan(job, plan);

  const isCut = end < plan.nodes.length && (plan.readsAll || !first.isFull);
  const page = fitting(first.rows.slice(0, limit), input.columns, job.titleOf);
  const hasMore = first.rows.length > page.rows.length;
  const lastRead = isCut && plan.isInOrder ? plan.nodes[end - 1] : undefined;
  const last = hasMore ? page.rows.at(-1)?.node : lastRead;
  const meetingAll = isCut ? null : meeting;
  const counted = conditions.length === 0 ? nodes.length : meetingAll;
  return {
    rows: page.rows,
    total: from === null ? counted : from.total,
    truncated: isCut || page.isCut,
    after: last === undefined ? null : graph.nodeAt(last).id,
    unknownOptions: isCut ? [] : censuses.flatMap((census) => census.unknown() ?? []),
  };
}

interface RowsJob {
  readonly graph: Graph;
  readonly input: RowsJobInput;
  readonly titleOf: TitleOf;
  /** The stored rows of these ids. Throws `ApiError` `cursor_expired` if one has changed since the list began. */
  read(ids: readonly NodeId[]): Promise<ReadonlyMap<NodeId, StoredRow>>;
  isOver(): boolean;
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
  sortValue(row: StoredRow, position: number): RowKey["value"];
}

function planInOrder({ graph, input }: RowsJob, nodes: Uint32Array, sort: RowSort): Plan {
  const { order, from, conditions } = input;
  const sorted = inOrder(graph, nodes, sort, order);
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
  { graph, input, titleOf, read }: RowsJob,
  nodes: Uint32Array,
  { column, kind }: { readonly column: string; readonly kind: ValueKind },
): Promise<Plan> {
  const { order, from } = input;
  const sortValue = ({ properties }: StoredRow) =>
    sortValueOf(valuesOf(cellOf(properties, column), kind, titleOf));
  const last = from === null ? undefined : (await read([from.after])).get(from.after);
  if (from !== null && last === undefined) throw changed();
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
  readonly stored: StoredRow;
}

/** Reads rows until the page is full, or all are read if they must be, or a limit ends it. */
async function scan(job: RowsJob, plan: Plan) {
  const { graph, input, titleOf } = job;
  const { nodes, start, readsAll, compare, after } = plan;
  const tests = input.conditions.map((condition) => conditionTest(condition, titleOf));
  const censuses = censusesFor(input);
  const size = readsAll || tests.length > 0 ? batchSize : input.limit + 1;
  const first = new FirstRows<ReadRow>(input.limit + 1, compare);
  let meeting = 0;
  let end = start;
  const isDone = () => end >= nodes.length || (!readsAll && first.isFull);
  while (!isDone() && (end === start || (end - start < maxRows && !job.isOver()))) {
    const batch = [...nodes.subarray(end, end + size)].map((node) => ({ node, id: graph.nodeAt(node).id }));
    const rows = await job.read(batch.map(({ id }) => id));
    for (const { node, id } of batch) {
      const stored = rows.get(id) ?? removed;
      const position = end;
      end += 1;
      addTo(censuses, stored);
      if (!tests.every((test) => test(stored))) continue;
      meeting += 1;
      const key = { value: plan.sortValue(stored, position), node };
      if (after === null || compare(key, after) > 0) first.add({ key, stored });
    }
  }
  return { first, meeting, end, censuses };
}

function censusesFor({ conditions, from }: RowsJobInput): readonly OptionCensus[] {
  if (from !== null) return [];
  return conditions.flatMap(({ column, unlisted }) => (unlisted ? new OptionCensus(column, unlisted) : []));
}

function addTo(censuses: readonly OptionCensus[], { properties }: StoredRow): void {
  for (const census of censuses) census.add(cellOf(properties, census.column));
}

/** A row that a sync has removed since its graph was published is empty. */
const removed: StoredRow = { properties: {}, revision: 0 };

const conditionTest = (condition: RowCondition, titleOf: TitleOf) => (row: StoredRow) =>
  meets(valuesOf(cellOf(row.properties, condition.column), condition.kind, titleOf), condition);

function deadline(monotonic: () => number): () => boolean {
  const end = monotonic() + timeLimitMs;
  return () => monotonic() >= end;
}

async function readUnchanged(
  { db }: JobServices,
  { connectionId }: Source,
  { from, revision }: RowsJobInput,
  ids: readonly NodeId[],
): Promise<ReadonlyMap<NodeId, StoredRow>> {
  const stored = await readRows(db, connectionId, ids);
  if (from !== null && stored.values().some((row) => row.revision > revision)) throw changed();
  return stored;
}

const changed = () =>
  new ApiError("cursor_expired", "The rows of the database have changed since this list began: start over.");

/** Sorts nodes by what the graph holds of them; those without a title are last. */
function inOrder(graph: Graph, nodes: Uint32Array, sort: RowSort, order: SortOrder): Uint32Array {
  const ranks = ranksFor(graph, sort, order);
  const sorted = nodes.toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  if (sort !== "title" || order === "desc") return sorted;
  const titled = sorted.findIndex((node) => fold(graph.nodeAt(node).title) !== "");
  if (titled <= 0) return sorted;
  const last = sorted.slice(0, titled);
  sorted.copyWithin(0, titled);
  sorted.set(last, sorted.length - titled);
  return sorted;
}

function cellOf(properties: StoredRow["properties"], column: string): Json {
  return Object.hasOwn(properties, column) ? (properties[column] ?? null) : null;
}

/** The cells of the rows that fit into a response. If not even the first does, it loses what is too large. */
function fitting(
  rows: readonly ReadRow[],
  columns: RowsJobInput["columns"],
  titleOf: TitleOf,
): { readonly rows: readonly ListedRow[]; readonly isCut: boolean } {
  const page: ListedRow[] = [];
  let left = maxCellBytes;
  for (const { key, stored } of rows) {
    const cells = columns.map(({ name, type }) =>
      shown(cellOf(stored.properties, name), kindOf(type), titleOf),
    );
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
