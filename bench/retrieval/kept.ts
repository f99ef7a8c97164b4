import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../packages/server/src/config/config.ts";
import type { DatabaseLocation } from "../../packages/server/src/model/database-location.ts";
import { type MeasuredClew, openClew } from "./served.ts";

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

const dataDirOf = (root: string, corpus: string) => join(root, corpus, "clew");
const markOf = (root: string, corpus: string) => join(root, corpus, "synced");

/** A Clew over a folder of Markdown, with data below `root` that an earlier run may have left. */
export async function openKeptClew(root: string, corpus: string, folder: string): Promise<MeasuredClew> {
  const dataDir = dataDirOf(root, corpus);
  if (!(await isSynced(root, corpus))) await rm(dataDir, { recursive: true, force: true });
  const clew = await openClew(folder, { DATA_DIR: dataDir });
  // A Clew elsewhere has its data elsewhere.
  if (process.env.CLEW_URL === undefined) await writeFile(markOf(root, corpus), "");
  return clew;
}

/** The database below `root` into which a folder of Markdown is synced and indexed, unless an earlier run did so. */
export async function syncedDatabase(
  root: string,
  corpus: string,
  folder: string,
): Promise<DatabaseLocation> {
  if (process.env.CLEW_URL !== undefined)
    throw new Error("contexts are built in this process: CLEW_URL is for other commands");
  if (!(await isSynced(root, corpus))) await (await openKeptClew(root, corpus, folder)).close();
  return readConfig({ DATA_DIR: dataDirOf(root, corpus) }).databaseLocation;
}

const isSynced = (root: string, corpus: string): Promise<boolean> =>
  access(markOf(root, corpus)).then(
    () => true,
    () => false,
  );
