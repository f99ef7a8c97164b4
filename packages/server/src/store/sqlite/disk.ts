import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { freeBytesAt } from "../../model/machine.ts";
import type { RandomBytes } from "../../model/runtime.ts";

/** Size of the reserve: about the log of a thousand small writes, after which SQLite uses its log again. */
const reserveBytes = 8 * 2 ** 20;

/** Syncs store nothing while fewer bytes than these are free. */
const minSyncBytes = 64 * 2 ** 20;

/** The reserve is released while fewer bytes than these are free. */
const minFreeBytes = 4 * 2 ** 20;

interface ReserveOptions {
  /** The database that the reserve is for. */
  readonly path: string;
  readonly random: RandomBytes;
  /** Free bytes on the disk of a path. */
  readonly freeBytes?: (path: string) => Promise<number>;
}

export const reservePath = (path: string) => `${path}.reserve`;

/** A file that holds room on the disk for the writes that must always succeed: signing out, revoking, disconnecting. */
export function createDiskReserve({ path, random, freeBytes = freeBytesAt }: ReserveOptions) {
  const file = reservePath(path);
  let hasRoom = true;
  /** Deletes the reserve, after a write failed because the disk is full. */
  const release = () => rm(file, { force: true });

  async function hold(): Promise<void> {
    const unfinished = `${file}.unfinished`;
    try {
      // Random, so that no file system stores it in less.
      await writeFile(unfinished, random(reserveBytes), { mode: 0o600 });
      await rename(unfinished, file);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  return {
    /** Whether there was enough room for syncs when `check` last looked. */
    hasRoom: () => hasRoom,
    release,
    /** Measures the free room: creates the reserve while there is enough, and releases it when the disk is full. */
    async check(): Promise<void> {
      const free = await freeBytes(dirname(path));
      hasRoom = free >= minSyncBytes;
      if (free < minFreeBytes) await release();
      else if (free >= minSyncBytes + reserveBytes && !existsSync(file)) await hold();
    },
  };
}
