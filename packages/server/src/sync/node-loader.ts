import type { Database } from "../store/port.ts";
import { knownLocations, locationsOf } from "../store/queries/known-nodes.ts";
import type { SyncState } from "./state.ts";

/** Loads into the state where the nodes are that earlier syncs stored. */
export interface NodeLoader {
  /** Loads all. */
  loadAll(): Promise<void>;
  /** Loads those of these that are stored, and all that contains them. What was asked for is not read twice. */
  load(ids: Iterable<string>): Promise<void>;
}

/** A reading of edits loads the nodes that it meets: a workspace has many more. */
export function createNodeLoader({
  connectionId,
  database,
  state,
}: {
  readonly connectionId: number;
  readonly database: Pick<Database, "read">;
  readonly state: SyncState;
}): NodeLoader {
  /** The ids that were asked for; null once all nodes are loaded. */
  let asked: Set<string> | null = new Set();
  let previous: Promise<void> = Promise.resolve();

  const read = async (ids: Iterable<string>) => {
    const visited = new Set<string>();
    for (let here = [...ids]; here.length > 0; ) {
      const fresh = [...new Set(here)].filter((id) => asked?.has(id) === false);
      const stored = await locationsOf(database.read, connectionId, fresh);
      for (const { id, containerId } of stored) state.addStored(id, containerId);
      for (const id of fresh) asked?.add(id);
      for (const id of here) visited.add(id);
      here = here.flatMap((id) => state.containerOf(id) ?? []).filter((id) => !visited.has(id));
    }
  };

  return {
    async loadAll() {
      for await (const { id, containerId } of knownLocations(database.read, connectionId))
        state.addStored(id, containerId);
      asked = null;
    },
    async load(ids) {
      if (asked === null) return;
      // One after the other: another caller may be loading the same node.
      previous = previous.then(() => read(ids));
      await previous;
    },
  };
}
