import { open } from "node:fs/promises";

/** Makes new names in a folder survive a power failure. Does nothing on Windows, which cannot sync folders. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
