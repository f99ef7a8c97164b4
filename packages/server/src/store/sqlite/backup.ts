import { open, rename, rm } from "node:fs/promises";
import { openForReading } from "./file.ts";

/**
 * Copies the database as it is committed to `<path>.schema-<version>.backup` (mode 0600) before a migration changes it. A write
 * lock held elsewhere does not disturb it. A copy that is there already, of an earlier attempt, is replaced.
 */
export async function backUp(path: string, version: number): Promise<void> {
  const backup = `${path}.schema-${version}.backup`;
  const unfinished = `${backup}.unfinished`;
  await rm(unfinished, { force: true });
  // `vacuum into` accepts an empty file, which lets the mode be right from the start.
  const target = await open(unfinished, "wx", 0o600);
  try {
    const source = openForReading(path);
    try {
      source.prepare("vacuum into ?").run(unfinished);
    } finally {
      source.close();
    }
    await target.sync();
  } finally {
    await target.close();
  }
  await rename(unfinished, backup);
}
