import { withdrawnConnections } from "../store/queries/connections.ts";
import { type RemovalParts, releaseLocally, remove } from "./remove.ts";

/** Milliseconds for which a graph is kept after its grant was withdrawn (SYNC-8). */
const keptFor = 30 * 24 * 60 * 60_000;

/** Removes connections whose grants were withdrawn long ago and that nobody has renewed. */
export async function expireWithdrawn(parts: RemovalParts): Promise<void> {
  const { database, clock, log } = parts;
  const oldest = () => clock() - keptFor;
  if ((await withdrawnConnections(database.read, oldest())).length === 0) return;
  const removed = await database.transaction(async (trx) => {
    const expired = await withdrawnConnections(trx, oldest());
    for (const connection of expired) await remove(trx, connection, parts);
    return expired;
  });
  for (const { id } of removed)
    log.info({ connectionId: id }, "a connection that was withdrawn long ago is removed");
  await releaseLocally(removed, parts);
}
