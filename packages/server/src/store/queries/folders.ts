import type { ReadHandle, WriteTransaction } from "../port.ts";

/** A folder that Clew serves, or has served. */
export interface StoredFolder {
  /** The id of its workspace. */
  readonly workspaceId: string;
  readonly path: string;
  /** The name in paths of the API; null since another folder has it. */
  readonly slug: string | null;
}

export async function readFolders(db: ReadHandle): Promise<StoredFolder[]> {
  return db.selectFrom("folders").select(["workspace_id as workspaceId", "path", "slug"]).execute();
}

/** Stores the path and name of a folder. If another folder has the name, that is without one. */
export async function writeFolder(
  trx: WriteTransaction,
  { workspaceId, path, slug }: StoredFolder,
): Promise<void> {
  await trx
    .updateTable("folders")
    .set({ slug: null })
    .where("slug", "=", slug)
    .where("workspace_id", "<>", workspaceId)
    .execute();
  await trx
    .insertInto("folders")
    .values({ workspace_id: workspaceId, path, slug })
    .onConflict((conflict) => conflict.column("workspace_id").doUpdateSet({ path, slug }))
    .execute();
}
