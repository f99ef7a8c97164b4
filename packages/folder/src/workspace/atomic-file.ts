import { randomUUID } from "node:crypto";
import { open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Writes the file atomically: a crash leaves either the old content or the new one. Only its owner may read it. */
export async function writeAtomically(file: string, content: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  const handle = await open(unfinished, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  await fsyncFolder(path.dirname(file));
}

/** Removes what `writeAtomically` left of this file in a process that was killed. Only one process may write the file. */
export async function removeUnfinished(file: string): Promise<void> {
  const folder = path.dirname(file);
  for (const name of await readdir(folder).catch(() => [])) {
    const [before, id = ""] = name.split(`${path.basename(file)}.`);
    if (before === "" && uuid.test(id)) await rm(path.join(folder, name), { force: true });
  }
}

/** Makes the rename durable. Windows cannot open folders, and does not need this. */
async function fsyncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
