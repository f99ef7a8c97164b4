import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { createClient } from "@clew/client";
import { type Entry, openWorkspace, type Workspace } from "@clew/folder";
import { openFolder } from "../../packages/server/src/folder-process.ts";
import { byPlace, type Graph, type Place, readGraph } from "./graph.ts";

/** A pause between two looks at whether the first sync has ended, in milliseconds. */
const pollMs = 100;

/** A place, and the time of the latest edit in milliseconds since the Unix epoch. */
export interface DatedPlace extends Place {
  readonly editedAt: number;
}

/** The places of all pages and databases of a workspace. */
export function placesIn(workspace: Workspace): DatedPlace[] {
  return workspace.entries.map(({ id, kind, path, file, editedAt }: Entry) => ({
    ...{ id, kind, path, editedAt },
    file: file?.path ?? null,
  }));
}

/** A graph by its places, and the times of the latest edits by places. */
interface Fresh {
  readonly shown: Readonly<Record<string, unknown>>;
  readonly editedAt: ReadonlyMap<string, number>;
}

/** The graph that a first sync of the folder gives, by a Clew in this process. */
export async function freshImport(directory: string, state: string): Promise<Fresh> {
  const opened = await openFolder(directory, {
    env: { XDG_STATE_HOME: state },
    ...{ clock: Date.now, monotonic: () => performance.now(), random: randomBytes, fetch },
    build: { version: "0.1.0", commit: null },
    warn: () => {},
  });
  try {
    const { url, token, fetch } = opened;
    const client = createClient({ url, token, fetch });
    await opened.ready;
    let [workspace] = (await client.listWorkspaces()).items;
    while (workspace?.last_synced_at === null) {
      await setTimeout(pollMs);
      [workspace] = (await client.listWorkspaces()).items;
    }
    const graph = await readGraph(client);
    const read = await openWorkspace(directory, { workspaceId: workspace?.id ?? null });
    const places = placesIn(await read.ready());
    return {
      shown: byPlace(graph, places),
      editedAt: new Map(
        places.map(({ id, file }) => [file ?? "", Date.parse(graph.nodes.get(id)?.updated_at ?? "")]),
      ),
    };
  } finally {
    await opened.close();
    await rm(state, { recursive: true, maxRetries: 5 });
  }
}

/** The files whose pages have another time of the latest edit than Clew remembers, or an earlier one than a fresh import says. */
export function wrongTimes(graph: Graph, places: readonly DatedPlace[], fresh: Fresh): string[] {
  return places.flatMap(({ id, file, editedAt }) => {
    if (file === null) return [];
    const shown = Date.parse(graph.nodes.get(id)?.updated_at ?? "");
    const isRight = shown === editedAt && shown >= (fresh.editedAt.get(file) ?? 0);
    return isRight ? [] : [`time of ${file}`];
  });
}
