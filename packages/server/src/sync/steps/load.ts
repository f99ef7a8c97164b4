import { blocksOf, dataSourcesOf } from "../../store/queries/containers.ts";
import { knownLocations } from "../../store/queries/known-nodes.ts";
import type { SyncContext } from "../sync-run.ts";

/** Loads what earlier syncs found out about the workspace. */
export async function loadKnownState({ state, connectionId, database }: SyncContext): Promise<void> {
  for await (const { id, containerId } of knownLocations(database.read, connectionId))
    state.knewNode(id, containerId);
  for (const { id, databaseId, listedAt } of await dataSourcesOf(database.read, connectionId))
    state.knewDataSource(id, databaseId, listedAt);
  for (const [id, containerId] of await blocksOf(database.read, connectionId))
    state.foundBlock(id, containerId);
}
