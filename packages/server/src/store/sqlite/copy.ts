import { open, rename, rm } from "node:fs/promises";
import { openForReading } from "./file.ts";

/** Copying blocks the thread in any case. */
const busyTimeoutMs = 10_000;

/**
 * Copies the database at `path` as it is committed to the file `target` (mode 0600), which appears whole or not at all;
 * one that is there already is replaced. Whoever reads or writes the database is not disturbed.
 */
export async function copyDatabase(path: string, target: string): Promise<void> {
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { force: true });
  // `vacuum into` accepts an empty file, which lets the mode be right from the start.
  const file = await open(unfinished, "wx", 0o600);
  try {
    const source = openForReading(path, { timeout: busyTimeoutMs });
    try {
      source.prepare("vacuum into ?").run(unfinished);
    } finally {
      source.close();
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, target);
}
