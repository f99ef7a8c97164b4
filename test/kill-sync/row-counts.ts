import type { Database } from "../../packages/server/src/store/port.ts";

/** Counts of a connection's stored rows. They only grow while nothing is removed from the workspace. */
export interface RowCounts {
  readonly nodes: number;
  readonly texts: number;
  readonly reports: number;
  /** The number of the latest run. */
  readonly run: number;
}

export async function countRows({ read }: Database, connectionId: number): Promise<RowCounts> {
  const count = async (table: "nodes" | "contents" | "sync_reports") => {
    const { all } = await read
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number | string>().as("all"))
      .where("connection_id", "=", connectionId)
      .executeTakeFirstOrThrow();
    return Number(all);
  };
  const { run } = await read
    .selectFrom("connections")
    .select("run")
    .where("id", "=", connectionId)
    .executeTakeFirstOrThrow();
  return {
    nodes: await count("nodes"),
    texts: await count("contents"),
    reports: await count("sync_reports"),
    run,
  };
}
