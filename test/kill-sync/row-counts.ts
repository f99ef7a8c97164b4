import type { Database } from "../../packages/server/src/store/port.ts";

/** Counts of a connection's stored rows. They only grow while nothing is removed from the workspace. */
export interface RowCounts {
  readonly nodes: number;
  readonly texts: number;
  readonly reports: number;
  readonly revision: number;
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
  const { revision } = await read
    .selectFrom("connections")
    .select("revision")
    .where("id", "=", connectionId)
    .executeTakeFirstOrThrow();
  return {
    nodes: await count("nodes"),
    texts: await count("contents"),
    reports: await count("sync_reports"),
    revision,
  };
}
