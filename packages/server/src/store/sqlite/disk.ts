import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { freeBytesAt } from "../../model/machine.ts";
import type { RandomBytes } from "../../model/runtime.ts";
import type { DiskRoom } from "../port.ts";

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
  let room: DiskRoom = { freeBytes: Number.POSITIVE_INFINITY, neededBytes: minSyncBytes };
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
      // Another process over the same database may have created it meanwhile.
      if (!existsSync(file)) throw error;
    }
  }

  /** Measures the free room, and releases the reserve when the disk is full. Returns the free bytes. */
  async function measure(): Promise<number> {
    const free = await freeBytes(dirname(path));
    room = { ...room, freeBytes: free };
    if (free < minFreeBytes) await release();
    return free;
  }

  return {
    /** The room when it was last measured. */
    room: () => room,
    release,
    measure,
    /** Measures, and creates the reserve while there is enough room. */
    async check(): Promise<void> {
      const free = await measure();
      if (free >= minSyncBytes + reserveBytes && !existsSync(file)) await hold();
    },
  };
}
