import { sql } from "kysely";
import type { ReadHandle } from "../port.ts";

/** Connections of a provider's users that hold pages with an address that does not begin so. */
export async function connectionsWithPagesElsewhere(
  db: ReadHandle,
  provider: string,
  base: string,
): Promise<number[]> {
  const rows = await db
    .selectFrom("nodes")
    .innerJoin("connections", "connections.id", "nodes.connection_id")
    .innerJoin("users", "users.id", "connections.user_id")
    .select("nodes.connection_id as id")
    .distinct()
    .where("users.provider", "=", provider)
    .where(sql<boolean>`substr(nodes.url, 1, ${base.length}) <> ${base}`)
    .execute();
  return rows.map(({ id }) => id);
}
