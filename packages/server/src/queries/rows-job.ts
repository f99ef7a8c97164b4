import { listRows, type RowList, type RowsRequest, rowsChanged } from "../rows/list-rows.ts";
import { readRows } from "../store/queries/rows.ts";
import type { JobServices, Source } from "./jobs.ts";
import { ranksFor } from "./result-order.ts";

/** A request for rows of a database (GRAPH-23). */
export interface RowsJobInput extends RowsRequest {
  /** The revision of the stored graph when the list began: a row that changed later ends it. */
  readonly revision: number;
}

/** Milliseconds after which a call ends with the rows that it has (GRAPH-9). */
const timeLimitMs = 4_000;

/** Lists rows of a database as the store has them. Throws as `listRows` does. */
export async function rowsJob(
  { db, monotonic }: Pick<JobServices, "db" | "monotonic">,
  [source]: readonly Source[],
  input: RowsJobInput,
): Promise<RowList> {
  if (source === undefined) throw new Error("the rows of a database are in one graph");
  const { graph, connectionId } = source;
  const end = monotonic() + timeLimitMs;
  return listRows(
    {
      graph,
      async read(ids) {
        const stored = await readRows(db, connectionId, ids);
        const { from, revision } = input;
        if (from !== null && stored.values().some((row) => row.revision > revision)) throw rowsChanged();
        return stored;
      },
      ranks: (sort, order) => ranksFor(graph, sort, order),
      isOver: () => monotonic() >= end,
    },
    input,
  );
}
