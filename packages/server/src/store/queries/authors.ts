import type { Author } from "@clew/graph";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import { moveRevision } from "./changes.ts";
import { batches, excluded, nodesOf } from "./statements.ts";

/* The names of those who made or edited nodes. The nodes have their ids. */

/** Rows to a statement. */
const batchSize = 500;

/** The ids of the authors of a connection's nodes, with their names; `isKnown` if a sync has asked for the name before. */
export async function authorsOf(
  db: ReadHandle,
  connectionId: number,
): Promise<readonly (Author & { readonly isKnown: boolean })[]> {
  const stored = await db
    .selectFrom("authors")
    .select(["id", "name"])
    .where("connection_id", "=", connectionId)
    .execute();
  const names = new Map(stored.map(({ id, name }) => [id, name]));
  const ids = await Promise.all(
    (["created_by", "edited_by"] as const).map((column) =>
      nodesOf(db, connectionId).select(column).distinct().where(column, "is not", null).execute(),
    ),
  );
  const distinct = new Set(ids.flat().flatMap((row) => Object.values(row).filter((id) => id !== null)));
  return [...distinct].map((id) => ({ id, name: names.get(id) ?? null, isKnown: names.has(id) }));
}

/** Stores the names of authors. Those that differ move the revision, since the graph has them. */
export async function setAuthors(
  trx: WriteTransaction,
  connectionId: number,
  authors: readonly Author[],
): Promise<void> {
  for (const some of batches(authors, batchSize))
    await trx
      .insertInto("authors")
      .values(some.map(({ id, name }) => ({ connection_id: connectionId, id, name })))
      .onConflict((conflict) => conflict.columns(["connection_id", "id"]).doUpdateSet(excluded(["name"])))
      .execute();
  if (authors.length > 0) await moveRevision(trx, connectionId);
}
