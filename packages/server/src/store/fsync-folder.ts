import { open } from "node:fs/promises";

/** Makes new and changed names in a folder survive a power failure. Does nothing on Windows, which cannot sync folders. */
export async function fsyncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
