import type { FolderConfig, ServedFolder } from "../model/folders.ts";
import type { RandomBytes } from "../model/runtime.ts";
import { newId } from "../secrets/new-id.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import { connectionsOfSource } from "../store/queries/adoption.ts";
import { readFolders, writeFolder } from "../store/queries/folders.ts";

/**
 * Finds the workspace of each folder, from whose id all ids in it are derived (SRC-2): the one that was at its path, else the one that
 * had its name, else a new one with a random id. A path counts before a name, because the names on a command line depend on its order.
 * A connection from before workspaces were stored keeps the id that it has. All instances on a database get the same.
 */
export function identifyFolders(
  database: Database,
  folders: readonly FolderConfig[],
  random: RandomBytes,
): Promise<readonly ServedFolder[]> {
  return database.transaction(async (trx) => {
    const known = await readFolders(trx);
    const atPath = new Map(known.map(({ path, workspaceId }) => [path, workspaceId]));
    const taken = new Set(folders.flatMap(({ path }) => atPath.get(path) ?? []));
    const served: ServedFolder[] = [];
    for (const folder of folders) {
      const { slug, path } = folder;
      const named = known.find((each) => each.slug === slug)?.workspaceId;
      const earlier = [named, await connectedWorkspace(trx, slug)].find((id) => id != null && !taken.has(id));
      const workspaceId = atPath.get(path) ?? earlier ?? newId(random);
      taken.add(workspaceId);
      served.push({ ...folder, workspaceId });
      const isKnown = known.some(
        (each) => each.workspaceId === workspaceId && each.path === path && each.slug === slug,
      );
      if (!isKnown) await writeFolder(trx, { workspaceId, path, slug });
    }
    return served;
  });
}

/** The workspace of the oldest connection to a folder. */
async function connectedWorkspace(trx: WriteTransaction, slug: string): Promise<string | undefined> {
  const [oldest] = await connectionsOfSource(trx, slug);
  return oldest?.workspaceId;
}
