import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Names and bytes of all files of a folder and of those in it, without files that are gone before they are read. */
export async function filesIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const bytes = entry.isFile() ? await readFile(path).catch(missing) : null;
    if (bytes !== null) files.set(path.slice(folder.length + 1), bytes);
  }
  return files;
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
