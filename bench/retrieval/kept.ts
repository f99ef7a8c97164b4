import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../packages/server/src/config/config.ts";
import type { DatabaseLocation } from "../../packages/server/src/model/database-location.ts";
import { openClew } from "./served.ts";

/** Calls `work` with the folder DATA, which is kept for later runs, or with a temporary one. */
export async function withDataFolder(work: (root: string) => Promise<void>): Promise<void> {
  const kept = process.env.DATA;
  const root = kept ?? (await mkdtemp(join(tmpdir(), "clew-retrieval-")));
  try {
    await work(root);
  } finally {
    if (kept === undefined) await rm(root, { recursive: true });
  }
}

/** The database below `root` into which a folder of Markdown is synced and indexed, unless an earlier run did so. */
export async function syncedDatabase(
  root: string,
  corpus: string,
  folder: string,
): Promise<DatabaseLocation> {
  const dataDir = join(root, corpus, "clew");
  const done = join(root, corpus, "synced");
  const isDone = await access(done).then(
    () => true,
    () => false,
  );
  if (!isDone) {
    await mkdir(join(root, corpus), { recursive: true });
    await rm(dataDir, { recursive: true, force: true });
    const clew = await openClew(folder, { DATA_DIR: dataDir });
    await clew.close();
    await writeFile(done, "");
  }
  return readConfig({ DATA_DIR: dataDir }).databaseLocation;
}
