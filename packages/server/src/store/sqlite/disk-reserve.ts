import { existsSync } from "node:fs";
import { rename, rm, statfs, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { RandomBytes } from "../../model/runtime.ts";

/** Bytes that the reserve holds: about the log of a thousand small writes, after which SQLite uses its log again. */
const reserveBytes = 8 * 2 ** 20;

/** Syncs store nothing while fewer bytes than these are free. */
const roomBytes = 64 * 2 ** 20;

/** The reserve is given up while fewer bytes than these are free. */
const fullBytes = 4 * 2 ** 20;

/** Room on the disk for what must always be possible: signing out, revoking, disconnecting. */
export interface DiskReserve {
  /** Whether there is room for more than that, as of the last look. */
  hasRoom(): boolean;
  /** Looks how much is free: holds the reserve where there is room, and gives it up where the disk is full. */
  look(): Promise<void>;
  /** Gives the reserve up, for a write that failed for want of room. */
  release(): Promise<void>;
}

interface Parts {
  /** The database that the reserve is for. */
  readonly path: string;
  readonly random: RandomBytes;
  /** Bytes that are free on the disk that holds a path. */
  readonly freeBytes?: (path: string) => Promise<number>;
}

export const reservePath = (path: string) => `${path}.reserve`;

export function createDiskReserve({ path, random, freeBytes = freeBytesAt }: Parts): DiskReserve {
  const file = reservePath(path);
  let room = true;
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
    hasRoom: () => room,
    release,
    async look() {
      const free = await freeBytes(dirname(path));
      room = free >= roomBytes;
      if (free < fullBytes) await release();
      else if (free >= roomBytes + reserveBytes && !existsSync(file)) await hold();
    },
  };
}

async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
