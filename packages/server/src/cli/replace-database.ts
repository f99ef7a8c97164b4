import { existsSync } from "node:fs";
import { copyFile, link, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../store/sync-folder.ts";

/** What SQLite puts beside a database. The log belongs to it: with another database's log it is ruined. */
const sideFiles = ["-wal", "-shm"];

interface Replacement {
  /** The database that is replaced; it may be missing. */
  readonly path: string;
  /** What takes its place: beside it, on the disk, and without side files. */
  readonly draft: string;
  /** The name under which the database that was there is kept, with its side files. */
  readonly kept: string;
  /** Throws where what stands at `path` now cannot be used: then everything is put back as it was. */
  readonly check: () => Promise<void>;
}

/**
 * Puts one database in the place of another. At every moment `path` is the old database or the new one, whole, so that
 * a crash leaves one of them: the old one gets its second name first, and the new one takes over by one rename. Between, side
 * files go away; that is why the caller empties the log before, where the old database can still be read at all.
 */
export async function replaceDatabase({ path, draft, kept, check }: Replacement): Promise<void> {
  const folder = dirname(path);
  const before = ["", ...sideFiles].filter((suffix) => existsSync(path + suffix));
  for (const suffix of before) await giveSecondName(path + suffix, kept + suffix);
  await syncFolder(folder);
  for (const suffix of sideFiles) await rm(path + suffix, { force: true });
  await syncFolder(folder);
  await rename(draft, path);
  await syncFolder(folder);
  try {
    await check();
  } catch (error) {
    for (const suffix of sideFiles) await rm(path + suffix, { force: true });
    if (!before.includes("")) await rm(path);
    for (const suffix of before) await rename(kept + suffix, path + suffix);
    await syncFolder(folder);
    throw error;
  }
}

/** A hard link costs nothing, whatever the size; not every file system has them. */
async function giveSecondName(path: string, second: string): Promise<void> {
  await link(path, second).catch((error: NodeJS.ErrnoException) => {
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP"].includes(error.code ?? "")) throw error;
    return copyFile(path, second);
  });
}
