import { open } from "node:fs/promises";

/** Makes a new name in a folder survive a power failure. Windows cannot sync a folder: there it does nothing. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
