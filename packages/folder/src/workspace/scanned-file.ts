import { isUtf8 } from "node:buffer";
import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import { isRecord } from "./front-matter.ts";

/** The content of a Markdown file. Times are milliseconds since the Unix epoch. */
export interface ScannedFile {
  /** Relative to the workspace, with `/` as separator, in NFC. */
  readonly path: string;
  readonly name: string;
  /** Without byte order mark, with `\n` line ends. Invalid UTF-8 becomes U+FFFD. */
  readonly text: string;
  /** Whether all of it is valid UTF-8. */
  readonly isUtf8: boolean;
  readonly createdAt: number;
  readonly editedAt: number;
}

/** A file as a scan read it. */
export interface ReadFile {
  readonly stamp: Stamp;
  /** False if it may have been written within the resolution of its times, so that the next look reads it again. */
  readonly isSettled: boolean;
  readonly file: ScannedFile;
}

/** Tells whether a file has changed. Programs can set a modification time, but not the time of the last change (`ctime`). */
type Stamp = Readonly<Pick<Stats, "dev" | "ino" | "size" | "ctimeMs">>;

/**
 * The reason why a file or folder is not read. `link`: it is a symbolic link, which could leave the workspace or form a cycle;
 * `name`: its name is not valid UTF-8; `size`: it is larger than `maxFileBytes`; `depth`: it is below `maxDepth` folders;
 * `access`: the system denies access; `slow`: reading it takes too long; `fault`:
 * reading it fails.
 */
export type SkipReason = "link" | "name" | "size" | "depth" | "access" | "slow" | "fault";

/** Whether something may well be there that Clew could not read: what is known of it stays. */
export function isUnread(reason: SkipReason): boolean {
  return reason === "access" || reason === "slow" || reason === "fault";
}

/** The number of folders that may be in one another. Each of them is open while those below are read. */
export const maxDepth = 100;

/** Larger files are not read. */
export const maxFileBytes = 5 * 1024 * 1024;

/** The number of times that a file is read if it changes meanwhile. */
const maxReads = 3;

/** Two changes of a file within this time may have the same `ctime`: FAT's has a resolution of two seconds. */
const resolution = 2_000;

/** The times of a file or folder. Some file systems do not know when it was created. */
export function timesOf({ birthtimeMs, mtimeMs }: Stats): { createdAt: number; editedAt: number } {
  return { createdAt: Math.min(birthtimeMs || mtimeMs, mtimeMs), editedAt: mtimeMs };
}

/** Whether a file is as it was when it got the other stamp. */
export function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.ctimeMs === b.ctimeMs;
}

/** Whether two files are equal: path, text and times. */
export function sameFile(a: ScannedFile, b: ScannedFile): boolean {
  return (
    a.path === b.path &&
    a.text === b.text &&
    a.isUtf8 === b.isUtf8 &&
    a.createdAt === b.createdAt &&
    a.editedAt === b.editedAt
  );
}

/** Reads a file as it is at one moment, if it is not written all the time. Throws `Skipped`. */
export async function readWhole(handle: FileHandle, relative: string): Promise<ReadFile> {
  for (let count = 1; ; count += 1) {
    const stats = await handle.stat();
    const bytes = await readBytes(handle, stats);
    const after = await handle.stat();
    const isStill = sameStamp(stats, after) && bytes.length === stats.size;
    if (!isStill && count < maxReads) continue;
    const { dev, ino, size, ctimeMs } = stats;
    return {
      stamp: { dev, ino, size, ctimeMs },
      // The times of files are by the machine's clock, whatever clock the rest of the program has.
      isSettled: isStill && Math.abs(Date.now() - ctimeMs) > resolution,
      file: {
        path: relative,
        name: path.posix.basename(relative),
        text: new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n"),
        isUtf8: isUtf8(bytes),
        ...timesOf(stats),
      },
    };
  }
}

/** Reads a file, and no more bytes than it had at first, even if it grows during the read. Throws `Skipped`. */
async function readBytes(handle: FileHandle, stats: Stats): Promise<Uint8Array> {
  // Something else took the place of the file since the folder was listed.
  if (!stats.isFile()) throw new Skipped(null);
  if (stats.size > maxFileBytes) throw new Skipped("size");
  const bytes = Buffer.allocUnsafe(stats.size);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** Ends the reading of one entry: it is not read, or has gone since the folder was listed (null). */
export class Skipped extends Error {
  readonly reason: SkipReason | null;

  constructor(reason: SkipReason | null) {
    super(`skipped: ${reason ?? "gone"}`);
    this.reason = reason;
  }
}

/** The reason why an entry is skipped; null if it was moved or removed since the folder was listed. Throws other errors again. */
export function skipReasonOf(error: unknown, name: string): SkipReason | null {
  if (error instanceof Skipped) return error.reason;
  switch (isRecord(error) ? error.code : null) {
    case "ELOOP":
      return "link";
    case "EACCES":
    case "EPERM":
      return "access";
    case "ENOENT":
      // Bytes that are not UTF-8 are listed as U+FFFD, which then names nothing.
      return name.includes("\ufffd") ? "name" : null;
    case "ENOTDIR":
    case "ENXIO":
      return null;
    default:
      throw error;
  }
}
